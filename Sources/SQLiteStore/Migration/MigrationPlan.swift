import ObjectGraph

/// What is done to a file to make it one of another model: complete before anything is written.
///
/// 1. Tables that do not change stay as they are, rows and all.
/// 2. Others make way under another name; new ones are made, filled entity by entity, and the former ones dropped.
/// 3. Keys of rows stay, so that identifiers lead to the same objects. Entity numbers, and the names made from them, are
///    those of a new file.
/// 4. Indexes and triggers come last. A uniqueness constraint that rows break is found there, or, where an index does not
///    see all, right after. Derived attributes whose triggers did not stay are computed for all rows.
struct MigrationPlan {
    let mapping: InferredMapping
    /// What must not be in the file.
    let checks: [MigrationCheck]
    /// What must not be in it when the statements have run.
    let laterChecks: [MigrationCheck]
    let statements: [MigrationStatement]
    let flips: [ExternalFlip]
    /// Derived attributes that nobody would compute.
    let uncomputed: [DerivationError]
    /// Whether tables with rows are written anew.
    let rebuildsTables: Bool
    /// Whether rows or columns go that may have files beside the store.
    let mayLoseFiles: Bool

    /// - Parameters:
    ///   - map: where the file has the source's properties.
    ///   - schema: what else it has.
    init(_ mapping: InferredMapping, _ map: StorageMap, _ schema: FileSchema) {
        self.mapping = mapping
        var source = MigrationSource(mapping: mapping, map: map, layout: SchemaLayout(mapping.destination))
        let triggers = TriggerSurvival(schema, source)
        let checks = MigrationChecks(source: source, triggers: triggers).all
        let comparison = TableComparison(source: source, triggers: triggers, tables: schema.tables)
        let kept = Set(
            source.layout.tables.filter(comparison.isKept).map { $0.name.uppercased() }
                + source.layout.joinTables.filter(comparison.isKept).map { $0.name.uppercased() })
        let former = map.entityTables + map.joinColumns.map(\.table)
        for (number, table) in former.filter({ !kept.contains($0.uppercased()) }).enumerated() {
            source.waiting[table] = MigrationTables.former(number)
        }
        self.checks = checks + MigrationChecks.unknownRows(source)
        laterChecks = NewConstraints(source: source).all
        rebuildsTables = !source.waiting.isEmpty
        mayLoseFiles = rebuildsTables && map.entities.contains { $0.columns.contains { $0?.isExternal == true } }
        flips = ExternalFlip.all(source)
        let tables = TableStatements(source: source, kept: kept)
        let rows = RowStatements(source: source, kept: kept, triggers: triggers)
        let indexes = IndexStatements(source: source, kept: kept, schema: schema)
        let derivations = DerivationStatements(layout: source.layout, kept: triggers.kept.map(\.name))
        uncomputed = derivations.failures
        statements =
            schema.triggers.map { MigrationStatement(text: SQLText("DROP TRIGGER \(SchemaText.quoted($0.name))")) }
            + tables.makeWay + tables.create + rows.all + tables.clear + indexes.all
            + triggers.kept.map { MigrationStatement(text: SQLText($0.sql)) }
            + derivations.all
    }
}

/// Moves former tables out of the way, makes new ones, and drops the former.
private struct TableStatements {
    let source: MigrationSource
    /// Names of tables that stay, in upper case.
    let kept: Set<String>

    private var waiting: [(former: String, name: String)] {
        source.waiting.sorted { $0.value < $1.value }.map { ($0.key, $0.value) }
    }

    var makeWay: [MigrationStatement] {
        waiting.map { MigrationStatement(text: SQLText("ALTER TABLE \($0.former) RENAME TO \($0.name)")) }
    }

    var clear: [MigrationStatement] {
        waiting.map { MigrationStatement(text: SQLText("DROP TABLE \($0.name)")) }
    }

    var create: [MigrationStatement] {
        let tables = source.layout.tables.map { ($0.name, $0.createStatement) }
        let joins = source.layout.joinTables.map { ($0.name, $0.createStatement) }
        return (tables + joins).filter { !kept.contains($0.0.uppercased()) }
            .map { MigrationStatement(text: SQLText($0.1)) }
    }
}
