import Foundation
import SwiftData

extension Zoo {
    /// Whether changes are saved as they are made, or when the user says so.
    var isAutosaving: Bool { context.autosaveEnabled }

    var hasUnsavedChanges: Bool { context.hasChanges }

    /// How many models a save would insert, update or delete.
    var unsavedChangeCount: Int {
        context.insertedModelsArray.count + context.changedModelsArray.count + context.deletedModelsArray.count
    }

    /// Switching autosave on saves what waited for it.
    func setAutosaving(_ isOn: Bool) throws {
        if isOn { try save() }
        context.autosaveEnabled = isOn
        context.undoManager = isOn ? nil : UndoManager()
    }

    /// - Throws: `ZooProblem.saveFailed`; the changes stay unsaved and nothing is lost.
    func save() throws {
        guard context.hasChanges else { return }
        do {
            try context.save()
        } catch {
            throw ZooProblem.saveFailed(String(describing: error))
        }
    }

    /// Undoes everything since the last save.
    func discard() {
        context.rollback()
        forgetSteps()
        undoList.didDiscard()
    }

    func isUnsaved(_ model: some PersistentModel) -> Bool {
        model.hasChanges || model.persistentModelID.storeIdentifier == nil
    }
}
