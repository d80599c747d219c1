import ObjectGraph
import StoreDeletion

extension ModelContainer {
    /// Empties every store: deletes all models regardless of delete rules, with their files of large values. The stores'
    /// own files remain and can be used on; history records the deletions.
    ///
    /// Contexts merge this like any other save: models that they hold lose their context. Unsaved changes stay unsaved.
    /// Stores of the program's own classes are emptied first, one after the other, as any of them may refuse; then all
    /// SQLite stores together; archived deletions are discarded last. After an error, the steps before it stay done, and
    /// contexts merge them.
    /// - Throws: `CocoaError.fileWriteNoPermission` (513) if a store with models is read-only; nothing is erased then.
    ///   `DataStoreError.unsupportedFeature` for a store of the program's own class that cannot be emptied, or an error of
    ///   reading or writing.
    /// - Complexity: A few statements for each class, whatever the number of models.
    public func erase() throws {
        guard !store.isReadOnly else { throw CocoaError(.fileWriteNoPermission) }
        var saved = SavedChanges()
        defer { core.announce(saved) }
        do {
            try core.eraseDataStores { saved.append(SavedChanges(deleted: $0)) }
            saved.append(SavedChanges(deletion: try core.eraseRows()))
            // Archived deletions contain data too.
            _ = try store.archive?.purge(.everything)
        } catch {
            throw ErrorMapping.saving(error)
        }
    }

    /// Empties every store, as `erase()` does, and logs an error instead of throwing it.
    @available(*, deprecated, renamed: "erase()", message: "Use erase(), which throws errors.")
    public func deleteAllData() {
        do {
            try erase()
        } catch {
            ModelContext.logger.error("The store could not be emptied. \(String(describing: error))")
        }
    }
}
