import Foundation
import ObjectGraph
import StoreSQL

/// Reads rows by query or by key, and the members of relationships. One statement per call and table.
struct FetchRunner: Sendable {
    let map: StorageMap
    let spaces: EntitySpaces
    let layouts: RowLayouts
    let reader: RowReader
    let builder: SelectBuilder
    /// For each entity, the statement that reads one of its rows (or its subentities' rows) by key, excluding other
    /// entities of the same table. Every fault is fired with it.
    private let singleKeyTexts: PerEntity<String>
    /// Made on first use: a model has many relationships, and a program reads few of them.
    let memberTexts = Locked<[MemberQuery: String]>([:])

    /// - Parameters:
    /// - files: The external values to read from their files.
    /// - unreadable: Collects cells that cannot be read, whose values are then nil; `nil` to throw at the first one.
    init(
        map: StorageMap, spaces: EntitySpaces, externalData: ExternalData?, files: FileValues = .all,
        unreadable: UnreadableCells? = nil
    ) {
        self.map = map
        self.spaces = spaces
        layouts = RowLayouts(map: map, spaces: spaces, files: files)
        reader = RowReader(layouts: layouts, externalData: externalData, unreadable: unreadable)
        builder = SelectBuilder(map: map, spaces: spaces, dialect: SQLiteDialect())
        let layouts = layouts
        singleKeyTexts = PerEntity(map.model) { entity in
            let columns = layouts.layout(entity.index, includesSubentities: true).columns
            let storage = map.entities[entity.index]
            let key =
                "SELECT \(columns.joined(separator: ", ")) FROM \(storage.table) WHERE \(SystemTables.keyColumn) = ?"
            // If the table has rows of one entity only, the entity number needs no condition.
            return entity.isRoot || entity.hasSubentities
                ? key : "\(key) AND \(SystemTables.entityColumn) = \(storage.entityNumber)"
        }
    }

    // MARK: Queries

    /// - Throws: `UntranslatableExpression`, `CellError`, `ExternalDataError`, `SQLiteError`, and `CancellationError`
    ///   once the query's meter is cancelled. The other methods that take a query throw the same errors.
    func snapshots(_ query: Query, _ connection: Connection) throws -> [Snapshot] {
        try check(query)
        return try rows(
            query, layouts.layout(query.entityIndex, includesSubentities: query.includesSubentities), connection)
    }

    private func rows(_ query: Query, _ layout: RowLayout, _ connection: Connection) throws -> [Snapshot] {
        let text = try builder.rows(query, columns: layout.columns)
        return try connection.metered(query.meter) {
            try rereading(connection) { try connection.withStatement(text) { try all($0, layout, query.meter) } }
        }
    }

    /// Like `snapshots(_:_:)`, but passes the snapshots one by one as they are read.
    func forEachSnapshot(
        _ query: Query, _ connection: Connection, _ body: (consuming Snapshot) throws -> Void
    ) throws {
        try check(query)
        let layout = layouts.layout(query.entityIndex, includesSubentities: query.includesSubentities)
        if layout.readsFiles {
            // The rows are collected first, because they may have to be read again.
            for row in try rows(query, layout, connection) { try body(row) }
            return
        }
        let text = try builder.rows(query, columns: layout.columns)
        try connection.metered(query.meter) {
            try connection.withStatement(text) { try forEach($0, layout, query.meter, body) }
        }
    }

    /// Like `snapshots(_:_:)`, but with the values of the query's `slots` only.
    func parts(_ query: Query, _ connection: Connection) throws -> [Snapshot]? {
        try check(query)
        guard let slots = query.slots else { return nil }
        let entity = map.model[query.entityIndex]
        let layout = RowLayout(
            entityIndexes: query.includesSubentities ? entity.familyIndexes : [entity.index], map: map, spaces: spaces,
            slots: slots)
        return try rows(query, layout, connection)
    }

    /// Runs a read and repeats it once if a file is missing: it may have been removed while rows of an older state, which
    /// refer to it, were read. Within a transaction the state would be the same, so there is no repetition.
    private func rereading<Result>(_ connection: Connection, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch ExternalDataError.unreadableFile where !connection.isInTransaction {
            return try body()
        }
    }

