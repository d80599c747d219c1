import ObjectGraph
import StoreSQL

/// Archived deletions that are restored together, as read from the file: where their copies are, and what they contain.
struct ArchivedRows {
    let numbers: KeySet
    let map: StorageMap
    let spaces: EntitySpaces
    let tables: ArchiveTables
    /// Keys by table and own entity.
    let keys: [String: [Int: KeySet]]
    let joins: [JoinColumns]
    let links: [ArchivedLinks]

    /// - Throws: `RecoveryError.unknownToken`, `.otherModel`.
    init(_ tokens: [RecoveryToken], map: StorageMap, spaces: EntitySpaces, _ connection: Connection) throws {
        let tables = try ArchiveTables(connection)
        let digest = map.model.digest
        numbers = KeySet(
            try tokens.map { token in
                let number = try tables.exist ? Self.number(of: token, digest, connection) : nil
                guard let number else { throw RecoveryError.unknownToken(token) }
                return number
            })
        self.map = map
        self.spaces = spaces
        self.tables = tables
        var keys: [String: [Int: KeySet]] = [:]
        for table in map.entityTables where tables.hasCopy(of: table) {
            let found = try Self.keys(table, numbers, map, "1", connection)
            if !found.isEmpty { keys[table] = found }
        }
        self.keys = keys
        joins = map.joinColumns.filter { tables.hasCopy(of: $0.table) }
        links = try ArchivedLinks.groups(of: numbers, map, connection)
    }

    private static func number(
        of token: RecoveryToken, _ digest: String, _ connection: Connection
    ) throws -> Int64? {
        typealias Delete = RecoveryTables.Delete
        let sql: SQLText =
            """
            SELECT \(Delete.number), \(Delete.model) FROM \(Delete.table) \
            WHERE \(Delete.token) = \(.text(token.description))
            """
        return try connection.withStatement(sql) { statement in
            guard try statement.step() else { return nil }
            guard statement.text(at: 1) == digest else { throw RecoveryError.otherModel(token) }
            return statement.integer(at: 0)
        }
    }

    private static func keys(
        _ table: String, _ numbers: KeySet, _ map: StorageMap, _ condition: SQLText, _ connection: Connection
    ) throws -> [Int: KeySet] {
        guard let root = map.rootEntity(ofTable: table) else { return [:] }
        let found = FoundRows(map, root, subentities: true)
        let sql: SQLText =
            """
            SELECT \(found.columns.joined(separator: ", ")) FROM \(RecoveryTables.Copy.name(of: table)) k \
            WHERE \(RecoveryTables.number) IN \(.listed(numbers)) AND \(condition)
            """
        return try connection.withStatement(sql) { try found.all($0) }
    }

    /// The rows of all tables.
    var all: RowSet { keys.values.reduce(into: RowSet()) { $0.formUnion(set($1)) } }

    private func set(_ keys: [Int: KeySet]) -> RowSet {
        keys.reduce(into: RowSet()) { $0.insert($1.value, in: spaces.spaces[$1.key]) }
    }

    /// Returns the archived rows that fulfil a condition, in which their alias is `k`.
    func rows(_ table: String, where condition: SQLText, _ connection: Connection) throws -> RowSet {
        set(try Self.keys(table, numbers, map, condition, connection))
    }

    func keys(_ table: String) -> KeySet { (keys[table] ?? [:]).values.reduce(KeySet()) { $0.union($1) } }

    /// Returns those of the rows that are archived rows of a table.
    func keys(_ table: String, among rows: RowSet) -> KeySet {
        (keys[table] ?? [:]).keys.reduce(KeySet()) { $0.union(rows[spaces.spaces[$1]]) }
    }

    func space(of links: ArchivedLinks) -> IDSpace { spaces.spaces[links.entityIndex] }

    func set(_ keys: KeySet, of links: ArchivedLinks) -> RowSet {
        set([links.entityIndex: keys])
    }

    func entityIndex(ofRow key: Int64, _ table: String) -> Int? {
        keys[table]?.first { $0.value.contains(key) }?.key
    }

    func rows(_ some: KeySet, of table: String) -> RowSet {
        set((keys[table] ?? [:]).mapValues { $0.intersection(some) })
    }

    /// A condition for a key whose row exists or is restored.
    /// - Parameter out: Rows of the table that are not restored.
    func existsTest(_ key: String, _ table: String, out: KeySet) -> SQLText {
        let there: SQLText = "EXISTS (SELECT 1 FROM \(table) e WHERE e.\(SystemTables.keyColumn) = \(key))"
        return "(\(there) OR \(.isAmong(keys(table).subtracting(out), key)))"
    }
}

/// The links of one reference that archived deletions cleared.
struct ArchivedLinks {
    let entityIndex: Int
    let table: String
    /// The relationship of the survivors' entity; `nil` for a reference that belongs to no relationship of its own.
    let relationship: EntityRelationship?
    /// `nil` for a to-many relationship.
    let columns: KeyColumns?
    /// A condition for the rows of the table of links, with the alias `l`.
    let condition: SQLText

    /// Returns the groups of links. Skips entities and columns that the model does not have.
    static func groups(of numbers: KeySet, _ map: StorageMap, _ connection: Connection) throws -> [ArchivedLinks] {
        typealias Link = RecoveryTables.Link
        let sql: SQLText =
            """
            SELECT DISTINCT \(Link.entity), \(Link.relationship), \(Link.column) FROM \(Link.table) \
            WHERE \(RecoveryTables.number) IN \(.listed(numbers))
            """
        return try connection.withStatement(sql) { statement in
            var groups: [ArchivedLinks] = []
            while try statement.step() {
                let (entityNumber, name) = (statement.integer(at: 0), statement.text(at: 1))
                let column = statement.text(at: 2)
                guard let index = Int(exactly: entityNumber).flatMap({ map.entityIndexByNumber[$0] }) else { continue }
                let table = map.entities[index].table
                let columns = map.keyColumns(ofTable: table).first { $0.key == column }
                guard columns != nil || column.isEmpty else { continue }
                groups.append(
                    ArchivedLinks(
                        entityIndex: index, table: table, relationship: map.model[index].relationship(named: name),
                        columns: columns,
                        condition:
                            """
                            l.\(RecoveryTables.number) IN \(.listed(numbers)) AND l.\(Link.entity) = \
                            \(.integer(entityNumber)) AND l.\(Link.relationship) = \(.text(name)) \
                            AND l.\(Link.column) = \(.text(column))
                            """))
            }
            return groups
        }
    }
}
