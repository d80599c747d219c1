import ObjectGraph
import SQLiteStore
import StoreInspection

/// One page of a listing, and where in the whole it stands.
struct RowsPage: Sendable {
    let rows: [Snapshot]
    /// Rows before the first one, as far as that is known: who goes on from a place is believed what page that is, unless
    /// an end of the listing is in sight.
    let offset: Int
    /// Whether rows follow.
    let hasNext: Bool
    /// Whether rows stand before.
    let hasBefore: Bool
    let obstacle: Obstacle?

    /// A row that cannot be read. Those on its other side are not on the page.
    struct Obstacle: Sendable {
        let problem: Problem
        let side: RowsCursor.Direction
    }

    /// From the place where the wish has one, else by counting through.
    /// - Throws: `Problem` for a place of another order, and what reading throws.
    init(_ wish: RowsWish, _ query: Query, total: Int, _ store: SQLiteStore, _ reading: StoreReading) throws {
        let entity = store.model[query.entityIndex]
        func beside(_ cursor: RowsCursor) -> Query? {
            cursor.query(query) { store.objectID(entity: entity, key: $0) }
        }
        guard let cursor = wish.cursor else {
            self = try Self.counted(wish, query, fromEnd: beside(.end), total: total, reading)
            return
        }
        guard let query = beside(cursor) else { throw RowsCursor.unreadable }
        self =
            cursor.isForward
            ? try Self.forward(wish, query, total: total, reading)
            : try Self.backward(wish, query, isEnd: cursor == .end, total: total, reading)
    }

    private init(_ found: FoundRows, _ side: RowsCursor.Direction, at offset: Int, hasNext: Bool, hasBefore: Bool) {
        rows = side == .after ? found.rows : found.rows.reversed()
        self.offset = max(0, offset)
        self.hasNext = hasNext
        self.hasBefore = hasBefore
        obstacle = found.obstacle.map { Obstacle(problem: $0, side: side) }
    }

    // MARK: Ways to a page

    private static func forward(
        _ wish: RowsWish, _ query: Query, total: Int, _ reading: StoreReading
    ) throws -> RowsPage {
        // One more, to see whether rows follow: which page this is, an address may leave out.
        let found = try FoundRows(query, limit: wish.size + 1, reading)
        let shown = found.prefix(wish.size)
        let hasNext = found.goesOn(behind: wish.size)
        let rest = max(0, total - shown.rows.count)
        let offset = hasNext ? min(wish.offset, max(0, rest - 1)) : rest
        return RowsPage(shown, .after, at: offset, hasNext: hasNext, hasBefore: offset > 0)
    }

    private static func backward(
        _ wish: RowsWish, _ query: Query, isEnd: Bool, total: Int, _ reading: StoreReading
    ) throws -> RowsPage {
        // The last page has what the ones before it leave.
        let size = isEnd && total > 0 ? (total - 1) % wish.size + 1 : wish.size
        let found = try FoundRows(query, limit: size + 1, reading)
        let shown = found.prefix(size)
        let hasBefore = found.goesOn(behind: size)
        let rest = max(0, total - shown.rows.count)
        // Shorter than a page where a row cannot be read.
        let before = wish.offset + size - shown.rows.count
        let offset = isEnd ? rest : hasBefore ? max(1, min(before, rest)) : 0
        // What the place was taken from may be gone.
        let hasNext = !isEnd && offset + shown.rows.count < total
        return RowsPage(shown, .before, at: offset, hasNext: hasNext, hasBefore: hasBefore)
    }

    /// - Parameter end: the query from behind the last row.
    private static func counted(
        _ wish: RowsWish, _ query: Query, fromEnd end: Query?, total: Int, _ reading: StoreReading
    ) throws -> RowsPage {
        let offset = wish.offset
        let behind = total - offset - wish.size
        // Counted from the nearer end.
        if behind < offset, offset < total, var query = end {
            (query.limit, query.offset) = (wish.size + min(0, behind), max(0, behind))
            let found = try FoundRows(query, reading)
            // Behind a row that cannot be read.
            let start = found.obstacle == nil ? offset : total - max(0, behind) - found.rows.count
            return RowsPage(found, .before, at: start, hasNext: behind > 0, hasBefore: offset > 0)
        }
        var query = query
        (query.limit, query.offset) = (wish.size, offset)
        let found = try FoundRows(query, reading)
        return RowsPage(found, .after, at: offset, hasNext: behind > 0, hasBefore: offset > 0)
    }
}

extension RowsWish {
    /// Rows on the pages before.
    fileprivate var offset: Int { (page - 1) * size }
}

/// Rows that a query found, up to one that cannot be read.
private struct FoundRows {
    let rows: [Snapshot]
    /// Why the rows end there.
    let obstacle: Problem?

    /// Thrown to stop reading.
    private struct Enough: Error {}

    private init(rows: [Snapshot], obstacle: Problem?) { (self.rows, self.obstacle) = (rows, obstacle) }

    /// Those of the query's own window. A row of an entity that the model does not know is passed over, and leaves the page
    /// shorter.
    init(_ query: Query, _ reading: StoreReading) throws {
        do {
            self.init(rows: try reading.fetch(query), obstacle: nil)
        } catch  where Problem.isOfOneRow(error) {
            self.init(rows: try Self.readable(query, reading), obstacle: Problem(error))
        }
    }

    /// So many as there are, whatever is passed over on the way.
    init(_ query: Query, limit: Int, _ reading: StoreReading) throws {
        var window = query
        window.limit = limit
        let found = try FoundRows(window, reading)
        guard found.obstacle == nil, found.rows.count < limit else {
            self = found
            return
        }
        do {
            self.init(rows: try Self.first(limit, of: query, reading), obstacle: nil)
        } catch  where Problem.isOfOneRow(error) {
            self.init(rows: try Self.readable(query, reading), obstacle: Problem(error))
        }
    }

    private static func first(_ limit: Int, of query: Query, _ reading: StoreReading) throws -> [Snapshot] {
        var rows: [Snapshot] = []
        do {
            try reading.forEachPage(of: query, size: limit) { page in
                rows = page
                throw Enough()
            }
        } catch is Enough {}
        return rows
    }

    /// Those before the first that cannot be read.
    private static func readable(_ query: Query, _ reading: StoreReading) throws -> [Snapshot] {
        var rows: [Snapshot] = []
        do {
            try reading.forEachPage(of: query, size: 1) { rows += $0 }
        } catch  where Problem.isOfOneRow(error) {}
        return rows
    }

    /// What is behind these does not end them early.
    func prefix(_ count: Int) -> FoundRows {
        FoundRows(rows: Array(rows.prefix(count)), obstacle: rows.count < count ? obstacle : nil)
    }

    func goesOn(behind count: Int) -> Bool { rows.count > count || obstacle != nil }
}
