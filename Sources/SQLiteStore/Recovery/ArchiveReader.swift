import ObjectGraph
import StoreSQL

/// Reads archived deletions and the present rows for `RestoreCheck`, by a few statements for each table and reference,
/// whatever the number of rows.
struct ArchiveReader: ArchiveReading {
    typealias Copy = RecoveryTables.Copy
    typealias Link = RecoveryTables.Link

    let archive: ArchivedRows
    let externalData: ExternalData?
    let connection: Connection

    /// A reference of a table's rows.
    struct Reference: Hashable {
        let table: String
        let columns: KeyColumns
    }

    // MARK: Single rows

    func obstaclesToRows() throws -> [Obstacle] {
        var found: [Obstacle] = []
        for table in archive.keys.keys.sorted() {
            let sameKey: SQLText =
                "EXISTS (SELECT 1 FROM \(table) e WHERE e.\(SystemTables.keyColumn) = k.\(SystemTables.keyColumn))"
            found.append((.keyInUse, try archive.rows(table, where: sameKey, connection)))
            for (uniqueness, properties) in archive.map.uniqueness(ofTable: table) {
                let taken = try archive.rows(table, where: isInUse(uniqueness, table), connection)
                found.append((.notUnique(properties: properties), taken))
            }
        }
        guard let externalData else { return found }
        let missing = try ArchivedFile.files(of: archive.numbers, connection).filter {
            externalData.size(of: $0.name) == nil
        }
        for (table, files) in Dictionary(grouping: missing, by: \.table).sorted(by: { $0.key < $1.key }) {
            found.append((.fileMissing, archive.rows(KeySet(files.map(\.key)), of: table)))
        }
        return found
    }

    /// A condition for archived rows with the unique values of an existing row, or of a row of an earlier deletion that
    /// is restored with them.
    private func isInUse(_ uniqueness: Uniqueness, _ table: String) -> SQLText {
        let rows = EqualRows(table: table, uniqueness: uniqueness, dialect: SQLiteDialect())
        let exists: SQLText = "EXISTS (SELECT 1 FROM \(table) e WHERE \(rows.areEqual("k", "e")))"
        return archive.numbers.count > 1 ? "(\(exists) OR \(wasArchivedEarlier(rows)))" : exists
    }

    /// Equal rows of one deletion existed together before, so only rows of deletions other than that of the first equal
    /// row count.
    private func wasArchivedEarlier(_ rows: EqualRows) -> SQLText {
        let (key, number) = (SystemTables.keyColumn, RecoveryTables.number)
        let columns = rows.uniqueness.columns.joined(separator: ", ")
        return """
            (\(rows.binds("k")) AND k.\(key) NOT IN (SELECT \(key) FROM (SELECT \(key), \(number), \
            first_value(\(number)) OVER (PARTITION BY \(columns) ORDER BY \(key)) AS leading \
            FROM \(Copy.name(of: rows.table)) e WHERE \(number) IN \(.listed(archive.numbers)) AND \(rows.binds("e"))) \
            WHERE leading = \(number)))
            """
    }

    /// A condition for a key whose row exists or is restored.
    func exists(_ key: String, _ table: String, without out: RowSet) -> SQLText {
        archive.existsTest(key, table, out: archive.keys(table, among: out))
    }

    // MARK: References of restored rows

    var references: [Reference] {
        archive.keys.keys.sorted().flatMap { table in
            archive.map.keyColumns(ofTable: table).map { Reference(table: table, columns: $0) }
        }
    }

    func name(of reference: Reference) -> String { reference.columns.name.relationship }
    func isMandatory(_ reference: Reference) -> Bool { reference.columns.isMandatory }

    func obstacles(
        to reference: Reference, _ need: RestoreConflict.Need, without out: RowSet
    ) throws -> [Obstacle] {
        let (table, columns) = (reference.table, reference.columns)
        let target = columns.destinationTable
        let isDanglingTest: SQLText =
            """
            k.\(columns.key) IS NOT NULL AND NOT \(exists("k.\(columns.key)", target, without: out)) \
            AND coalesce(instr(k.\(Copy.dangling), '\(Copy.danglingMark(columns.key))'), 0) = 0
            """
        let dangling = try archive.rows(table, where: isDanglingTest, connection)
        guard let inverseKey = columns.inverseKey else { return [(.destinationRowMissing(need), dangling)] }
        let refersToLinkedRow: SQLText =
            """
            EXISTS (SELECT 1 FROM \(target) e WHERE e.\(SystemTables.keyColumn) = k.\(columns.key) \
            AND e.\(inverseKey) <> k.\(SystemTables.keyColumn)) \
            AND coalesce(instr(k.\(Copy.dangling), '\(Copy.otherInverseMark(columns.key))'), 0) = 0
            """
        let inUse = try archive.rows(table, where: refersToLinkedRow, connection)
        return [(.destinationRowMissing(need), dangling), (.destinationInUse(need), inUse)]
    }

    // MARK: Join rows

    func conflictsOfJoins(without out: RowSet) throws -> [RestoreConflict] {
        var conflicts: [RestoreConflict] = []
        for join in archive.joins {
            let (owner, member) = ("k.\(join.owner)", "k.\(join.member)")
            let sql: SQLText =
                """
                SELECT * FROM (SELECT \(owner), \(entity(of: owner, join.ownerTable, out)) AS a, \
                \(member), \(entity(of: member, join.memberTable, out)) AS b \
                FROM \(Copy.name(of: join.table)) k WHERE \(RecoveryTables.number) IN \(.listed(archive.numbers)) \
                AND NOT \(Copy.dangling)) WHERE a IS NULL OR b IS NULL
                """
            var (count, examples): (Int, [ObjectID]) = (0, [])
            try connection.withStatement(sql) { statement in
                while try statement.step() {
                    count += 1
                    guard examples.count < RestoreConflict.exampleCount else { continue }
                    // The end that exists or is restored.
                    let place = statement.isNull(at: 1) ? 2 : 0
                    let key = statement.integer(at: place)
                    let table = place == 0 ? join.ownerTable : join.memberTable
                    let number = Int(exactly: statement.integer(at: place + 1))
                    if let index = number.flatMap({ archive.map.entityIndexByNumber[$0] })
                        ?? archive.entityIndex(ofRow: key, table)
                    {
                        let id = archive.spaces.id(entityIndex: index, key: key)
                        if !examples.contains(id) { examples.append(id) }
                    }
                }
            }
            guard count > 0 else { continue }
            conflicts.append(
                RestoreConflict(
                    reason: .joinedRowMissing, entity: join.name.entity, relationship: join.name.relationship,
                    count: count, examples: examples))
        }
        return conflicts
    }

    /// The entity number of the row that a key refers to; 0 for a restored row; NULL if the row neither exists nor is
    /// restored.
    private func entity(of key: String, _ table: String, _ out: RowSet) -> SQLText {
        let (entity, own) = (SystemTables.entityColumn, SystemTables.keyColumn)
        return """
            coalesce((SELECT coalesce(e.\(entity), 0) FROM \(table) e WHERE e.\(own) = \(key)), \
            CASE WHEN \(.isAmong(archive.keys(table).subtracting(archive.keys(table, among: out)), key)) THEN 0 END)
            """
    }
}
