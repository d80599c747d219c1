import SwiftData

/// What can be wrong with a request to the collection, in words for the person who made it.
enum ZooProblem: Error, Equatable {
    case animalIsGone
    case categoryIsGone
    case emptyName
    case longName
    case categoryNameIsTaken(String)
    case unknownDiet
    case missingCategory
    case saveFailed(String)
    case cannotUndo
    case changedSince
    case nameTakenSince(String)
    case categoryGoneSince(String)
    case samplesChanged
    case undoFailed(String)
    case unsavedChanges
    case busy
    case workIsOver
    case workFailed(String)
    case nothingToDelete
}

extension ZooProblem {
    /// A delete that cannot be taken back, for no reason the app knows better.
    init(restoring error: RestorationError) {
        if case .unknownToken = error { self = .cannotUndo } else { self = .undoFailed(error.description) }
    }
}

extension ZooProblem: CustomStringConvertible {
    var description: String {
        switch self {
        case .animalIsGone: "This animal is no longer here. It may have been deleted in another window."
        case .categoryIsGone: "This category is no longer here. It may have been deleted in another window."
        case .emptyName: "Please enter a name."
        case .longName: "Please use a shorter name, at most \(EntryText.longestName) characters."
        case .categoryNameIsTaken(let name): "There is already a category called “\(name)”. Please choose another name."
        case .unknownDiet: "Please choose what the animal eats."
        case .missingCategory: "Please choose a category."
        case .saveFailed(let reason): "The changes could not be saved and are still waiting. \(reason)"
        case .cannotUndo: "This cannot be undone any more. It may have been undone already, or given up after an hour."
        case .changedSince:
            "Something else was changed after this delete. Undo that first, or use Discard to take everything back."
        case .nameTakenSince(let name):
            """
            Nothing was brought back, as there is a new category called “\(name)”. Rename or delete it, then undo again.
            """
        case .categoryGoneSince(let name):
            "“\(name)” was not brought back, as its category was deleted since. Bring the category back first."
        case .samplesChanged:
            "Nothing was brought back, as the sample data was changed since it was reloaded."
        case .undoFailed(let reason): "Nothing was brought back. \(reason)"
        case .unsavedChanges: "There are unsaved changes. Save or discard them first."
        case .busy: "Another long task is under way. Wait until it is done, or stop it first."
        case .workIsOver: "This task is over already. It may have been stopped or finished in another window."
        case .workFailed(let reason): "This did not work. \(reason)"
        case .nothingToDelete: "The collection is empty already."
        }
    }
}
