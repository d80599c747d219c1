import ObjectGraph

/// A property, identified with the entity that declares it.
package struct PropertyKey: Sendable, Hashable {
    package let entityIndex: Int
    package let name: String
}

/// The table of one hierarchy of entities.
package struct TableLayout: Sendable {
    package let name: String
    package let rootIndex: Int
    /// The columns after key, entity number and row version.
    package internal(set) var columns: [TableColumn] = []

    init(name: String, rootIndex: Int) {
        self.name = name
        self.rootIndex = rootIndex
    }

    package var createStatement: String {
        SchemaText.createTable(name, columns: columns.map { ($0.name, $0.declaredType) })
    }
}

/// One column of an entity's table.
package struct TableColumn: Sendable {
    package let name: String
    package let declaredType: String
    package let role: Role

    package enum Role: Sendable, Hashable {
        /// A leaf of an attribute, by its position in `Attribute.leaves`.
        case leaf(PropertyKey, Int)
        /// The key of a to-one relationship, or of a to-many relationship without inverse.
        case key(PropertyKey)
        /// The entity number beside a key.
        case entityNumber(PropertyKey)
        /// The order key beside a key, for an ordered to-many relationship.
        case order(PropertyKey)
    }
}

/// A table of two keys for a many-to-many relationship.
package struct JoinTableLayout: Sendable {
    package let name: String
    /// The relationship that names the table; its owner's key is in the first column.
    package let naming: PropertyKey
    package let inverse: PropertyKey
    package let firstColumn: String
    package let secondColumn: String
    /// The order columns with their ordered relationships.
    package let orderColumns: [(relationship: PropertyKey, column: String)]

    package var createStatement: String {
        let columns = ([firstColumn, secondColumn] + orderColumns.map(\.column)).map { "\($0) INTEGER" }
        return "CREATE TABLE \(name) ( \(columns.joined(separator: ", ")), "
            + "PRIMARY KEY (\(firstColumn), \(secondColumn)) )"
    }

    package var indexStatement: String {
        "CREATE INDEX \(name)_\(secondColumn)_INDEX ON \(name) (\(secondColumn), \(firstColumn))"
    }
}

/// The order of columns in a table: integers and keys first, then one kind after the other.
enum ColumnGroup: Int, CaseIterable {
    case integers, reals, decimals, texts, uris, uuids, transformables, blobs

    /// - Returns: `nil` for composites, which have no column of their own.
    init?(_ type: AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64, .boolean: self = .integers
        case .date, .double, .float: self = .reals
        case .decimal: self = .decimals
        case .string: self = .texts
        case .uri: self = .uris
        case .uuid: self = .uuids
        case .transformable: self = .transformables
        case .binary: self = .blobs
        case .composite: return nil
        }
    }
}

extension AttributeType {
    /// The declared type of the column; it determines SQLite's affinity.
    package var declaredColumnType: String {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: "INTEGER"
        case .date: "TIMESTAMP"
        case .double, .float: "FLOAT"
        case .decimal: "DECIMAL"
        case .string, .uri: "VARCHAR"
        case .uuid, .transformable, .binary, .composite: "BLOB"
        }
    }
}
