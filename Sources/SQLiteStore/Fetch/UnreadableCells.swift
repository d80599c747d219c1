import ObjectGraph
import StoreSQL

/// The reason why a cell could not be read.
package enum CellFault: Sendable, Hashable {
    /// The external file with the value is missing or not readable.
    case lostFile(String)
    /// The cell has neither an inline value nor a valid file name.
    case badTag
    /// SQLite's storage class of the cell, which cannot be converted to the attribute's type.
    case wrongType(AttributeType, found: String)

    init(_ error: CellError) { self = .wrongType(error.type, found: error.found) }

    init(_ error: ExternalDataError) {
        if case .unreadableFile(let name) = error { self = .lostFile(name) } else { self = .badTag }
    }
}

/// The cells for which a `StoreReading` returned nil because they could not be read, by row and slot, and the number of
/// those shown to the user.
///
/// Notes made while a page is handled are dropped after it, so that the longest page limits the memory.
package final class UnreadableCells: Sendable {
    private let state = Locked(State())

    private struct State {
        var faults: [ObjectID: [Int: CellFault]] = [:]
        var shown: Set<Place> = []
        var shownFileCount = 0
    }

    private struct Place: Hashable {
        let id: ObjectID
        let slot: Int
    }

    /// The maximum number of shown cells that are counted.
    package static let countLimit = 100_000

    package init() {}

    /// Adds the faults of a row. Faults noted before remain, because a row may be read again with fewer of its files.
    func note(_ found: [Int: CellFault], of id: ObjectID) {
        guard !found.isEmpty else { return }
        state.withLock { $0.faults[id, default: [:]].merge(found) { _, new in new } }
    }

    /// Whether a row has a cell that could not be read.
    package func includes(_ id: ObjectID) -> Bool { state.withLock { $0.faults[id] != nil } }

    /// Returns the fault of a cell that is about to be shown, and counts it once.
    /// - Returns: `nil` for a cell that was read.
    package func show(_ id: ObjectID, slot: Int) -> CellFault? {
        state.withLock { state in
            guard let fault = state.faults[id]?[slot] else { return nil }
            if state.shown.count < Self.countLimit, state.shown.insert(Place(id: id, slot: slot)).inserted,
                case .lostFile = fault
            {
                state.shownFileCount += 1
            }
            return fault
        }
    }

    /// The number of cells shown so far: those with a missing file, and others.
    package var shownCounts: (files: Int, others: Int) {
        state.withLock { ($0.shownFileCount, $0.shown.count - $0.shownFileCount) }
    }

    // MARK: Dropping

    /// A snapshot of the notes.
    struct Mark {
        fileprivate let faults: [ObjectID: [Int: CellFault]]
    }

    var mark: Mark { Mark(faults: state.withLock(\.faults)) }

    /// Runs the body, and drops the notes made since `start`.
    func dropping<Result>(since start: Mark, _ body: () throws -> Result) rethrows -> Result {
        defer { state.withLock { $0.faults = start.faults } }
        return try body()
    }
}
