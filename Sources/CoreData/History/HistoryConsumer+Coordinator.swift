import Foundation
import ObjectGraph
import StoreDeletion

extension HistoryConsumer where Transaction == NSPersistentHistoryTransaction {
    /// Registers the name in every store of the coordinator that keeps a history, or continues where it stopped. From now on
    /// history that it has not read waits for it: end a name that is not used any more with `unregister()`.
    ///
    /// ```swift
    /// let consumer = try HistoryConsumer("app", of: container.persistentStoreCoordinator, ignoring: ["app"])
    /// // Whenever .NSPersistentStoreRemoteChange is posted:
    /// try consumer.consume(mergingInto: [container.viewContext])
    /// ```
    /// - Parameters:
    ///   - name: one for each purpose; used by one process at a time.
    ///   - authors: the `transactionAuthor` of contexts whose saves need not be merged, such as the program's own.
    /// - Throws: `CocoaError` 134030 for a store that is only read, and what writing throws.
    public convenience init(
        _ name: String, of coordinator: NSPersistentStoreCoordinator, from start: Start = .now,
        ignoring authors: Set<String> = []
    ) throws {
        let core = coordinator.core
        try self.init(name, coordinator.historyFiles, from: start, ignoring: authors) {
            NSPersistentHistoryTransaction(HistorySave($0, isWhole: true, core))
        }
    }

    /// As `consume(keepingHistoryFor:_:)`; transactions are merged into the contexts before they are passed on. Merging them
    /// twice does no harm.
    /// - Parameters:
    ///   - contexts: of the coordinator, from any thread; each is used on its own queue. Parents of a context are merged into
    ///     before it.
    ///   - age: in seconds; younger history is not deleted.
    ///   - body: gets transactions of one store, the oldest first.
    /// - Returns: The number of transactions.
    /// - Throws: As `consume(keepingHistoryFor:_:)`; after 134301, call `skipToNow(refreshing:)`, and read again what was derived.
    @discardableResult
    public func consume(
        mergingInto contexts: [NSManagedObjectContext], keepingHistoryFor age: TimeInterval = 0,
        _ body: ([NSPersistentHistoryTransaction]) throws -> Void = { _ in }
    ) throws -> Int {
        try consumePages(keepingHistoryFor: age) { page, transactions in
            merge(HistorySum(page).changes, into: contexts)
            try body(transactions)
        }
    }

    private func merge(_ changes: SavedChanges, into contexts: [NSManagedObjectContext]) {
        guard let core = contexts.first?.core, !changes.isEmpty else { return }
        func identifiers(_ ids: [ObjectID]) -> [NSManagedObjectID] { ids.map { NSManagedObjectID($0, core) } }
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSInsertedObjectIDsKey: identifiers(changes.inserted),
                NSUpdatedObjectIDsKey: identifiers(changes.updatedIDs),
                NSDeletedObjectIDsKey: identifiers(changes.deleted),
            ], into: contexts)
    }

    /// Passes over everything that it has not read.
    /// - Parameter contexts: read everything again that is unedited.
    /// - Throws: What writing the stores throws.
    public func skipToNow(refreshing contexts: [NSManagedObjectContext]) throws {
        try skipToNow()
        for context in contexts { context.performAndWait { context.refreshAllObjects() } }
    }

    /// Every name that history is kept for, by name. One that has not read for long keeps history from being deleted.
    /// - Throws: `CocoaError` for what reading the stores throws.
    public static func registrations(in coordinator: NSPersistentStoreCoordinator) throws -> [Registration] {
        try registrations(in: coordinator.historyFiles)
    }
}

extension HistoryConsumer.Registration where Transaction == NSPersistentHistoryTransaction {
    /// The last transaction of each store that it has dealt with.
    public var token: NSPersistentHistoryToken { NSPersistentHistoryToken(place) }
}

extension NSPersistentStoreCoordinator {
    fileprivate final var historyFiles: HistoryFiles {
        HistoryFiles(
            { self.core.stores.members.compactMap(\.store.historyKeeping) }, faceError: ErrorMapping.history)
    }
}
