import ObjectGraph
import SQLiteStore
import StoreInspection

/// One page of a listing, and where in the whole it stands.
struct RowsPage: Sendable {
    let rows: [Snapshot]
    /// Rows before the first one, as far as that is known: a page that starts at a place trusts the page number in the
    /// address, unless an end of the listing is in sight.
    let offset: Int
    /// Whether rows follow.
    let hasNext: Bool
    /// Whether rows stand before.
    let hasBefore: Bool

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

    private init(rows: [Snapshot], at offset: Int, hasNext: Bool, hasBefore: Bool) {
        self.rows = rows
        self.offset = max(0, offset)
        self.hasNext = hasNext
        self.hasBefore = hasBefore
    }

    // MARK: Ways to a page

    private static func forward(
        _ wish: RowsWish, _ query: Query, total: Int, _ reading: StoreReading
    ) throws -> RowsPage {
        // One more, to see whether rows follow: which page this is, an address may leave out.
        let found = try first(wish.size + 1, of: query, reading)
        let shown = Array(found.prefix(wish.size))
        let hasNext = found.count > wish.size
        let rest = max(0, total - shown.count)
        let offset = hasNext ? min(wish.offset, max(0, rest - 1)) : rest
        return RowsPage(rows: shown, at: offset, hasNext: hasNext, hasBefore: offset > 0)
    }

    private static func backward(
        _ wish: RowsWish, _ query: Query, isEnd: Bool, total: Int, _ reading: StoreReading
    ) throws -> RowsPage {
        // The last page has what the ones before it leave.
        let size = isEnd && total > 0 ? (total - 1) % wish.size + 1 : wish.size
        let found = try first(size + 1, of: query, reading)
        let shown = Array(found.prefix(size).reversed())
        let hasBefore = found.count > size
        let rest = max(0, total - shown.count)
        let offset = isEnd ? rest : hasBefore ? max(1, min(wish.offset, rest)) : 0
        // What the place was taken from may be gone.
        let hasNext = !isEnd && offset + shown.count < total
        return RowsPage(rows: shown, at: offset, hasNext: hasNext, hasBefore: hasBefore)
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
            let rows = try reading.fetch(query).reversed()
            return RowsPage(rows: Array(rows), at: offset, hasNext: behind > 0, hasBefore: offset > 0)
        }
        var query = query
        (query.limit, query.offset) = (wish.size, offset)
        return RowsPage(rows: try reading.fetch(query), at: offset, hasNext: behind > 0, hasBefore: offset > 0)
    }

    /// Up to `limit` rows; rows of an entity that the model does not have are skipped. The statement with a limit comes first,
    /// as SQLite sorts less for it; it falls short where rows were skipped, or at the end.
    private static func first(_ limit: Int, of query: Query, _ reading: StoreReading) throws -> [Snapshot] {
        var window = query
        window.limit = limit
        let found = try reading.fetch(window)
        return found.count < limit ? try reading.first(limit, of: query) : found
    }
}

extension RowsWish {
    /// Rows on the pages before.
    fileprivate var offset: Int { (page - 1) * size }
}
