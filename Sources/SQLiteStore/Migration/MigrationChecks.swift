import ObjectGraph
import StoreSQL

/// Queries that find rows which the new model does not allow. They run on the original tables, before anything is written.
struct MigrationChecks {
    let source: MigrationSource
    let triggers: TriggerSurvival

    private var destination: Model { source.mapping.destination }

    var all: [MigrationCheck] {
        source.mapping.entities.compactMap { $0 }.flatMap { abstract($0) + unfilled($0) + relationships($0) }
    }

    /// Finds rows that would lack a mandatory value.
    private func unfilled(_ mapping: EntityMapping) -> [MigrationCheck] {
        source.mapping.unfilled.filter { $0.entityIndex == mapping.destinationIndex }
            .map { MigrationCheck(text: rows(mapping, and: nil), unfilled: $0) }
    }

    /// Finds rows of unknown entities, which would not be copied.
    /// - Parameter source: Must know which tables are renamed.
    static func unknownRows(_ source: MigrationSource) -> [MigrationCheck] {
        source.mapping.source.entities.compactMap { root in
            let table = source.map.entities[root.index].table
            guard root.isRoot, !source.isOnlyEntityInTable(root.index), source.waiting[table] != nil,
                root.familyIndexes.contains(where: { source.newNumber($0) != nil })
            else { return nil }
            let known = root.familyIndexes.map { "\(source.formerNumber($0))" }.joined(separator: ", ")
            let text: SQLText = """
                SELECT 1 FROM \(table) WHERE \(SystemTables.entityColumn) IS NULL \
                OR \(SystemTables.entityColumn) NOT IN (\(known)) LIMIT 1
                """
            return MigrationCheck(text: text, error: .rowsOfUnknownEntity(root.name))
        }
    }

    private func abstract(_ mapping: EntityMapping) -> [MigrationCheck] {
        let entity = destination[mapping.destinationIndex]
        guard entity.isAbstract, !source.mapping.source[mapping.sourceIndex].isAbstract else { return [] }
        return [MigrationCheck(text: rows(mapping, and: nil), error: .rowsOfAbstractEntity(entity.name))]
    }

    private func rows(_ mapping: EntityMapping, and condition: SQLText?) -> SQLText {
        let former = source.map.entities[mapping.sourceIndex]
        let own: SQLText = """
            SELECT 1 FROM \(former.table) AS \(RowOrigins.row) \
            WHERE \(source.ownRows(RowOrigins.row, mapping.sourceIndex))
            """
        return (condition.map { "\(own) AND \($0)" } ?? own) + " LIMIT 1"
    }

    private func relationships(_ mapping: EntityMapping) -> [MigrationCheck] {
        let entity = destination[mapping.destinationIndex]
        let origins = RowOrigins(source: source, entity: entity, mapping: mapping, abandoned: [])
        guard let table = source.layout.tables.first(where: { $0.rootIndex == entity.rootIndex }) else { return [] }
        return table.columns.flatMap { column -> [MigrationCheck] in
            guard case .key(let key) = column.role, let relationship = source.relationship(key),
                let origin = origins.origin(of: column)
            else { return [] }
            return scattered(origins.scatteredLinks(key), key) + mandatory(relationship, origin, mapping)
        }
    }

    /// Finds rows that several links refer to, for which the new table has only one key column.
    private func scattered(_ links: [SourceLinks], _ key: PropertyKey) -> [MigrationCheck] {
        links.map { links in
            let text: SQLText = """
                SELECT 1 FROM \(links.table) WHERE \(links.owner.column) NOT NULL AND \(links.member.column) NOT NULL \
                GROUP BY \(links.owner.column) HAVING count(DISTINCT \(links.member.column)) > 1 LIMIT 1
                """
            return MigrationCheck(
                text: text,
                error: .severalOwners(entity: destination[key.entityIndex].name, relationship: key.name))
        }
    }

    private func mandatory(
        _ relationship: EntityRelationship, _ origin: ColumnOrigin, _ mapping: EntityMapping
    ) -> [MigrationCheck] {
        guard relationship.isToOne, !relationship.relationship.isOptional, !wasMandatory(relationship, mapping, origin)
        else { return [] }
        let entity = destination[mapping.destinationIndex].name
        return [
            MigrationCheck(
                text: rows(mapping, and: "(\(origin.sql)) IS NULL"),
                error: .missingDestinations(entity: entity, relationship: relationship.name))
        ]
    }

    /// Rows that already violated the rule are allowed.
    private func wasMandatory(
        _ relationship: EntityRelationship, _ mapping: EntityMapping, _ origin: ColumnOrigin
    ) -> Bool {
        guard case .column = origin, let former = mapping.relationshipOrigins[relationship.index] else { return false }
        return !source.mapping.source[mapping.sourceIndex].relationships[former].relationship.isOptional
    }
}
