import ObjectGraph
import StoreSQL

/// The complete plan of a migration from one model to another, made before anything is written.
///
/// 1. Unchanged tables are kept with their rows.
/// 2. Other tables are renamed; new ones are created and filled entity by entity, and the renamed ones are dropped.
/// 3. Primary keys are kept, so that identifiers refer to the same objects. Entity numbers, and names that contain them,
///    are those of a new file.
/// 4. Indexes and triggers are created last. Creating a unique index finds rows that violate it; if an index does not
///    detect all equal rows, they are searched for directly afterwards. Derived attributes whose triggers were not kept
///    are computed for all rows.
struct MigrationPlan {
    let mapping: InferredMapping
    /// Checks before the statements.
    let checks: [MigrationCheck]
    /// Checks after the statements.
    let laterChecks: [MigrationCheck]
    let statements: [MigrationStatement]
    let flips: [ExternalFlip]
    /// Derived attributes that could not be computed.
    let uncomputed: [DerivationError]
    /// Whether tables with rows are rewritten.
    let rebuildsTables: Bool
    /// Whether removed rows or columns may have external files.
    let mayLoseFiles: Bool

    /// - Parameters:
    ///   - map: The storage of the source's properties in the file.
    ///   - schema: The indexes and triggers of the file.
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
            + tables.renameConflictingTables + tables.create + rows.all + tables.clear + indexes.all
            + triggers.kept.map { MigrationStatement(text: SQLText($0.sql)) }
            + derivations.all
    }
}

/// Renames former tables, creates new ones, and drops the former.
private struct TableStatements {
    let source: MigrationSource
    /// The names of kept tables, in upper case.
    let kept: Set<String>

    private var waiting: [(former: String, name: String)] {
        source.waiting.sorted { $0.value < $1.value }.map { ($0.key, $0.value) }
    }

    var renameConflictingTables: [MigrationStatement] {
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
