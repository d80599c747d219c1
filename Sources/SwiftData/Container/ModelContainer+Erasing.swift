import ObjectGraph

extension ModelContainer {
    /// Empties every store: all models go, whatever delete rules say, and the files of large values with them. The
    /// stores' own files stay and can be used on; history tells of the deletions.
    ///
    /// Contexts learn of it as of any other save: models they hold lose their context. Unsaved work stays unsaved.
    /// - Throws: `CocoaError.fileWriteNoPermission` when a store with models is read-only, or what reading and writing
    ///   throws; nothing is erased then.
    /// - Complexity: One statement per hierarchy of classes to read, and one per row to delete.
    public func erase() throws {
        guard !store.isReadOnly else { throw CocoaError(.fileWriteNoPermission) }
        for _ in 0..<Self.erasingRounds {
            let changes = try everythingDeleted()
            guard !changes.isEmpty else { return }
            guard case .saved = try saving(changes) else { continue }
            var saved = SavedChanges()
            saved.deleted = changes.deletions.map(\.id)
            return contexts.post(saved, from: nil)
        }
        throw SaveError.conflictsPersist
    }

    /// As `erase()`, for code that does not look at errors; they are logged.
    public func deleteAllData() {
        do {
            try erase()
        } catch {
            ModelContext.logger.error("The store could not be emptied. \(String(describing: error))")
        }
    }

    /// Others may save while the rows are gathered; then they are gathered again.
    private static var erasingRounds: Int { 8 }

    private func saving(_ changes: ChangeSet) throws -> SaveResult {
        do {
            return try store.save(changes)
        } catch {
            throw ErrorMapping.saving(error)
        }
    }

    private func everythingDeleted() throws -> ChangeSet {
        var changes = ChangeSet()
        for root in store.model.entities where root.rootIndex == root.index {
            changes.deletions += try store.fetch(Query(entityIndex: root.index)).compactMap { row in
                store.model.entity(named: row.id.entityName).map {
                    .init(id: row.id, entityIndex: $0.index, expectedVersion: row.version)
                }
            }
        }
        return changes
    }
}
