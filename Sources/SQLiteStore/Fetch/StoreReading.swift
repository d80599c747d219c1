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

extension SQLiteStore {
    /// Runs a body whose reads all see one consistent state.
    package func reading<Result>(_ body: (StoreReading) throws -> Result) throws -> Result {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                try body(StoreReading(connection: connection, runner: fetchRunner))
            }
        }
    }

    /// Returns the number of rows of each entity, without its subentities, by entity index.
    /// - Complexity: One statement with one index scan for each table.
    package func ownRowCounts() throws -> [Int] {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                var counts = Array(repeating: 0, count: model.indexLimit)
                for root in model.entities where root.isRoot { try count(root, &counts, connection) }
                return counts
            }
        }
    }

    private func count(_ root: Entity, _ counts: inout [Int], _ connection: Connection) throws {
        let table = map.entities[root.index].table
        guard root.hasSubentities else {
            counts[root.index] = try connection.withStatement("SELECT count(*) FROM \(table)") {
                try $0.step() ? Int($0.integer(at: 0)) : 0
            }
            return
        }
        let number = SystemTables.entityColumn
        try connection.withStatement("SELECT \(number), count(*) FROM \(table) GROUP BY \(number)") { statement in
            while try statement.step() {
                guard let found = Int(exactly: statement.integer(at: 0)), let index = map.entityIndexByNumber[found]
                else { continue }
                counts[index] = Int(statement.integer(at: 1))
            }
        }
    }
}

extension FetchRunner {
    func rows(ofEntity index: Int, after key: Int64?, limit: Int, _ connection: Connection) throws -> [Snapshot] {
        guard let entity = map.model.entity(at: index) else { return [] }
        let layout = layouts.layout(index, includesSubentities: false)
        let storage = map.entities[index]
        let isShared = entity.hasSubentities || !entity.isRoot
        let own = isShared ? " AND +\(SystemTables.entityColumn) = \(storage.entityNumber)" : ""
        let sql =
            "SELECT \(layout.columns.joined(separator: ", ")) FROM \(storage.table) "
            + "WHERE \(SystemTables.keyColumn) > ?\(own) ORDER BY \(SystemTables.keyColumn) LIMIT ?"
        return try connection.withStatement(sql) { statement in
            try statement.bind(key ?? .min, at: 1)
            try statement.bind(Int64(limit), at: 2)
            var rows: [Snapshot] = []
            var last = key
            while try statement.step() {
                guard let snapshot = try reader.snapshot(statement, layout) else { continue }
                if let last, snapshot.id.key <= last { throw SQLiteError.disorder }
                last = snapshot.id.key
                rows.append(snapshot)
            }
            return rows
        }
    }

    func first(_ limit: Int, of query: Query, _ connection: Connection) throws -> [Snapshot] {
        try check(query)
        let layout = layouts.layout(query.entityIndex, includesSubentities: query.includesSubentities)
        let text = try builder.rows(query, columns: layout.columns)
        return try connection.withStatement(text) { statement in
            var rows: [Snapshot] = []
            while rows.count < limit, try statement.step() {
                if let row = try reader.snapshot(statement, layout) { rows.append(row) }
            }
            return rows
        }
    }

    func forEachPage(
        of query: Query, size: Int, _ connection: Connection, _ body: ([Snapshot]) throws -> Void
    ) throws {
        guard map.model.has(query.entityIndex) else {
            throw UntranslatableExpression("an entity that the model does not have")
        }
        let layout = layouts.layout(query.entityIndex, includesSubentities: query.includesSubentities)
        let text = try builder.rows(query, columns: layout.columns)
        let start = reader.unreadable?.mark
        func handOver(_ page: [Snapshot]) throws {
            guard let unreadable = reader.unreadable, let start else { return try body(page) }
            try unreadable.dropping(since: start) { try body(page) }
        }
        try connection.withStatement(text) { statement in
            var page: [Snapshot] = []
            page.reserveCapacity(size)
            while try statement.step() {
                if let snapshot = try reader.snapshot(statement, layout) { page.append(snapshot) }
                guard page.count == size else { continue }
                try handOver(page)
                page.removeAll(keepingCapacity: true)
            }
            if !page.isEmpty { try handOver(page) }
        }
    }
}