    func ids(_ query: Query, _ connection: Connection) throws -> [ObjectID] {
        try check(query)
        let entity = map.model[query.entityIndex]
        let hasNumber = query.includesSubentities && entity.hasSubentities
        let columns = [SystemTables.keyColumn] + (hasNumber ? [SystemTables.entityColumn] : [])
        let own = spaces.spaces[query.entityIndex]
        let text = try builder.rows(query, columns: columns)
        return try connection.metered(query.meter) {
            try connection.withStatement(text) { statement in
                var ids: [ObjectID] = []
                var pages = ReadPages(query.meter)
                while try statement.step() {
                    try pages.addRow()
                    guard let space = hasNumber ? layouts.space(number: statement.integer(at: 1)) : own else {
                        continue
                    }
                    ids.append(ObjectID(space: space, key: statement.integer(at: 0)))
                }
                try pages.end()
                return ids
            }
        }
    }

    func count(_ query: Query, _ connection: Connection) throws -> Int {
        try check(query)
        let text = try builder.count(query)
        return try connection.metered(query.meter) {
            try connection.withStatement(text) { try $0.step() ? Int($0.integer(at: 0)) : 0 }
        }
    }

    func check(_ query: Query) throws {
        guard map.model.has(query.entityIndex) else {
            throw UntranslatableExpression("an entity that the model does not have")
        }
    }

    private func all(_ statement: Statement, _ layout: RowLayout, _ meter: RowMeter? = nil) throws -> [Snapshot] {
        var snapshots: [Snapshot] = []
        try forEach(statement, layout, meter) { snapshots.append($0) }
        return snapshots
    }

    @inline(__always)
    private func forEach(
        _ statement: Statement, _ layout: RowLayout, _ meter: RowMeter?, _ body: (consuming Snapshot) throws -> Void
    ) throws {
        var pages = ReadPages(meter)
        while try statement.step() {
            try pages.addRow()
            if let snapshot = try reader.snapshot(statement, layout) { try body(snapshot) }
        }
        try pages.end()
    }

    // MARK: By identity

    func snapshot(of id: ObjectID, _ connection: Connection) throws -> Snapshot? {
        guard let index = spaces.entityIndex(of: id) else { return nil }
        let layout = layouts.layout(index, includesSubentities: true)
        return try rereading(connection) {
            try connection.withStatement(singleKeyTexts[index]) { statement in
                try statement.bind(id.key, at: 1)
                return try statement.step() ? try reader.snapshot(statement, layout) : nil
            }
        }
    }

    /// Reads rows with one statement per table. Skips temporary and foreign identifiers, and rows whose entity is neither
    /// the identifier's nor one of its subentities.
    func snapshots(of ids: [ObjectID], _ connection: Connection) throws -> [Snapshot] {
        if ids.count == 1, let id = ids.first { return try snapshot(of: id, connection).map { [$0] } ?? [] }
        let groups = keysByRoot(ids)
        let found = try rereading(connection) {
            guard groups.count > 1 else { return try groups.first.map { try rows($0, $1, connection) } ?? [] }
            return try connection.inTransaction(.reading) {
                try groups.flatMap { try rows($0, $1, connection) }
            }
        }
        return narrowed(found, to: ids)
    }

    /// Removes rows of other entities. A key identifies one row in its table, whatever entity it was requested for.
    private func narrowed(_ rows: [Snapshot], to ids: [ObjectID]) -> [Snapshot] {
        let mayBeOthers = Set(ids.map(\.space)).contains { space in
            spaces.entityIndex(of: space).map { !map.model[$0].isRoot } ?? false
        }
        guard mayBeOthers else { return rows }
        let asked = Set(ids)
        return rows.filter { row in
            var place = spaces.entityIndex(of: row.id)
            while let index = place {
                if asked.contains(spaces.id(entityIndex: index, key: row.id.key)) { return true }
                place = map.model[index].superentityIndex
            }
            return false
        }
    }

    private func keysByRoot(_ ids: [ObjectID]) -> [(rootIndex: Int, keys: [Int64])] {
        var groups: [(rootIndex: Int, keys: [Int64])] = []
        var places: [Int: Int] = [:]
        for id in ids {
            guard let index = spaces.entityIndex(of: id) else { continue }
            let root = map.model[index].rootIndex
            if let place = places[root] {
                groups[place].keys.append(id.key)
            } else {
                places[root] = groups.count
                groups.append((root, [id.key]))
            }
        }
        return groups
    }

    private func rows(_ rootIndex: Int, _ keys: [Int64], _ connection: Connection) throws -> [Snapshot] {
        let layout = layouts.layout(rootIndex, includesSubentities: true)
        let sql =
            "SELECT \(layout.columns.joined(separator: ", ")) FROM \(map.entities[rootIndex].table) "
            + "WHERE \(SystemTables.keyColumn) IN (SELECT \(SQLNames.valueColumn) FROM \(SQLNames.values)(?))"
        return try connection.withStatement(sql) { statement in
            try statement.bind(ValueList(keys), at: 1)
            return try all(statement, layout)
        }
    }
}
