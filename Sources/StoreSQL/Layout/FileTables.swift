/// The actual tables of a file, with their columns. Names compare without case, as in SQLite.
package struct FileTables: Sendable {
    private var tables: [String: Table] = [:]

    package struct Table: Sendable {
        package let name: String
        package let columns: [String]
        private let columnsByFoldedName: [String: String]

        init(name: String, columns: [String]) {
            self.name = name
            self.columns = columns
            columnsByFoldedName = Dictionary(
                columns.map { ($0.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// The column name as the file spells it.
        package func column(_ name: String) -> String? { columnsByFoldedName[name.uppercased()] }
    }

    /// - Parameter tables: Column names by table name.
    package init(_ tables: [String: [String]]) {
        for (name, columns) in tables {
            self.tables[name.uppercased()] = Table(name: name, columns: columns)
        }
    }

    package func table(_ name: String) -> Table? { tables[name.uppercased()] }

    package var all: [Table] { tables.values.sorted { $0.name < $1.name } }

    /// Whether the file has no tables.
    package var isEmpty: Bool { tables.isEmpty }

    /// Whether the file has history tables.
    package var hasHistory: Bool {
        table(HistoryTables.Change.table) != nil && table(HistoryTables.Transaction.table) != nil
    }

    /// The number of columns for preserved values of deleted rows.
    package var tombstoneCount: Int {
        guard let changes = table(HistoryTables.Change.table) else { return 0 }
        return (0...).prefix { changes.column(HistoryTables.Change.tombstone($0)) != nil }.count
    }
}

/// A file without a table or column that the model needs.
package enum StorageMapError: Error, Hashable {
    case missingEntity(String)
    case missingTable(entity: String, table: String)
    case missingColumn(entity: String, property: String, table: String, column: String)
    case missingJoinTable(entity: String, relationship: String, table: String)
}

extension StorageMapError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missingEntity(let entity):
            "The file lacks the number of entity '\(entity)', which identifies its rows; it is damaged, or another "
                + "program changed it. Restore it from a copy."
        case .missingTable(let entity, let table):
            "The file lacks table \(table) of entity '\(entity)'; \(Self.advice)"
        case .missingColumn(let entity, let property, let table, let column):
            "The file lacks column \(table).\(column) of '\(entity).\(property)'; \(Self.advice)"
        case .missingJoinTable(let entity, let relationship, let table):
            "The file lacks table \(table) of '\(entity).\(relationship)'; \(Self.advice)"
        }
    }

    private static let advice = "it is damaged, or another program changed it. Restore it from a copy."
}
