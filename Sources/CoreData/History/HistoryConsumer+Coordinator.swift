import Foundation
import ObjectGraph
import StoreDeletion

extension HistoryConsumer where Transaction == NSPersistentHistoryTransaction {
    /// Creates a consumer: registers its name in every store of the coordinator that keeps a history, or continues at the saved
    /// position.
    ///
    /// From now on, history that the consumer has not read is kept. Remove a name that is no longer used with `unregister()`.
    ///
    /// ```swift
    /// let consumer = try HistoryConsumer("app", of: container.persistentStoreCoordinator, ignoring: ["app"])
    /// // Whenever .NSPersistentStoreRemoteChange is posted:
    /// try consumer.consume(mergingInto: [container.viewContext])
    /// ```
    /// - Parameters:
    ///   - name: one for each purpose; used by one process at a time.
    ///   - coordinator: the coordinator of the stores.
    ///   - start: the position of a consumer with a new name.
    ///   - authors: the `transactionAuthor` of contexts whose transactions are not passed on, such as the program's own.
    /// - Throws: `CocoaError` 134030 for a store that was opened for reading only, and errors of writing the stores.
    public convenience init(
        _ name: String, of coordinator: NSPersistentStoreCoordinator, from start: Start = .now,
        ignoring authors: Set<String> = []
    ) throws {
        let core = coordinator.core
        try self.init(name, coordinator.historyFiles, from: start, ignoring: authors) {
            NSPersistentHistoryTransaction(HistorySave($0, isWhole: true, core))
        }
    }

    /// Merges new transactions into contexts, passes them on page by page, and then deletes history that every registered
    /// consumer has read.
    ///
    /// The position is saved when `body` returns. If `body` throws, or the process ends, the same transactions are passed
    /// again; merging them twice does no harm.
    /// - Parameters:
    ///   - contexts: contexts of the coordinator, which this may use from any thread; each merges on its own queue. Parents of
    ///     a context merge before it.
    ///   - age: in seconds; younger history is not deleted.
    ///   - body: receives transactions of one store, the oldest first.
    /// - Returns: The number of transactions that were passed on.
    /// - Throws: `CocoaError` 134301 when history was deleted that this consumer has not read: call `skipToNow(refreshing:)`, and
    ///   compute derived data again. Errors of `body`, and of reading and writing.
    /// - Complexity: A few statements for each store, and for each page of transactions.
    @discardableResult
    public func consume(
        mergingInto contexts: [NSManagedObjectContext], keepingHistoryFor age: TimeInterval = 0,
        _ body: ([NSPersistentHistoryTransaction]) throws -> Void = { _ in }
    ) throws -> Int {
        try consumePages(keepingHistoryFor: age) { page, transactions in
            let changes = SavedChanges(combining: page)
            if !changes.isEmpty { NSManagedObjectContext.merge({ _ in changes }, into: contexts) }
            try body(transactions)
        }
    }

    /// Moves the position past all transactions saved so far, and refreshes contexts.
    /// - Parameter contexts: contexts whose objects are read again when they are next used; edits are kept.
    /// - Throws: Errors of writing the stores.
    public func skipToNow(refreshing contexts: [NSManagedObjectContext]) throws {
        try skipToNow()
        for context in contexts { context.performAndWait { context.refreshAllObjects() } }
    }

    /// Returns the consumers that history is kept for, by name. One that has not read for long keeps history from being deleted.
    /// - Parameter coordinator: the coordinator of the stores.
    /// - Throws: `CocoaError` for errors of reading the stores.
    public static func registrations(in coordinator: NSPersistentStoreCoordinator) throws -> [Registration] {
        try registrations(in: coordinator.historyFiles)
    }
}

extension HistoryConsumer.Registration where Transaction == NSPersistentHistoryTransaction {
    /// The last transaction of each store that the consumer has read.
    public var token: NSPersistentHistoryToken { NSPersistentHistoryToken(place) }
}

extension NSPersistentStoreCoordinator {
    fileprivate final var historyFiles: HistoryFiles {
        HistoryFiles(
            { self.core.stores.members.compactMap(\.store.historyRecording) }, faceError: ErrorMapping.history)
    }
}
