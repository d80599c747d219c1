import Foundation
import ObjectGraph

/// A store that keeps its rows in memory, for as long as it lives: what a store has to do, in as few words as possible. It is
/// made to be read and to test others against, not to be fast.
///
/// 1. All that the store holds is one value, `Rows`. Reading takes that value. A transaction changes a copy of it and puts the
///    copy in its place when it is done, so that there is no state in which half of a transaction is written.
/// 2. The files `MemoryStore+…` are what the engine asks of a store, by capability; each hands the work to `Rows` or to a
///    value made of them.
/// 3. Rules that hold for every store are the engine's: which rows a delete takes (`DeletePlanner`), which row an insertion
///    belongs to (`InsertionMatching`), both ends of a one-to-one relationship (`OneToOneUpkeep`), the order of lists
///    (`OrderKeys`), queries (`QueryEvaluator`).
/// 4. Values are kept as they are given; what a file might not hold, or would hold otherwise, is not looked for. Derived
///    attributes are not computed.
package final class MemoryStore: Sendable {
    package let identifier: String
    package let model: Model
    package let isReadOnly = false
    package let keepsTransients = false

    private let state: Locked<Rows>
    /// Held by one transaction at a time. It may be taken twice by a thread, whose second transaction then fails.
    private let writing = NSRecursiveLock()

    /// - Throws: `ModelError` for a constraint on what is not stored.
    package init(model: Model, identifier: String = UUID().uuidString) throws {
        try model.checkUniqueness()
        self.model = model
        self.identifier = identifier
        state = Locked(Rows(model: model, storeIdentifier: identifier))
    }

    /// The store as it is now. What is written from then on does not change it.
    var rows: Rows { state.withLock { $0 } }

    /// One transaction: everything that the body writes, or nothing where it throws.
    /// - Throws: `MemoryStoreError.busy` for a transaction within another one, and what the body throws.
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

/// Why nothing was written.
package enum MemoryStoreError: Error, Hashable {
    /// The thread wrote into the store while another transaction of its was open.
    case busy
    /// A new row came with the identity of one that is there.
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
