import ObjectGraph

/// One kept delete as the file has it now: where its copies are, and what is in them.
struct KeptRows {
    let number: Int64
    /// Its own number, and those of the deletes that will have been restored before it: their rows are there by then.
    let comingNumbers: KeySet
    let map: StorageMap
    let spaces: EntitySpaces
    let tables: KeptTables
    /// Keys by table and own entity.
    let keys: [String: [Int: KeySet]]
    let joins: [JoinColumns]
    let links: [KeptLinks]

    /// - Parameter others: deletes that will have been restored before.
    /// - Throws: `RecoveryError.unknownToken`, `.otherModel`.
    init(
        _ token: RecoveryToken, after others: [RecoveryToken] = [], map: StorageMap, spaces: EntitySpaces,
        _ connection: Connection
    ) throws {
        let tables = try KeptTables(connection)
        let number = try tables.exist ? Self.number(of: token, map.model, connection) : nil
        guard let number else { throw RecoveryError.unknownToken(token) }
        self.number = number
        comingNumbers = KeySet(
            [number] + (try others.compactMap { try Self.number(of: $0, map.model, connection) }))
        self.map = map
        self.spaces = spaces
        self.tables = tables
        var keys: [String: [Int: KeySet]] = [:]
        for table in map.entityTables where tables.hasCopy(of: table) {
            let found = try Self.keys(table, number, map, "1", connection)
            if !found.isEmpty { keys[table] = found }
        }
        self.keys = keys
        joins = map.joinColumns.filter { tables.hasCopy(of: $0.table) }
        links = try KeptLinks.groups(of: number, map, connection)
    }

    private static func number(
        of token: RecoveryToken, _ model: Model, _ connection: Connection
    ) throws -> Int64? {
        typealias Delete = RecoveryTables.Delete
        let sql: SQLText =
            """
            SELECT \(Delete.number), \(Delete.model) FROM \(Delete.table) \
            WHERE \(Delete.token) = \(.text(token.description))
            """
        return try connection.withStatement(sql) { statement in
            guard try statement.step() else { return nil }
            guard statement.text(at: 1) == model.digest else { throw RecoveryError.otherModel(token) }
            return statement.integer(at: 0)
        }
    }

    private static func keys(
        _ table: String, _ number: Int64, _ map: StorageMap, _ condition: SQLText, _ connection: Connection
    ) throws -> [Int: KeySet] {
        guard let root = map.rootEntity(ofTable: table) else { return [:] }
        let found = FoundRows(map, root, subentities: true)
        let sql: SQLText =
            """
            SELECT \(found.columns.joined(separator: ", ")) FROM \(RecoveryTables.Copy.name(of: table)) k \
            WHERE \(RecoveryTables.number) = \(.integer(number)) AND \(condition)
            """
        return try connection.withStatement(sql) { try found.all($0) }
    }

    /// Kept rows that meet a condition, in which they are called `k`.
    func keys(_ table: String, where condition: SQLText, _ connection: Connection) throws -> [Int: KeySet] {
        try Self.keys(table, number, map, condition, connection)
    }

    func keys(_ table: String) -> KeySet { (keys[table] ?? [:]).values.reduce(KeySet()) { $0.union($1) } }

    /// The rows of a set by own entity.
    func byEntity(_ some: KeySet, of table: String) -> [Int: KeySet] {
        (keys[table] ?? [:]).mapValues { $0.intersection(some) }.filter { !$0.value.isEmpty }
    }

    /// Whether a key leads to a row that is there, or comes back.
    /// - Parameter out: rows of the table that stay out.
    func isThere(_ key: String, _ table: String, out: KeySet) -> SQLText {
        let there: SQLText = "EXISTS (SELECT 1 FROM \(table) e WHERE e.\(SystemTables.keyColumn) = \(key))"
        guard let coming = isComing(key, table) else { return there }
        return "(\(there) OR \(coming) AND NOT \(.isAmong(out, key)))"
    }

    /// Whether a key leads to a row that comes back; `nil` when none does to that table.
    func isComing(_ key: String, _ table: String) -> SQLText? {
        guard tables.hasCopy(of: table) else { return nil }
        return """
            EXISTS (SELECT 1 FROM \(RecoveryTables.Copy.name(of: table)) e \
            WHERE e.\(RecoveryTables.number) IN \(.listed(comingNumbers)) AND e.\(SystemTables.keyColumn) = \(key))
            """
    }
}

/// Links of one reference that one delete cleared.
struct KeptLinks {
    let entityIndex: Int
    let table: String
    /// Of the survivors' entity; `nil` for a reference that is none of its own.
    let relationship: EntityRelationship?
    /// `nil` for a to-many relationship.
    let columns: KeyColumns?
    /// The rows of the table of links, called `l`.
    let condition: SQLText

    /// Links of entities and columns that the model does not know are passed over.
    static func groups(of number: Int64, _ map: StorageMap, _ connection: Connection) throws -> [KeptLinks] {
        typealias Link = RecoveryTables.Link
        let sql: SQLText =
            """
            SELECT DISTINCT \(Link.entity), \(Link.relationship), \(Link.column) FROM \(Link.table) \
            WHERE \(RecoveryTables.number) = \(.integer(number))
            """
        return try connection.withStatement(sql) { statement in
            var groups: [KeptLinks] = []
            while try statement.step() {
                let (entityNumber, name) = (statement.integer(at: 0), statement.text(at: 1))
                let column = statement.text(at: 2)
                guard let index = Int(exactly: entityNumber).flatMap({ map.entityIndexByNumber[$0] }) else { continue }
                let table = map.entities[index].table
                let columns = map.keyColumns(ofTable: table).first { $0.key == column }
                guard columns != nil || column.isEmpty else { continue }
                groups.append(
                    KeptLinks(
                        entityIndex: index, table: table, relationship: map.model[index].relationship(named: name),
                        columns: columns,
                        condition:
                            """
                            l.\(RecoveryTables.number) = \(.integer(number)) AND l.\(Link.entity) = \
                            \(.integer(entityNumber)) AND l.\(Link.relationship) = \(.text(name)) \
                            AND l.\(Link.column) = \(.text(column))
                            """))
            }
            return groups
        }
    }
}
