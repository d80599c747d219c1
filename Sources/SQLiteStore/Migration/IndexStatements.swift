import ObjectGraph
import StoreSQL

/// Creates the indexes of the destination model that are missing, and drops those of the source that it does not have.
struct IndexStatements {
    let source: MigrationSource
    /// The names of kept tables, in upper case.
    let kept: Set<String>
    let schema: FileSchema

    var all: [MigrationStatement] {
        let wanted = source.layout.indexStatements
        let wantedTexts = Set(wanted.map(FileSchema.Part.normalized))
        let former = Set(SchemaLayout(source.mapping.source).indexStatements.compactMap(SchemaText.indexName))
        let names = Set(wanted.compactMap(SchemaText.indexName))
        let present = schema.indexes.filter { kept.contains($0.table.uppercased()) }
        let replaced = present.filter { index in
            !wantedTexts.contains(index.normalized)
                && (former.contains(SchemaText.quotedIfNeeded(index.name))
                    || names.contains(SchemaText.quotedIfNeeded(index.name)))
        }
        let good = Set(present.map(\.normalized))
        return replaced.map { MigrationStatement(text: SQLText("DROP INDEX \(SchemaText.quoted($0.name))")) }
            + wanted.filter { !good.contains(FileSchema.Part.normalized($0)) }.map(create)
    }

    private func create(_ statement: String) -> MigrationStatement {
        let constraint = SchemaText.indexName(statement).flatMap { constraints[$0] }
        return MigrationStatement(
            text: SQLText(statement),
            purpose: constraint.map { .uniqueIndex(entity: $0.entity, properties: $0.properties) } ?? .schema)
    }

    /// The constraints by the names of their indexes.
    private var constraints: [String: (entity: String, properties: [String])] {
        var found: [String: (entity: String, properties: [String])] = [:]
        for entity in source.mapping.destination.entities {
            for constraint in entity.uniquenessConstraints {
                found[SchemaText.quotedIfNeeded(SchemaText.uniqueIndexName(entity.name, constraint))] =
                    (entity.name, constraint)
            }
        }
        return found
    }
}
