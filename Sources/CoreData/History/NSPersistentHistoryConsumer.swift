import Foundation
import ObjectGraph
import SQLiteStore

/// Somebody who reads the history of a coordinator's stores again and again, merges it into contexts, and lets go of what
/// nobody needs any more. How far it has come stands in the stores' files under its name, so that it goes on from there in
/// the next run of the program, and history that every consumer has read can be forgotten.
///
/// ```swift
/// let consumer = try NSPersistentHistoryConsumer(
///     name: "app", coordinator: container.persistentStoreCoordinator, ignoredAuthors: ["app"])
/// // Whenever .NSPersistentStoreRemoteChange is posted:
/// try consumer.consume(mergingInto: [container.viewContext])
/// ```
public final class NSPersistentHistoryConsumer: Sendable {
    public let name: String
    /// Transactions with these authors are neither merged nor handed on.
    public let ignoredAuthors: Set<String>
    private let coordinator: NSPersistentStoreCoordinator
    private let start: ConsumerStart

    /// From where a consumer of a new name reads.
    public enum Start: Sendable {
        /// From the oldest transaction that there still is.
        case beginning
        /// What is saved from now on.
        case now
    }

    /// Registers the name in every store that keeps a history, or goes on where it was. From now on history that it has not
    /// read waits for it: end a name that is not used any more with `unregister()`.
    /// - Parameters:
    ///   - name: one for each purpose; used by one process at a time.
    ///   - ignoredAuthors: the `transactionAuthor` of contexts whose saves need not be merged, such as the program's own.
    /// - Throws: `CocoaError` 134030 for a store that is only read, and what writing throws.
    public init(
        name: String, coordinator: NSPersistentStoreCoordinator, start: Start = .now, ignoredAuthors: Set<String> = []
    ) throws {
        self.name = name
        self.ignoredAuthors = ignoredAuthors
        self.coordinator = coordinator
        self.start =
            switch start {
            case .beginning: .beginning
            case .now: .now
            }
        try eachStore { try $0.registerHistoryConsumer(name, from: self.start) }
    }

    /// Takes in what is new, some transactions at a time, in the order of each store: merges it into the contexts, hands it
    /// on, and notes that it is done. Then history that every registered consumer has read is forgotten.
    ///
    /// If `body` throws, or the process dies, the same transactions come again; merging them twice does no harm.
    /// - Parameters:
    ///   - contexts: from any thread; each is used on its own queue. Parents of a context are told before it.
    ///   - age: in seconds; younger history is not forgotten.
    ///   - body: gets transactions of one store, the oldest first.
    /// - Returns: How many transactions there were.
    /// - Throws: `CocoaError` 134301 when somebody forgot history that this consumer had not read: call
    ///   `skipToNow(refreshing:)`, and read again whatever else was derived. What `body` throws, and what reading and writing
    ///   throws.
    @discardableResult
    public func consume(
        mergingInto contexts: [NSManagedObjectContext] = [], keepingHistoryFor age: TimeInterval = 0,
        _ body: ([NSPersistentHistoryTransaction]) throws -> Void = { _ in }
    ) throws -> Int {
        var count = 0
        try eachStore { store in
            let consumption = HistoryConsumption(store, name: name, from: start)
            count += try consumption.run(ignoring: ignoredAuthors, keeping: age) { page in
                merge(HistoryDelta(page), into: contexts)
                let transactions = page.map {
                    NSPersistentHistoryTransaction(HistorySave($0, isWhole: true, coordinator.core))
                }
                do { try body(transactions) } catch { throw WorkFailure(error: error) }
            }
        }
        return count
    }

    private func merge(_ delta: HistoryDelta, into contexts: [NSManagedObjectContext]) {
        guard !contexts.isEmpty, !delta.isEmpty else { return }
        let changes = SavedChanges(delta)
        func identifiers(_ ids: [ObjectID]) -> [NSManagedObjectID] {
            ids.map { NSManagedObjectID($0, coordinator.core) }
        }
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSInsertedObjectIDsKey: identifiers(changes.inserted),
                NSUpdatedObjectIDsKey: identifiers(changes.updatedIDs),
                NSDeletedObjectIDsKey: identifiers(changes.deleted),
            ], into: contexts)
    }

    /// Passes over everything that it has not read.
    /// - Parameter contexts: read everything again that is unedited.
    public func skipToNow(refreshing contexts: [NSManagedObjectContext] = []) throws {
        try eachStore { try $0.restartHistoryConsumer(name) }
        for context in contexts { context.performAndWait { context.refreshAllObjects() } }
    }

    /// Nobody waits for the name any more.
    public func unregister() throws {
        try eachStore { try $0.removeHistoryConsumer(name) }
    }

    private func eachStore(_ body: (SQLiteStore) throws -> Void) throws {
        do {
            for store in coordinator.storesWithHistory { try body(store) }
        } catch let failure as WorkFailure {
            throw failure.error
        } catch {
            throw ErrorMapping.history(error)
        }
    }
}

/// An error of the program's own work, on its way through the store.
private struct WorkFailure: Error {
    let error: any Error
}

extension NSPersistentHistoryConsumer {
    /// A name that history is kept for.
    public struct Registration: Sendable {
        public let name: String
        /// The last transaction of each store that was dealt with.
        public let token: NSPersistentHistoryToken
        /// When it last said so, in any store.
        public let lastRead: Date
    }

    /// Every name that history is kept for, by name: one that has not read for long keeps history from being forgotten.
    public static func registrations(in coordinator: NSPersistentStoreCoordinator) throws -> [Registration] {
        do {
            let perStore = try coordinator.storesWithHistory.map { ($0.identifier, try $0.historyConsumers()) }
            return RegisteredConsumer.joined(perStore).map {
                Registration(
                    name: $0.name, token: NSPersistentHistoryToken($0.token),
                    lastRead: Date(timeIntervalSinceReferenceDate: $0.time))
            }
        } catch {
            throw ErrorMapping.history(error)
        }
    }
}

extension NSPersistentStoreCoordinator {
    fileprivate final var storesWithHistory: [SQLiteStore] {
        core.store.members.compactMap(\.sqlite).filter(\.keepsHistory)
    }
}
