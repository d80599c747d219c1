import Foundation
import ObjectGraph
import StoreSQL

/// Archives the objects of a delete before it is carried out: copies of its rows and join rows, and the references of
/// survivors. Takes a few statements for each table, whatever the number of rows.
struct DeletionArchive {
    private typealias Delete = RecoveryTables.Delete
    private typealias Link = RecoveryTables.Link
    private typealias File = RecoveryTables.File
    private typealias Copy = RecoveryTables.Copy

    private let steps: DeleteSteps
    private let archiving: ArchiveOptions
    private let connection: Connection
    private let tables: ArchiveTables
    private let number: Int64

    private var map: StorageMap { steps.map }

    /// Archives a delete. Call this before the first row is deleted, in the same transaction.
    /// - Throws: `RecoveryError.tokenInUse`, `SQLiteError`.
    static func write(
        _ plan: DeletePlan, _ archiving: ArchiveOptions, steps: DeleteSteps, _ connection: Connection
    ) throws {
        let tables = try ArchiveTables(connection)
        try tables.makeTables(connection)
        let archive = try DeletionArchive(plan, archiving, steps, tables, connection)
        try archive.archiveRows(of: plan)
        try archive.archiveJoinRows(of: plan)
        try archive.archiveLinks(of: plan)
        let counts = ArchiveCounts(map: steps.map, externalData: archiving.externalData)
        try counts.note(archive.number, try ArchiveTables(connection), connection)
    }

    private init(
        _ plan: DeletePlan, _ archiving: ArchiveOptions, _ steps: DeleteSteps, _ tables: ArchiveTables,
        _ connection: Connection
    ) throws {
        self.steps = steps
        self.archiving = archiving
        self.connection = connection
        self.tables = tables
        let known: SQLText =
            "SELECT 1 FROM \(Delete.table) WHERE \(Delete.token) = \(.text(archiving.token.description))"
        guard try connection.withStatement(known, { try !$0.step() }) else {
            throw RecoveryError.tokenInUse(archiving.token)
        }
        try connection.run(
            """
            INSERT INTO \(Delete.table) (\(Delete.token), \(Delete.time), \(Delete.author), \(Delete.summary), \
            \(Delete.model)) VALUES (\(.text(archiving.token.description)), \
            \(.cell(.real(Date().timeIntervalSinceReferenceDate))), \
            \(.cell(archiving.author.map(Cell.text) ?? .null)), \(.text(plan.summary)), \
            \(.text(steps.map.model.digest)))
            """)
        number = connection.lastInsertedKey
    }

    // MARK: Rows

    private func archiveRows(of plan: DeletePlan) throws {
        var keysByTable: [String: KeySet] = [:]
        for (space, keys) in plan.deleted.keysBySpace {
            guard let entityIndex = steps.spaces.entityIndex(of: space) else { continue }
            keysByTable[map.entities[entityIndex].table, default: KeySet()].formUnion(keys)
        }
        for (table, keys) in keysByTable.sorted(by: { $0.key < $1.key }) {
            try tables.makeCopy(of: table, key: [SystemTables.keyColumn], connection)
            let columns = tables.columns(of: table).map(SchemaText.quoted).joined(separator: ", ")
            try connection.run(
                """
                INSERT INTO \(Copy.name(of: table)) (\(RecoveryTables.number), \(Copy.dangling), \(columns)) \
                SELECT \(.integer(number)), \(danglingColumns(of: table)), \(columns) \
                FROM \(table) k\(condition(SystemTables.keyColumn, keys, table))
                """)
            try archiveFiles(of: table)
        }
    }

    /// Finds the rows in the same way as the delete will.
    private func condition(_ column: String, _ keys: KeySet, _ ownerTable: String) throws -> SQLText {
        switch try steps.strategist.toDelete(keys, from: ownerTable) {
        case .lookUp: " WHERE \(column) IN \(.listed(keys))"
        case .scan: " NOT INDEXED WHERE \(.isAmong(keys, column))"
        case .truncate: ""
        }
    }

