import ObjectGraph

/// Computes the derived attributes of a migrated file, and makes the triggers that keep them current, but for those whose
/// triggers stayed with their values.
struct DerivationStatements {
    let layout: SchemaLayout
    /// Names of triggers that stayed.
    let kept: [String]

    var all: [MigrationStatement] {
        let columns = DerivedAttributes(StorageMap(layout)).uncomputed(besides: kept)
        let values = columns.sorted { $0.value.depth < $1.value.depth }.map { column in
            MigrationStatement(text: SQLText(column.filling), purpose: .rows(entity: column.entity.name))
        }
        return values + columns.flatMap(\.fileStatements).map { MigrationStatement(text: SQLText($0)) }
    }
}
