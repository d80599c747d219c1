/// What a page says once about the change that led to it. Only these texts can be asked for in an address.
enum Notice: String {
    case animalAdded = "animal-added"
    case animalEdited = "animal-edited"
    case animalDeleted = "animal-deleted"
    case categoryAdded = "category-added"
    case categoryEdited = "category-edited"
    case categoryDeleted = "category-deleted"
    case reloaded
    case saved
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
        case .reloaded: "Sample data reloaded."
        case .saved: "All changes saved."
        case .discarded: "Unsaved changes discarded."
        case .autosaveOn: "Autosave is on."
        case .autosaveOff: "Autosave is off. Nothing is kept until you save."
        }
    }
}
