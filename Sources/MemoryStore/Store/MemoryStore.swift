import Foundation
import ObjectGraph

/// A store that keeps its rows in memory for its lifetime: a minimal implementation of what a store must do. It is
/// written to be read, and as a reference in tests of other stores, not for speed.
///
/// 1. All content of the store is one value, `Rows`. Reading uses that value. A transaction changes a copy of it, which
///    replaces the original at the end, so a half-written transaction is never visible.
/// 2. The files `MemoryStore+…` implement the store's protocols; they call `Rows`, or a value made from it.
/// 3. The engine implements rules common to all stores: the rows that a deletion reaches (`DeletePlanner`), what can be
///    restored (`RestoreCheck`), the row that an insertion belongs to (`InsertionMatching`), both ends of one-to-one
///    relationships (`InverseMaintenance`), the order of lists (`OrderKeys`), and queries (`QueryEvaluator`).
/// 4. Values are kept unchanged, without checks for values that a file cannot store or would convert. Derived
///    attributes are not computed.
package final class MemoryStore: Sendable {
    package let identifier: String
    package let model: Model
    package let isReadOnly = false
    package let storesTransients = false

    private let state: Locked<Rows>
    /// Held by one transaction at a time. Recursive, so that a nested transaction of the same thread fails instead of
    /// waiting.
    private let writing = NSRecursiveLock()

    /// - Throws: `ModelError` for a constraint on a property that is not stored.
    package init(model: Model, identifier: String = UUID().uuidString) throws {
        try model.checkUniqueness()
        self.model = model
        self.identifier = identifier
        state = Locked(Rows(model: model, storeIdentifier: identifier))
    }

    /// The present rows. Later writes do not change the returned value.
    var rows: Rows { state.withLock { $0 } }

    /// Runs one transaction: writes everything that the body does, or nothing if it throws.
    /// - Throws: `MemoryStoreError.busy` for a nested transaction, and the errors of the body.
    func transaction<Result>(_ body: (inout Rows) throws -> Result) throws -> Result {
        writing.lock()
        defer { writing.unlock() }
        let before = rows
        var copy = before
        let result = try body(&copy)
        guard rows.writeCount == before.writeCount else { throw MemoryStoreError.busy }
        copy.writeCount += 1
        state.withLock { $0 = copy }
        return result
    }
}

extension MemoryStore: Store {
    /// Returns no changes: no other process or connection can access the rows.
    package func changesByOthers() throws -> SavedChanges { SavedChanges() }
}

extension MemoryStore: HistoryHolding {
    package var historyContents: HistoryContents { rows.history }

    package func changeHistory<Result>(_ body: (inout HistoryContents) throws -> Result) throws -> Result {
        try transaction { try body(&$0.history) }
    }
}

/// The reason why nothing was written.
package enum MemoryStoreError: Error, Hashable {
    /// The thread wrote to the store within another transaction.
    case busy
    /// A new row has the identity of an existing one.
    case keyInUse(ObjectID)
}

extension MemoryStoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .busy: "Nothing was written: the store was written to within a transaction; write after it is done."
        case .keyInUse(let id): "Nothing was written: \(id) is there already; insert the row without an identity."
        }
    }
}
