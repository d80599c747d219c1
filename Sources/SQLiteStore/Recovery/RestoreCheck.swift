import ObjectGraph
import StoreSQL

/// Determines which parts of archived deletions cannot be restored, before anything is written. Takes a few statements
/// for each table and reference, whatever the number of rows.
struct RestoreCheck {
    typealias Copy = RecoveryTables.Copy
    typealias Link = RecoveryTables.Link

    let archive: ArchivedRows
    let externalData: ExternalData?
    let connection: Connection

    /// The result: what is restored and what is not.
    struct Outcome {
        /// Rows that are not restored, by table.
        var out: [String: KeySet] = [:]
        /// Rows that are restored without a reference, by table and the reference's column.
        var without: [String: [String: KeySet]] = [:]
        /// One outcome for each of `ArchivedRows.links`.
        var links: [LinkOutcome] = []
        var conflicts: [RestoreConflict] = []

        func out(_ table: String) -> KeySet { out[table] ?? KeySet() }
    }

    /// The survivors of one group of links.
    struct LinkOutcome {
        /// Survivors that regain the link.
        var back = KeySet()
    }

    /// Also excludes rows that require an excluded row, until no more are found.
    func outcome() throws -> Outcome {
        var outcome = Outcome()
        try checkRows(&outcome)
        let fixed = outcome.conflicts
        var outCount = -1
        while outCount != outcome.out.values.reduce(0, { $0 + $1.count }) {
            outCount = outcome.out.values.reduce(0) { $0 + $1.count }
            outcome.conflicts = fixed
            outcome.without = [:]
            try checkEnds(&outcome)
        }
        try checkJoins(&outcome)
        try checkLinks(&outcome)
        return outcome
    }

    // MARK: Single rows

    private func checkRows(_ outcome: inout Outcome) throws {
        for table in archive.keys.keys.sorted() {
            let sameKey: SQLText =
                "EXISTS (SELECT 1 FROM \(table) e WHERE e.\(SystemTables.keyColumn) = k.\(SystemTables.keyColumn))"
            excludeRows(try archive.keys(table, where: sameKey, connection), table, .keyInUse, nil, &outcome)
            for (uniqueness, properties) in archive.map.uniqueness(ofTable: table) {
                let taken = try archive.keys(table, where: isInUse(uniqueness, table), connection)
                excludeRows(taken, table, .notUnique(properties: properties), nil, &outcome)
            }
        }
        guard let externalData else { return }
        let missing = try ArchivedFile.files(of: archive.numbers, connection).filter {
            externalData.size(of: $0.name) == nil
        }
        for (table, files) in Dictionary(grouping: missing, by: \.table).sorted(by: { $0.key < $1.key }) {
            let rows = archive.byEntity(KeySet(files.map(\.key)), of: table)
            excludeRows(rows, table, .fileMissing, nil, &outcome)
        }
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

    private func excludeRows(
        _ rows: [Int: KeySet], _ table: String, _ reason: RestoreConflict.Reason, _ relationship: String?,
        _ outcome: inout Outcome
    ) {
        for (entityIndex, keys) in rows.sorted(by: { $0.key < $1.key }) where !keys.isEmpty {
            outcome.out[table, default: KeySet()].formUnion(keys)
            outcome.conflicts.append(conflict(reason, entityIndex, relationship, keys))
        }
    }

    func conflict(
        _ reason: RestoreConflict.Reason, _ entityIndex: Int, _ relationship: String?, _ keys: KeySet
    ) -> RestoreConflict {
        RestoreConflict(
            reason: reason, entity: archive.map.model[entityIndex].name, relationship: relationship, count: keys.count,
            examples: keys.prefix(RestoreConflict.exampleCount).keys.map {
                archive.spaces.id(entityIndex: entityIndex, key: $0)
            })
    }

    // MARK: References of restored rows

    private func checkEnds(_ outcome: inout Outcome) throws {
        for table in archive.keys.keys.sorted() {
            for columns in archive.map.keyColumns(ofTable: table) {
                try checkEnds(of: columns, table, &outcome)
            }
        }
    }

    private func checkEnds(of columns: KeyColumns, _ table: String, _ outcome: inout Outcome) throws {
        let target = columns.destinationTable
        let need: RestoreConflict.Need = columns.isMandatory ? .mandatory : .optional
        let isDanglingTest: SQLText =
            """
            k.\(columns.key) IS NOT NULL AND NOT \(archive.existsTest("k.\(columns.key)", target, out: outcome.out(target))) \
            AND coalesce(instr(k.\(Copy.dangling), '\(Copy.danglingMark(columns.key))'), 0) = 0
            """
        try omitReferences(columns, table, where: isDanglingTest, .destinationRowMissing(need), &outcome)
        guard let inverseKey = columns.inverseKey else { return }
        let refersToLinkedRow: SQLText =
            """
            EXISTS (SELECT 1 FROM \(target) e WHERE e.\(SystemTables.keyColumn) = k.\(columns.key) \
            AND e.\(inverseKey) <> k.\(SystemTables.keyColumn)) \
            AND coalesce(instr(k.\(Copy.dangling), '\(Copy.otherInverseMark(columns.key))'), 0) = 0
            """
        try omitReferences(columns, table, where: refersToLinkedRow, .destinationInUse(need), &outcome)
    }

    /// Restores the rows without the reference, or excludes them if the reference is mandatory.
    private func omitReferences(
        _ columns: KeyColumns, _ table: String, where condition: SQLText, _ reason: RestoreConflict.Reason,
        _ outcome: inout Outcome
    ) throws {
        let rows = try archive.keys(table, where: condition, connection)
        let name = columns.name.relationship
        if columns.isMandatory { return excludeRows(rows, table, reason, name, &outcome) }
        for (entityIndex, keys) in rows.sorted(by: { $0.key < $1.key }) {
            let coming = keys.subtracting(outcome.out(table))
            guard !coming.isEmpty else { continue }
            outcome.without[table, default: [:]][columns.key, default: KeySet()].formUnion(coming)
            outcome.conflicts.append(conflict(reason, entityIndex, name, coming))
        }
    }

    // MARK: Join rows

    private func checkJoins(_ outcome: inout Outcome) throws {
        for join in archive.joins {
            let (owner, member) = ("k.\(join.owner)", "k.\(join.member)")
            let sql: SQLText =
                """
                SELECT * FROM (SELECT \(owner), \(entity(of: owner, join.ownerTable, outcome)) AS a, \
                \(member), \(entity(of: member, join.memberTable, outcome)) AS b \
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
            outcome.conflicts.append(
                RestoreConflict(
                    reason: .joinedRowMissing, entity: join.name.entity, relationship: join.name.relationship,
                    count: count, examples: examples))
        }
    }

    /// The entity number of the row that a key refers to; 0 for a restored row; NULL if the row neither exists nor is
    /// restored.
    private func entity(of key: String, _ table: String, _ outcome: Outcome) -> SQLText {
        let (entity, own) = (SystemTables.entityColumn, SystemTables.keyColumn)
        return """
            coalesce((SELECT coalesce(e.\(entity), 0) FROM \(table) e WHERE e.\(own) = \(key)), \
            CASE WHEN \(.isAmong(archive.keys(table).subtracting(outcome.out(table)), key)) THEN 0 END)
            """
    }
}
