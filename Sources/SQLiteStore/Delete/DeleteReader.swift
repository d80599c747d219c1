import ObjectGraph
import StoreSQL

/// Reads the key sets for a delete plan, each with one statement.
struct DeleteReader: StoreDeleteReading {
    let map: StorageMap
    let spaces: EntitySpaces
    let builder: SelectBuilder
    let connection: Connection
    let strategist: DeleteStrategist
    private let queries = DeleteQueries(SQLiteDialect())

    var model: Model { map.model }

    init(map: StorageMap, spaces: EntitySpaces, _ connection: Connection, forced: DeleteStrategy? = nil) {
        self.map = map
        self.spaces = spaces
        self.connection = connection
        builder = SelectBuilder(map: map, spaces: spaces, dialect: SQLiteDialect())
        strategist = DeleteStrategist(sizes: connection, forced: forced)
    }

    func entity(of space: IDSpace) -> Entity? { spaces.entityIndex(of: space).flatMap(model.entity(at:)) }

    func rows(matching query: Query) throws -> RowSet { rowSet(try keys(matching: query)) }

    func existing(_ rows: RowSet) throws -> RowSet {
        var keysByRoot: [Int: KeySet] = [:]
        for (space, keys) in rows.keysBySpace {
            if let entity = entity(of: space) { keysByRoot[entity.rootIndex, default: KeySet()].formUnion(keys) }
        }
        return try keysByRoot.reduce(into: RowSet()) { rows, root in
            rows.formUnion(rowSet(try existing(root.value, rootIndex: root.key)))
        }
    }

    func destinations(of place: RelationshipPlace, from owners: SpaceKeys) throws -> Destinations {
        guard let relationship = relationship(place) else { return Destinations() }
        let storage = map.entities[place.entityIndex]
        let root = model[relationship.destinationIndex].rootIndex
        if let slot = relationship.slot, let column = storage.columns.element(slot) ?? nil {
            return Destinations(rows: rowSet(try targets(of: column.name, in: storage.table, root, owners.keys)))
        }
        switch storage.toMany.element(relationship.index) ?? nil {
        case .foreignKey(_, let column, _, _, _):
            return Destinations(
                rows: rowSet(try referencingRows(in: root, column: column, referringTo: owners.keys, of: storage.table))
            )
        case .joinTable(let name, let ownerColumn, let memberColumn, _):
            return try joined(Join(name, ownerColumn, memberColumn), root, owners.keys, of: storage.table)
        case nil: return Destinations()
        }
    }

    func referencingRows(of place: RelationshipPlace, referringTo rows: SpaceKeys) throws -> RowSet {
        rowSet(try referencingRows(of: place, referringTo: rows.keys))
    }

    // MARK: By entity index

    private func rowSet(_ rows: [Int: KeySet]) -> RowSet {
        rows.reduce(into: RowSet()) { set, rows in set.insert(rows.value, in: spaces.spaces[rows.key]) }
    }

    /// Returns the rows that a query matches, by their own entity.
    func keys(matching query: Query) throws -> [Int: KeySet] {
        guard let entity = model.entity(at: query.entityIndex) else {
            throw UntranslatableExpression("an entity that the model does not have")
        }
        let found = FoundRows(map, entity, subentities: query.includesSubentities)
        return try connection.withStatement(try builder.someRows(query, columns: found.columns)) { try found.all($0) }
    }

    /// Returns the existing rows of one hierarchy among these keys, by their own entity.
    func existing(_ keys: KeySet, rootIndex: Int) throws -> [Int: KeySet] {
        let found = FoundRows(map, model[rootIndex], subentities: true)
        let text = queries.rows(
            found.columns, of: map.entities[rootIndex].table, where: SystemTables.keyColumn, isAmong: keys, .lookUp)
        return try connection.withStatement(text) { try found.all($0) }
    }

    /// Returns the rows whose to-one relationship refers to one of these keys, by their own entity.
    func referencingRows(of place: RelationshipPlace, referringTo keys: KeySet) throws -> [Int: KeySet] {
        let storage = map.entities[place.entityIndex]
        guard let relationship = relationship(place), let slot = relationship.slot,
            let column = storage.columns.element(slot) ?? nil
        else { return [:] }
        return try referencingRows(
            in: model[place.entityIndex].rootIndex, column: column.name, referringTo: keys,
            of: map.entities[relationship.destinationIndex].table)
    }

    private func relationship(_ place: RelationshipPlace) -> EntityRelationship? {
        model.entity(at: place.entityIndex)?.relationships.element(place.index)
    }

    // MARK: Keys

