import ObjectGraph
import StoreDeletion

extension ModelContainer {
    /// Empties every store: all models go, whatever delete rules say, and the files of large values with them. The
    /// stores' own files stay and can be used on; history tells of the deletions.
    ///
    /// Contexts learn of it as of any other save: models they hold lose their context. Unsaved work stays unsaved.
    /// Stores of a program's own are emptied first, one after the other, as any of them may refuse; then all files
    /// together, and last what was archived. An error leaves empty what was done before it, of which contexts
    /// learn.
    /// - Throws: `CocoaError.fileWriteNoPermission` when a store with models is read-only; nothing is erased then.
    ///   `DataStoreError.unsupportedFeature` for a store of a program's own that cannot be emptied, or what reading and
    ///   writing throws.
    /// - Complexity: A few statements for each class, whatever the number of models.
    public func erase() throws {
        guard !store.isReadOnly else { throw CocoaError(.fileWriteNoPermission) }
        var saved = SavedChanges()
        defer { core.announce(saved) }
        do {
            try core.eraseDataStores { saved.deleted += $0 }
            if !core.sqliteStores.isEmpty {
                var request = DeleteRequest(.everything)
                request.observer = DeletionAnnouncer(core)
                saved.bulkDeletes = try store.requireSetDeleting().delete(request).plan
            }
            // What is archived is data too.
            _ = try store.archive?.purge(.everything)
        } catch {
            throw ErrorMapping.saving(error)
        }
    }

    /// As `erase()`, for code that does not look at errors; they are logged.
    public func deleteAllData() {
        do {
            try erase()
        } catch {
            ModelContext.logger.error("The store could not be emptied. \(String(describing: error))")
        }
    }
}
