import ObjectGraph
import StoreSQL

/// A model derived from the tables of a file without a model of its own: the entities of its key table, each with the
/// columns of its table as attributes. Suitable for showing rows, but not for writing.
package enum TableModel {
    /// - Returns: `nil` if no entity has a table.
    static func model(_ rows: [PrimaryKeyRow], _ connection: Connection) throws -> Model? {
        let rows = rows.filter { $0.isOfModel && PlainName.isValid($0.name) }
        let names = Dictionary(rows.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
        var descriptions: [EntityDescription] = []
        for row in rows {
            guard row.superNumber == 0 || names[row.superNumber] != nil else { continue }
            var description = EntityDescription(row.name, superentity: names[row.superNumber])
            if row.superNumber == 0 {
                let columns = try columns(of: ColumnNaming.table(row.name), connection)
                // Without its table, the entity's rows cannot be found.
                guard !columns.isEmpty else { continue }
                description.attributes = attributes(columns)
            }
            descriptions.append(description)
        }
        return descriptions.isEmpty ? nil : try? Model(descriptions.sorted { $0.name.precedesByBytes($1.name) })
    }

    private static func columns(of table: String, _ connection: Connection) throws -> [(name: String, type: String)] {
        try connection.withStatement("SELECT name, type FROM pragma_table_info(?)") { statement in
            try statement.bind(table, at: 1)
            var columns: [(name: String, type: String)] = []
            while try statement.step() { columns.append((statement.text(at: 0), statement.text(at: 1).uppercased())) }
            return columns
        }
    }

    /// The file only has upper-case column names; the spelling of property names is unknown.
    private static func attributes(_ columns: [(name: String, type: String)]) -> [Attribute] {
        var taken: Set<String> = [SystemTables.keyColumn, SystemTables.entityColumn, SystemTables.versionColumn]
        return columns.compactMap { column in
            let name = String(column.name.dropFirst()).lowercased()
            guard ColumnNaming.column(name) == column.name.uppercased(), PlainName.isValid(column.name),
                taken.insert(column.name.uppercased()).inserted
            else { return nil }
            return Attribute(name, type(column.type), optional: true)
        }
    }

    private static func type(_ declared: String) -> AttributeType {
        switch declared {
        case "INTEGER": .integer64
        case "FLOAT": .double
        case "TIMESTAMP": .date
        case "DECIMAL": .decimal
        case "VARCHAR": .string
        default: .binary
        }
    }
}