    /// An expression for the marks of references that are already invalid.
    private func danglingColumns(of table: String) -> String {
        let own = SystemTables.keyColumn
        let marks = map.keyColumns(ofTable: table).flatMap { columns -> [String] in
            let end = "SELECT 1 FROM \(columns.destinationTable) e WHERE e.\(own) = k.\(columns.key)"
            let nowhere = "k.\(columns.key) IS NOT NULL AND NOT EXISTS (\(end))"
            let elsewhere = columns.inverseKey.map { "EXISTS (\(end) AND e.\($0) <> k.\(own))" }
            return ["CASE WHEN \(nowhere) THEN '\(Copy.danglingMark(columns.key))' ELSE '' END"]
                + (elsewhere.map { ["CASE WHEN \($0) THEN '\(Copy.otherInverseMark(columns.key))' ELSE '' END"] } ?? [])
        }
        return marks.isEmpty ? "NULL" : "nullif(\(marks.joined(separator: " || ")), '')"
    }

    // MARK: Join rows

    private func archiveJoinRows(of plan: DeletePlan) throws {
        for rows in steps.joinRows(of: plan) {
            try archiveJoinRows(of: rows.table, where: condition(rows.column, rows.keys, rows.ownerTable))
        }
        for links in plan.cut {
            guard let (table, owner, member) = steps.joinTable(of: links) else { continue }
            try archiveJoinRows(
                of: table,
                where: " WHERE \(owner) IN \(.listed(KeySet([links.owner]))) AND \(member) IN \(.listed(links.members))"
            )
        }
    }

    private func archiveJoinRows(of table: String, where condition: SQLText) throws {
        guard let join = map.joinColumns.first(where: { $0.table == table }) else { return }
        try tables.makeCopy(of: join.table, key: [join.owner, join.member], connection)
        let columns = tables.columns(of: join.table).map(SchemaText.quoted).joined(separator: ", ")
        // Rows that lose both ends would be copied twice; rows with a missing end link nothing.
        try connection.run(
            """
            INSERT OR IGNORE INTO \(Copy.name(of: join.table)) (\(RecoveryTables.number), \(Copy.dangling), \(columns)) \
            SELECT \(.integer(number)), NOT (\(exists(join.owner, join.ownerTable)) AND \
            \(exists(join.member, join.memberTable))), \(columns) FROM \(join.table) k\(condition)
            """)
        if connection.changeCount == 0 { try tables.dropNewCopy(of: join.table, connection) }
    }

    private func exists(_ column: String, _ table: String) -> String {
        "EXISTS (SELECT 1 FROM \(table) e WHERE e.\(SystemTables.keyColumn) = k.\(column))"
    }

    // MARK: Links

    /// Archives the survivors' references.
    private func archiveLinks(of plan: DeletePlan) throws {
        for link in plan.cleared {
            guard let entityIndex = steps.spaces.entityIndex(of: link.space),
                let relationship = map.model[entityIndex].relationships.element(link.relationshipIndex)
            else { continue }
            let columns = map.keyColumns(of: relationship, entityIndex)
            let source = LinkSource(
                entity: map.entities[entityIndex], relationship: relationship.name, columns: columns)
            let condition: SQLText = "\(SystemTables.keyColumn) IN \(.listed(link.keys))"
            try connection.run(source.insertion(number, from: source.table, where: condition))
        }
    }

    // MARK: Files

    private func archiveFiles(of table: String) throws {
        guard archiving.externalData != nil else { return }
        for column in map.externalColumns(ofTable: table) {
            try connection.run(
                """
                INSERT INTO \(File.table) (\(RecoveryTables.number), \(File.rowTable), \(File.key), \(File.cell)) \
                SELECT \(RecoveryTables.number), \(.text(table)), \(SystemTables.keyColumn), \(column) \
                FROM \(Copy.name(of: table)) WHERE \(RecoveryTables.number) = \(.integer(number)) \
                AND substr(\(column), 1, 1) = \(ExternalData.fileTagLiteral)
                """)
        }
        try unmarkMissingFiles(of: table)
    }

    /// If a file is already missing, restoring the row does not require it: its cell is restored unchanged.
    private func unmarkMissingFiles(of table: String) throws {
        guard let externalData = archiving.externalData else { return }
        let lost = try ArchivedFile.files(of: KeySet([number]), connection).filter {
            $0.table == table && externalData.size(of: $0.name) == nil
        }
        for file in lost {
            try connection.run(
                """
                DELETE FROM \(File.table) WHERE \(RecoveryTables.number) = \(.integer(number)) \
                AND \(File.rowTable) = \(.text(table)) AND \(File.key) = \(.integer(file.key)) \
                AND \(File.cell) = \(.cell(.bytes(file.cell)))
                """)
        }
    }
}

extension Model {
    /// A digest of the model, by which restoring checks that archived rows still fit the file.
    var digest: String { VersionHash.digest(of: versionHashes) }
}
