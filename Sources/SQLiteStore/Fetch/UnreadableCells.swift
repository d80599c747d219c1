import ObjectGraph

/// Why the value of a cell could not be read.
package enum CellFault: Sendable, Hashable {
    /// The file beside the store that holds the value is missing, or may not be read.
    case lostFile(String)
    /// The cell neither holds the value nor names a file that does.
    case badTag
    /// What was found, in SQLite's word for it, cannot be of the attribute's type.
    case wrongType(AttributeType, found: String)

    init(_ error: CellError) { self = .wrongType(error.type, found: error.found) }

    init(_ error: ExternalDataError) {
        if case .unreadableFile(let name) = error { self = .lostFile(name) } else { self = .badTag }
    }
}

/// The cells that a `StoreReading` left nil because they could not be read, by row and slot, and how many of them were
/// shown to the user.
///
/// What is noted while a page is handed over is dropped after it, so that memory stays bounded by the longest page.
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

    /// The most shown cells that are counted.
    package static let countLimit = 100_000

    package init() {}

    /// A row may be read again with fewer of its files: faults noted before remain.
    func note(_ found: [Int: CellFault], of id: ObjectID) {
        guard !found.isEmpty else { return }
        state.withLock { $0.faults[id, default: [:]].merge(found) { _, new in new } }
    }

    /// Whether a row has any cell that could not be read.
    package func includes(_ id: ObjectID) -> Bool { state.withLock { $0.faults[id] != nil } }

    /// A cell whose mark is about to be shown, and is counted, once.
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

    /// Cells shown so far: those whose file is missing, and the others.
    package var shownCounts: (files: Int, others: Int) {
        state.withLock { ($0.shownFileCount, $0.shown.count - $0.shownFileCount) }
    }

    // MARK: Dropping

    /// What is noted at a moment.
    struct Mark {
        fileprivate let faults: [ObjectID: [Int: CellFault]]
    }

    var mark: Mark { Mark(faults: state.withLock(\.faults)) }

    /// Runs the body and drops what was noted since `start`.
    func dropping<Result>(since start: Mark, _ body: () throws -> Result) rethrows -> Result {
        defer { state.withLock { $0.faults = start.faults } }
        return try body()
    }
}
