import AppleFormats
import ObjectGraph
import StoreSQL

/// Carries out one step from model to model, within the caller's transaction.
struct MigrationRun {
    let plan: MigrationPlan
    private let map: StorageMap
    private let schema: FileSchema
    private let rows: [PrimaryKeyRow]
    private let connection: Connection

    /// Reads the file and makes the plan. Writes nothing.
    /// - Throws: `MappingError`, `DerivationError`, `StorageMapError`, `SQLiteError`.
    init(
        from source: Model, to destination: Model, missingValues: InferredMapping.MissingValues,
        _ connection: Connection
    ) throws {
        let source = source.numberedWithoutGaps
        let mapping = try InferredMapping(from: source, to: destination, missingValues: missingValues)
        schema = try FileSchema(connection)
        rows = try PrimaryKeyTable.rows(connection)
        map = try StorageMap(source).adjusted(to: schema.tables, rows: rows)
        plan = MigrationPlan(mapping, map, schema)
        if let failure = plan.uncomputed.first { throw failure }
        self.connection = connection
    }

    /// - Throws: `StoreMigrationError`, `MappingError` if there are rows that cannot be migrated.
    func check(report: () throws -> Void = {}) throws { try check(plan.checks, report) }

    private func check(_ checks: [MigrationCheck], _ report: () throws -> Void) throws {
        for check in checks {
            try report()
            let isFound = try connection.withStatement(check.text) { try $0.step() }
            guard !isFound else { throw check.error }
        }
    }

    /// The number of reports by `run`.
    var stepCount: Int {
        plan.checks.count + plan.statements.count + plan.laterChecks.count + plan.flips.count + 2
    }

    /// - Parameters:
    ///   - report: Called before each step; an error thrown here stops the migration.
    ///   - files: Receives the changes of external files.
    /// - Throws: `StoreMigrationError`, `MappingError`, `ExternalDataError`, `SQLiteError`, and the errors of `report`.
    func run(_ data: ExternalData, _ files: inout FileChanges, report: () throws -> Void) throws {
        try check(report: report)
        let watches = plan.mayLoseFiles || !plan.flips.isEmpty
        let before = watches ? try ReferredFiles.names(map, connection) : []
        for statement in plan.statements {
            try report()
            try run(statement)
        }
        try check(plan.laterChecks, report)
        for flip in plan.flips {
            try report()
            try flip.run(data, connection, made: &files.made)
        }
        try report()
        try HistoryTranslation(plan.mapping, map, schema.tables)?.run(connection)
        try report()
        try writeBookkeeping()
        guard !before.isEmpty else { return }
        files.abandoned.formUnion(before)
        files.abandoned.subtract(try ReferredFiles.names(StorageMap(plan.mapping.destination), connection))
        files.abandoned.subtract(try ReferredFiles.archivedFileNames(connection))
    }

    private func run(_ statement: MigrationStatement) throws {
        do {
            // The statement is not cached, because the next one may change the tables that it refers to.
            try connection.runOnce(statement.text)
        } catch let error as SQLiteError where error.isUniqueViolation {
            guard case .uniqueIndex(let entity, let properties) = statement.purpose else { throw error }
            throw StoreMigrationError.notUnique(entity: entity, properties: properties)
        }
    }

    // MARK: Bookkeeping

    private func writeBookkeeping() throws {
        try writeKeys()
        var metadata = try StoreMetadata(connection)
        metadata.adopt(plan.mapping.destination)
        try metadata.write(connection)
        try ModelCache.replace(with: plan.mapping.destination, connection)
        try connection.raiseSchemaVersion()
    }

    /// Key counters continue, because keys are never reused.
    private func writeKeys() throws {
        typealias Names = SystemTables.PrimaryKey
        try connection.execute(
            "DELETE FROM \(Names.table) WHERE \(Names.entity) < \(MigrationTables.firstForeignNumber)")
        let destination = plan.mapping.destination
        let roots = zip(EntityNumbers(destination).order, PrimaryKeyTable.initialRows(destination))
        try PrimaryKeyTable.insert(
            roots.map { index, row in
                PrimaryKeyRow(
                    number: row.number, name: row.name, superNumber: row.superNumber,
                    highestKey: destination[index].isRoot ? highestKey(of: destination[index]) : 0)
            }, connection)
    }

    private func highestKey(of root: Entity) -> Int64 {
        let former = root.familyIndexes.lazy.compactMap { plan.mapping.entities[$0]?.sourceIndex }.first
        let number = former.map { map.entities[$0].rootNumber }
        return rows.first { $0.number == number }?.highestKey ?? 0
    }
}

/// The external files that a migration writes or makes unreferenced.
struct FileChanges {
    /// Written files. No row refers to them unless the transaction is committed.
    var made: [String] = []
    /// Files that no row refers to after the commit.
    var abandoned: Set<String> = []
}
