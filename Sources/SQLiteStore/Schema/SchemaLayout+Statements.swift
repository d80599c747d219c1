import ObjectGraph
import StoreSQL

extension SchemaLayout {
    package enum HistoryKind: Sendable {
        case without
        case with
    }

    /// The statements that create a new file, in the order of Apple's files: tables, each join table after the table of
    /// the entity that names it, indexes, triggers of derived attributes, bookkeeping tables, history.
    package func schemaStatements(_ history: HistoryKind = .with) -> [String] {
        let historyStatements =
            switch history {
            case .without: [String]()
            case .with: HistoryTables.createStatements(tombstoneCount: tombstoneCount)
            }
        return tableStatements + indexStatements + DerivedAttributes(StorageMap(self)).fileStatements
            + SystemTables.createStatements + historyStatements
    }

    /// Statements for entity tables and join tables.
    package var tableStatements: [String] {
        tables.flatMap { table in [table.createStatement] + joinTables(of: table).map(\.createStatement) }
    }

    /// Statements for indexes of entity tables and join tables.
    package var indexStatements: [String] { tables.flatMap(indexStatements) }

    /// The maximum number of attributes preserved on deletion in any entity.
    package var tombstoneCount: Int {
        model.entities.map { $0.attributes.count { $0.attribute.preservesValueOnDeletion } }.max() ?? 0
    }

    private func joinTables(of table: TableLayout) -> [JoinTableLayout] {
        joinTables.filter { model[$0.naming.entityIndex].rootIndex == table.rootIndex }
    }

    /// Indexes of keys, entity number, join tables, then of fetch indexes and constraints entity by entity.
    private func indexStatements(of table: TableLayout) -> [String] {
        var statements = table.columns.compactMap { column -> String? in
            guard case .key = column.role else { return nil }
            return SchemaText.keyIndex(table: table.name, column: column.name)
        }
        if model[table.rootIndex].hasSubentities {
            statements.append(SchemaText.keyIndex(table: table.name, column: SystemTables.entityColumn))
        }
        statements += joinTables(of: table).map(\.indexStatement)
        let columns = Dictionary(
            table.columns.map { ($0.role, $0.name) }, uniquingKeysWith: { first, _ in first })
        for index in numbers.order where model[index].rootIndex == table.rootIndex {
            statements += fetchIndexes(of: model[index], table.name, columns)
            statements += uniqueIndexes(of: model[index], table.name, columns)
        }
        return statements
    }

    private func fetchIndexes(
        of entity: Entity, _ table: String, _ columns: [TableColumn.Role: String]
    ) -> [String] {
        entity.indexes.compactMap { index in
            let isLoneRelationship =
                index.elements.count == 1 && entity.relationship(named: index.elements[0].propertyName) != nil
            let parts = index.elements.flatMap { element in
                entity.columns(ofPath: element.propertyName, in: columns).map { ($0, element.isAscending) }
            }
            guard !isLoneRelationship, !parts.isEmpty else { return nil }
            let condition = index.condition.flatMap { IndexCondition.sql($0, on: entity, StorageMap(self)) }
            let name = SchemaText.fetchIndexName(entity.name, index.name)
            return SchemaText.fetchIndex(name, on: table, parts, where: condition)
        }
    }

    private func uniqueIndexes(
        of entity: Entity, _ table: String, _ columns: [TableColumn.Role: String]
    ) -> [String] {
        entity.uniquenessConstraints.compactMap { constraint in
            let names = constraint.flatMap { entity.columns(ofPath: $0, in: columns) }
            guard !names.isEmpty else { return nil }
            let name = SchemaText.uniqueIndexName(entity.name, constraint)
            return SchemaText.orderedIndex(name, on: table, names, .unique)
        }
    }
}
