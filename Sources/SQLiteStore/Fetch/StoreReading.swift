import ObjectGraph
import StoreSQL

/// Several reads of one consistent state, and results too large for memory. Valid only within the call that made it.
package struct StoreReading {
    let connection: Connection
    let runner: FetchRunner
    /// The cells that could not be read so far; `nil` if reading throws at the first one.
    package var unreadable: UnreadableCells? { runner.reader.unreadable }

    init(connection: Connection, runner: FetchRunner) {
        self.connection = connection
        self.runner = runner
    }

    /// Returns a reading that gives nil for each cell that cannot be read and notes it in `unreadable`, so that no row is
    /// left out because of a cell.
    package func markingUnreadable() -> StoreReading { with(files: .all, UnreadableCells()) }

    /// Returns a reading that opens external files for these attributes only; other values that may be in files are nil.
    package func limited(toFilesOf attributes: Set<String>) -> StoreReading {
        runner.layouts.readFiles ? with(files: .of(attributes), unreadable) : self
    }

    private func with(files: FileValues, _ unreadable: UnreadableCells?) -> StoreReading {
        StoreReading(
            connection: connection,
            runner: FetchRunner(
                map: runner.map, spaces: runner.spaces, externalData: runner.reader.externalData, files: files,
                unreadable: unreadable))
    }

    /// Runs the body, and drops what `unreadable` noted meanwhile.
    package func droppingMarks<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let unreadable else { return try body() }
        return try unreadable.dropping(since: unreadable.mark, body)
    }

    /// Passes the rows of a query in pages as they are read.
    /// - Parameters:
    ///   - size: The number of rows in a page.
    ///   - body: May read more; an error thrown here stops the query.
    /// - Throws: `UntranslatableExpression`, `CellError`, `ExternalDataError`, `SQLiteError`, and the errors of `body`.
    package func forEachPage(of query: Query, size: Int, _ body: ([Snapshot]) throws -> Void) throws {
        try runner.forEachPage(of: query, size: max(1, size), connection, body)
    }

    /// Returns the next rows of one entity, without its subentities, in key order.
    /// - Parameter key: The key of the last known row; `nil` to start.
    /// - Throws: `CellError`, `ExternalDataError`, `SQLiteError`, the last also for a damaged table whose keys do not ascend.
    package func rows(ofEntity index: Int, after key: Int64?, limit: Int) throws -> [Snapshot] {
        try runner.rows(ofEntity: index, after: key, limit: limit, connection)
    }

    /// Returns the distinct values of one attribute slot, without nil, ascending.
    /// - Complexity: One statement, which may scan the table.
    package func distinctValues(ofSlot slot: Int, entityIndex: Int, limit: Int) throws -> [Value] {
        guard let column = runner.map.entities.element(entityIndex)?.columns.element(slot) ?? nil
        else { return [] }
        let sql =
            "SELECT DISTINCT \(column.name) FROM \(runner.map.entities[entityIndex].table) "
            + "WHERE \(column.name) NOT NULL ORDER BY 1 LIMIT ?"
        return try connection.withStatement(sql) { statement in
            try statement.bind(Int64(limit), at: 1)
            var values: [Value] = []
            while try statement.step() {
                do {
                    values.append(try ColumnCodec.value(of: statement.cell(at: 0), column.type))
                } catch  where unreadable != nil {}
            }
            return values
        }
    }

    package func fetch(_ query: Query) throws -> [Snapshot] { try runner.snapshots(query, connection) }

    /// Returns the first rows of a query without limit and offset. Rows of entities that the model does not have are
    /// skipped and do not count.
    package func first(_ limit: Int, of query: Query) throws -> [Snapshot] {
        try runner.first(limit, of: query, connection)
    }

    /// Like `fetch(_:)`, but with the values of the query's `slots` only, in their order.
    package func parts(_ query: Query) throws -> [Snapshot] { try runner.parts(query, connection) ?? [] }

    package func count(_ query: Query) throws -> Int { try runner.count(query, connection) }

    /// Runs a reading body with a time limit.
    /// - Returns: `nil` if the time ran out.
    /// - Throws: The errors of the body.
    package func within<Result>(seconds: Double, _ body: () throws -> Result) throws -> Result? {
        try connection.within(seconds: seconds, body)
    }

    package func snapshots(of ids: [ObjectID]) throws -> [Snapshot] {
        ids.isEmpty ? [] : try runner.snapshots(of: ids, connection)
    }

    /// Returns members, like `Store.members(of:entityIndex:owners:)`.
    package func members(
        of relationship: EntityRelationship, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]] {
        try runner.members(of: relationship.index, entityIndex: entityIndex, owners: owners, connection)
    }

    /// Returns the first members of one owner's to-many relationship, in its order; the others are only counted.
    package func memberPage(
        of relationship: EntityRelationship, entityIndex: Int, owner: ObjectID, limit: Int
    ) throws -> MemberPage {
        try runner.memberPage(
            of: relationship.index, entityIndex: entityIndex, owner: owner, limit: max(0, limit), connection)
    }
}
