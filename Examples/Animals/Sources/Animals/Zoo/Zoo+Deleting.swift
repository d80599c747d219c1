import Foundation
import SwiftData

/// Deletes that can be undone.
///
/// With autosave, a delete is saved immediately and restored with its token. Without autosave it is pending until the
/// save: before the save, the context's undo manager undoes the delete; afterwards, its token restores the deleted
/// models.
extension Zoo {
    /// The plan of deleting these models, as far as they are saved.
    func deletionPlan(of ids: PersistentIdentifier...) throws -> DeletionPlan {
        try context.deletionPlan(for: ids)
    }

    func delete(_ animal: Animal, seenAt address: String) throws -> Undoable {
        let subject = Undoable.Subject.animal(animal.name, category: animal.category?.persistentModelID)
        return try delete(subject, address) {
            try archivingIfPossible(animal)
        }
    }

    /// Deletes a category, which cascades to its animals.
    func delete(_ category: AnimalCategory, seenAt address: String) throws -> Undoable {
        let subject = Undoable.Subject.category(category.name, animals: try animalCount(in: category))
        return try delete(subject, address) {
            try archivingIfPossible(category)
        }
    }

    /// Deletes everything and inserts the samples again.
    func reloadSampleData() throws -> Undoable {
        if isAutosaving { try save() }
        var samples: [AnimalCategory] = []
        let token = try step { () throws -> DeletionToken? in
            let token: DeletionToken?
            (token, samples) = try SampleData.reload(into: context)
            return token
        }
        return try note(.everything(replacedBy: samples), "/", token)
    }

    private func delete(
        _ subject: Undoable.Subject, _ address: String, _ body: () throws -> DeletionToken?
    ) throws -> Undoable {
        // The store can archive only stored models, so everything is saved first.
        if isAutosaving { try save() }
        return try note(subject, address, try step(body))
    }

    private func note(_ subject: Undoable.Subject, _ address: String, _ token: DeletionToken?) throws -> Undoable {
        let item = Undoable(subject: subject, address: address, token: token, state: .pending(step: lastStep))
        undoList.add(item)
        if isAutosaving { try save() }
        return item
    }

    /// If unsaved changes affect the delete, it cannot be archived, and only the context can undo it.
    private func archivingIfPossible(_ model: some PersistentModel) throws -> DeletionToken? {
        do {
            return try context.deleteAndArchive(model)
        } catch DeletionError.cannotBePlanned {
            context.delete(model)
            return nil
        }
    }

    // MARK: Undoing

    /// - Parameter willReplace: Called before the samples of a reload are deleted.
    /// - Returns: The deletes that were undone: those of one save are restored together.
    /// - Throws: `ZooProblem` with the reason; nothing is changed then.
    func undo(_ id: String, willReplace: () -> Void) throws -> [Undoable] {
        if isAutosaving { try save() }
        guard let item = undoList[id] else { throw ZooProblem.cannotUndo }
        switch item.state {
        case .pending(let step):
            guard step == lastStep else { throw ZooProblem.changedSince }
            if case .everything = item.subject { willReplace() }
            undoLastStep()
            undoList.remove(item)
            return [item]
        case .saved:
            try restore(item, willReplace)
            return undoList.remove(with: item)
        }
    }

    private func restore(_ item: Undoable, _ willReplace: () -> Void) throws {
        guard let token = item.token else { throw ZooProblem.cannotUndo }
        if case .everything(let samples) = item.subject {
            return try restoreEverything(token, insteadOf: samples, willReplace)
        }
        // The store does not know an unsaved category, and saving would merge the two.
        if case .category(let name, _) = item.subject, try categories().contains(where: { $0.name == name }) {
            throw ZooProblem.nameTakenSince(name)
        }
        do {
            try container.restore(token)
        } catch let error as DeletionError {
            throw problem(restoring: item, error)
        }
    }

    /// Deletes the samples, unless they were changed, and restores the deleted models.
    private func restoreEverything(
        _ token: DeletionToken, insteadOf samples: [AnimalCategory], _ willReplace: () -> Void
    ) throws {
        guard !hasUnsavedChanges else { throw ZooProblem.unsavedChanges }
        let ids = samples.filter { !$0.isDeleted && $0.modelContext != nil }.map(\.persistentModelID)
        let plan = try context.deletionPlan(for: ids)
        guard ids.count == samples.count, plan.count == SampleData.count,
            try context.fetchCount(FetchDescriptor<AnimalCategory>()) == ids.count,
            try animalCount() == plan.count - ids.count
        else { throw ZooProblem.samplesChanged }
        willReplace()
        let archived = try plan.executeAndArchive()
        do {
            try container.restore(token)
        } catch {
            if let archived { try container.restore(archived) }
            guard let error = error as? DeletionError else { throw error }
            throw ZooProblem(restoring: error)
        }
        if let archived { try container.discard(archived) }
    }

    private func problem(restoring item: Undoable, _ error: DeletionError) -> ZooProblem {
        if case .conflicts = error, case .animal(let name, let id?) = item.subject, (try? category(id)) == nil {
            return .categoryGoneSince(name)
        }
        return ZooProblem(restoring: error)
    }

    // MARK: Discarding

    /// The maximum age of deletes that can be undone, in seconds.
    nonisolated static let archivedSeconds: TimeInterval = 60 * 60
    /// The maximum size of all archived deletions, in bytes; the oldest are discarded first.
    nonisolated static let archivedBytes: Int64 = 64 << 20

    /// Discards archived deletions that are too old or too large. May be called on any thread.
    nonisolated static func discardOldDeletions(of container: ModelContainer) throws {
        try container.discardArchivedDeletions(before: Date(timeIntervalSinceNow: -archivedSeconds))
        try container.discardArchivedDeletions(downToByteCount: archivedBytes)
    }
}
