import ObjectGraph
import SQLiteStore
import StoreInspection

/// One page of a listing, and its position in the listing.
struct RowsPage: Sendable {
    let rows: [Snapshot]
    /// The number of rows before the page. A page read from a cursor trusts the page number in the address, unless the
    /// beginning or the end of the listing is reached.
    let offset: Int
    /// Whether rows follow.
    let hasNext: Bool
    /// Whether rows precede.
    let hasBefore: Bool

    /// Reads the page from the request's cursor, or else by offset.
    /// - Throws: `Problem` for a cursor of another sort order, and errors of reading.
    init(_ parameters: RowsParameters, _ query: Query, total: Int, _ store: SQLiteStore, _ reading: StoreReading) throws
    {
        let entity = store.model[query.entityIndex]
        func beside(_ cursor: RowsCursor) -> Query? {
            cursor.query(query) { store.objectID(entity: entity, key: $0) }
        }
        guard let cursor = parameters.cursor else {
            self = try Self.counted(parameters, query, fromEnd: beside(.end), total: total, reading)
            return
        }
        guard let query = beside(cursor) else { throw RowsCursor.unreadable }
        self =
            cursor.isForward
            ? try Self.forward(parameters, query, total: total, reading)
            : try Self.backward(parameters, query, isEnd: cursor == .end, total: total, reading)
    }

    private init(rows: [Snapshot], at offset: Int, hasNext: Bool, hasBefore: Bool) {
        self.rows = rows
        self.offset = max(0, offset)
        self.hasNext = hasNext
        self.hasBefore = hasBefore
    }

    // MARK: Reading a page

    private static func forward(
        _ parameters: RowsParameters, _ query: Query, total: Int, _ reading: StoreReading
    ) throws -> RowsPage {
        // Reads one more row to detect whether rows follow. The address may omit the page number.
        let found = try first(parameters.size + 1, of: query, reading)
        let shown = Array(found.prefix(parameters.size))
        let hasNext = found.count > parameters.size
        let rest = max(0, total - shown.count)
        let offset = hasNext ? min(parameters.offset, max(0, rest - 1)) : rest
        return RowsPage(rows: shown, at: offset, hasNext: hasNext, hasBefore: offset > 0)
    }

    private static func backward(
        _ parameters: RowsParameters, _ query: Query, isEnd: Bool, total: Int, _ reading: StoreReading
    ) throws -> RowsPage {
        // The last page has the remainder of the rows.
        let size = isEnd && total > 0 ? (total - 1) % parameters.size + 1 : parameters.size
        let found = try first(size + 1, of: query, reading)
        let shown = Array(found.prefix(size).reversed())
        let hasBefore = found.count > size
        let rest = max(0, total - shown.count)
        let offset = isEnd ? rest : hasBefore ? max(1, min(parameters.offset, rest)) : 0
        // The row that the cursor was made from may have been deleted.
        let hasNext = !isEnd && offset + shown.count < total
        return RowsPage(rows: shown, at: offset, hasNext: hasNext, hasBefore: hasBefore)
    }

    /// - Parameter end: the reversed query, from the last row backwards.
    private static func counted(
        _ parameters: RowsParameters, _ query: Query, fromEnd end: Query?, total: Int, _ reading: StoreReading
    ) throws -> RowsPage {
        let offset = parameters.offset
        let behind = total - offset - parameters.size
        // Counts from the nearer end.
        if behind < offset, offset < total, var query = end {
            (query.limit, query.offset) = (parameters.size + min(0, behind), max(0, behind))
            let rows = try reading.fetch(query).reversed()
            return RowsPage(rows: Array(rows), at: offset, hasNext: behind > 0, hasBefore: offset > 0)
        }
        var query = query
        (query.limit, query.offset) = (parameters.size, offset)
        return RowsPage(rows: try reading.fetch(query), at: offset, hasNext: behind > 0, hasBefore: offset > 0)
    }

    /// Returns up to `limit` rows, skipping rows whose entity the model does not have. Tries a statement with a limit
    /// first, as SQLite sorts less for it. It returns fewer rows if some were skipped, or at the end.
    private static func first(_ limit: Int, of query: Query, _ reading: StoreReading) throws -> [Snapshot] {
        var window = query
        window.limit = limit
        let found = try reading.fetch(window)
        return found.count < limit ? try reading.first(limit, of: query) : found
    }
}

extension RowsParameters {
    /// The number of rows on the pages before.
    fileprivate var offset: Int { (page - 1) * size }
}
