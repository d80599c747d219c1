import ObjectGraph
import StoreSQL

/// Computes the derived attributes of a migrated file and makes their triggers, except for attributes whose triggers and
/// values were kept.
struct DerivationStatements {
    let all: [MigrationStatement]
    /// Attributes that cannot be computed and have no kept triggers.
    let failures: [DerivationError]

    /// - Parameter kept: The names of kept triggers.
    init(layout: SchemaLayout, kept: [String]) {
        let derived = DerivedAttributes(StorageMap(layout))
        failures = derived.failures(besides: kept, layout.model)
        let columns = derived.uncomputed(besides: kept)
        let values = columns.sorted { $0.value.depth < $1.value.depth }.map { column in
            MigrationStatement(text: SQLText(column.filling), purpose: .rows(entity: column.entity.name))
        }
        all = values + columns.flatMap(\.fileStatements).map { MigrationStatement(text: SQLText($0)) }
    }
}