    /// Returns the rows that the given rows' keys refer to.
    private func targets(
        of column: String, in table: String, _ destinationRoot: Int, _ owners: KeySet
    ) throws -> [Int: KeySet] {
        let destinationTable = map.entities[destinationRoot].table
        if try strategist.asksDestinations(in: destinationTable, of: owners, in: table) {
            return try targetsOfAll(column, in: table, destinationRoot)
        }
        let pointedAt = try select([column], from: table, SystemTables.keyColumn, owners, of: table) {
            try distinctKeys($0)
        }
        return pointedAt.isEmpty ? [:] : try existing(pointedAt, rootIndex: destinationRoot)
    }

    /// Returns the rows that any row of a table refers to.
    private func targetsOfAll(_ column: String, in table: String, _ destinationRoot: Int) throws -> [Int: KeySet] {
        let found = FoundRows(map, model[destinationRoot], subentities: true)
        let text = queries.rows(
            found.columns, of: map.entities[destinationRoot].table, referredToBy: column, in: table)
        return try connection.withStatement(text) { try found.all($0) }
    }

    /// Returns the rows whose key refers to one of these.
    private func referencingRows(
        in rootIndex: Int, column: String, referringTo keys: KeySet, of table: String
    ) throws -> [Int: KeySet] {
        let found = FoundRows(map, model[rootIndex], subentities: true)
        return try select(found.columns, from: map.entities[rootIndex].table, column, keys, of: table) {
            try found.all($0)
        }
    }

    /// Reads the rows whose column contains one of the keys.
    /// - Parameter owner: The table that the keys belong to. Their share of it decides the strategy.
    private func select<Result>(
        _ columns: [String], from table: String, _ column: String, _ keys: KeySet, of owner: String,
        _ body: (Statement) throws -> Result
    ) throws -> Result {
        let strategy = try strategist.toFind(referringTo: keys, of: owner)
        let text = queries.rows(columns, of: table, where: column, isAmong: keys, strategy)
        return try connection.withStatement(text, body)
    }

    // MARK: Join tables

    private struct Join {
        let table: String
        let owner: String
        let member: String

        init(_ table: String, _ owner: String, _ member: String) {
            self.table = table
            self.owner = owner
            self.member = member
        }
    }

    private func joined(
        _ join: Join, _ destinationRoot: Int, _ owners: KeySet, of table: String
    ) throws -> Destinations {
        var joinRowCount = 0
        let members = try select([join.member], from: join.table, join.owner, owners, of: table) {
            try distinctKeys($0, &joinRowCount)
        }
        let rows = members.isEmpty ? [:] : try existing(members, rootIndex: destinationRoot)
        return Destinations(rows: rowSet(rows), joinRowCount: joinRowCount)
    }

    private func distinctKeys(_ statement: Statement) throws -> KeySet {
        var rowCount = 0
        return try distinctKeys(statement, &rowCount)
    }

    private func distinctKeys(_ statement: Statement, _ rowCount: inout Int) throws -> KeySet {
        var keys = KeyGathering()
        while try statement.step() {
            if statement.kind(at: 0) == .integer { keys.append(statement.integer(at: 0)) }
        }
        let distinct = keys.finish()
        rowCount = keys.count
        return distinct
    }

    // MARK: Counts

    func owners(
        _ owners: SpaceKeys, of place: RelationshipPlace, leftWith refused: Range<Int>, without leaving: RowSet
    ) throws -> KeySet {
        guard let relationship = relationship(place),
            let storage = map.entities[place.entityIndex].toMany.element(relationship.index) ?? nil
        else { return KeySet() }
        let (table, owner, member) =
            switch storage {
            case .foreignKey(let table, let column, _, _, _): (table, column, SystemTables.keyColumn)
            case .joinTable(let name, let ownerColumn, let memberColumn, _): (name, ownerColumn, memberColumn)
            }
        let sql =
            "SELECT \(owner), sum(NOT \(SQLNames.hasKey)(?1, \(member))) FROM \(table) "
            + "WHERE \(owner) IN (SELECT \(SQLNames.valueColumn) FROM \(SQLNames.values)(?2)) GROUP BY \(owner)"
        return try connection.withStatement(sql) { statement in
            try statement.bind(KeyFilter(keys(of: leaving, inHierarchyOf: relationship.destinationIndex)), at: 1)
            try statement.bind(ValueList(owners.keys.keys), at: 2)
            var left: [Int64] = []
            while try statement.step() {
                if refused.contains(Int(statement.integer(at: 1))) { left.append(statement.integer(at: 0)) }
            }
            return KeySet(left)
        }
    }
}

extension DeleteReader {
    private func keys(of rows: RowSet, inHierarchyOf entityIndex: Int) -> KeySet {
        let root = model[entityIndex].rootIndex
        return model.entities.filter { $0.rootIndex == root }.reduce(into: KeySet()) { keys, entity in
            keys.formUnion(rows[spaces.spaces[entity.index]])
        }
    }
}
