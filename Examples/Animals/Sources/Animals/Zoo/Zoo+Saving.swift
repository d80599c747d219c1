import Foundation
import SwiftData

extension Zoo {
    /// Whether changes are saved as they are made, or only when the user saves.
    var isAutosaving: Bool { context.autosaveEnabled }

    var hasUnsavedChanges: Bool { context.hasChanges }

    /// The number of models that a save would insert, update or delete.
    var unsavedChangeCount: Int {
        context.insertedModelsArray.count + context.changedModelsArray.count + context.deletedModelsArray.count
    }

    /// Switches autosave. Switching it on saves pending changes.
    func setAutosaving(_ isOn: Bool) throws {
        if isOn { try save() }
        context.autosaveEnabled = isOn
        context.undoManager = isOn ? nil : UndoManager()
    }

    /// - Throws: `ZooProblem.saveFailed`; the changes stay unsaved.
    func save() throws {
        guard context.hasChanges else { return }
        do {
            try context.save()
        } catch {
            throw ZooProblem.saveFailed(String(describing: error))
        }
    }

    /// Discards all changes since the last save.
    func discard() {
        context.rollback()
        forgetSteps()
        undoList.didDiscard()
    }

    func isUnsaved(_ model: some PersistentModel) -> Bool {
        model.hasChanges || model.persistentModelID.storeIdentifier == nil
    }
}
