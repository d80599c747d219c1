import SwiftData

/// Problems with a request to the collection, with texts for pages.
enum ZooProblem: Error, Equatable {
    case animalIsGone
    case categoryIsGone
    /// The animal of a form was deleted; the typed values can be added as a new one.
    case editedAnimalIsGone
    /// The category of a form was deleted; the typed values can be added to, or as, another one.
    case editedCategoryIsGone
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
    /// A delete that cannot be undone, for a reason that the store reports.
    init(restoring error: DeletionError) {
        if case .unknownToken = error { self = .cannotUndo } else { self = .undoFailed(error.description) }
    }
}

extension ZooProblem: CustomStringConvertible {
    var description: String {
        switch self {
        case .animalIsGone: "This animal is no longer here. It may have been deleted in another window."
        case .categoryIsGone: "This category is no longer here. It may have been deleted in another window."
        case .editedAnimalIsGone:
            "\(ZooProblem.animalIsGone.description) What you typed is kept: choose Add to make it a new animal."
        case .editedCategoryIsGone: "\(ZooProblem.categoryIsGone.description) What you typed is kept."
        case .emptyName: "Please enter a name."
        case .longName: "Please use a shorter name, at most \(EntryText.longestName) characters."
        case .categoryNameIsTaken(let name): "There is already a category called “\(name)”. Please choose another name."
        case .unknownDiet: "Please choose what the animal eats."
        case .missingCategory: "Please choose a category."
        case .saveFailed(let reason): "The changes could not be saved and are still waiting. \(reason)"
        case .cannotUndo:
            "This can no longer be undone. It may have been undone already, or the hour for undoing it is over."
        case .changedSince:
            "Something else was changed after this delete. Undo that first, or discard all unsaved changes."
        case .nameTakenSince(let name):
            """
            Nothing was restored because there is a new category called “\(name)”. Rename or delete it, then undo again.
            """
        case .categoryGoneSince(let name):
            "“\(name)” was not restored because its category has been deleted since. Restore the category first."
        case .samplesChanged:
            "Nothing was restored because the sample data has been changed since it was reloaded."
        case .undoFailed(let reason): "Nothing was restored. \(reason)"
        case .unsavedChanges: "There are unsaved changes. Save or discard them first."
        case .busy: "Another task is running. Wait for it to finish, or stop it first."
        case .workIsOver: "This task has already ended. It may have been stopped or have finished in another window."
        case .workFailed(let reason): "This did not work. \(reason)"
        case .nothingToDelete: "The collection is already empty."
        }
    }
}
