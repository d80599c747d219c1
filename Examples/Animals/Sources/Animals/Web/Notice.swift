/// What a page says once about the change that led to it. Only these texts can be asked for in an address.
enum Notice: String {
    case animalAdded = "animal-added"
    case animalEdited = "animal-edited"
    case animalDeleted = "animal-deleted"
    case categoryAdded = "category-added"
    case categoryEdited = "category-edited"
    case categoryDeleted = "category-deleted"
    case undone
    case undoneTogether = "undone-together"
    case reloaded
    case saved
    case savedDeletes = "saved-deletes"
    case discarded
    case autosaveOn = "autosave-on"
    case autosaveOff = "autosave-off"

    var text: String {
        switch self {
        case .animalAdded: "Animal added."
        case .animalEdited: "Animal changed."
        case .animalDeleted: "Animal deleted."
        case .categoryAdded: "Category added."
        case .categoryEdited: "Category renamed."
        case .categoryDeleted: "Category deleted, with its animals."
        case .undone: "Brought back."
        case .undoneTogether: "Brought back, with what else was deleted by the same save."
        case .reloaded: "Sample data reloaded."
        case .saved: "All changes saved."
        case .savedDeletes: "All changes saved, deletes too."
        case .discarded: "Unsaved changes discarded."
        case .autosaveOn: "Autosave is on."
        case .autosaveOff: "Autosave is off. Nothing is kept until you save."
        }
    }
}

struct NoticeView {
    var noticeText: String
    /// What an Undo button beside the text takes back.
    var undoID: String?
}
