import ObjectGraph

/// The statements and columns to write rows of one entity. Created once per store; an object, as each row written passes it
/// on.
package final class WritePlan: Sendable {
    package let entity: Entity
    package let storage: EntityStorage
    /// The columns that a save writes, in slot order, without derived and transient ones.
    package let columns: [WriteColumn]
    /// The cells of `columns`.
    package let cells: [WriteCell]
    /// The position in `columns`, by slot.
    package let columnBySlot: [Int?]
    /// Parameter 1 is the key; the cells follow.
    package let insertText: String
    /// The same without a key, which the table assigns.
    package let insertNextText: String
    /// The join tables, and the column of this entity's rows in each.
    package let joins: [JoinColumn]
    package let hasExternal: Bool
    /// The constraints for which the file's index does not detect all equal rows.
    package let uniquenessWithNulls: [Uniqueness]
    /// The to-one relationships whose inverse is also to-one, by slot.
    package let oneToOne: [Int: EntityRelationship]
    let dialect: any Dialect

    package struct JoinColumn: Sendable, Hashable {
        package let table: String
        package let column: String

        /// Deletes the join rows with these keys.
        package func deletion(_ keys: KeySet, _ dialect: any Dialect) -> SQLText {
            "DELETE FROM \(dialect.name(table)) WHERE \(dialect.isAmong(keys, SQLText(dialect.name(column)), by: .lookUp))"
        }
    }

    package init(entityIndex: Int, map: StorageMap, dialect: any Dialect) {
        self.dialect = dialect
        let entity = map.model[entityIndex]
        let storage = map.entities[entityIndex]
        self.entity = entity
        self.storage = storage
        columns = storage.columns.enumerated().compactMap { slot, column in
            guard let column, !column.isDerived else { return nil }
            return WriteColumn(slot: slot, column, order: Self.orderColumn(besideSlot: slot, of: entity, map))
        }
        cells = columns.map(\.cell)
        var columnBySlot: [Int?] = Array(repeating: nil, count: entity.slots.count)
        for (position, column) in columns.enumerated() { columnBySlot[column.slot] = position }
        self.columnBySlot = columnBySlot
        let names =
            [SystemTables.entityColumn, SystemTables.versionColumn] + columns.flatMap(\.names).map(dialect.name)
        let marks =
            ["\(storage.entityNumber)", "1"] + columns.flatMap(\.names).indices.map { dialect.parameter($0 + 2) }
        let (list, values) = (names.joined(separator: ", "), marks.joined(separator: ", "))
        let head = "INSERT INTO \(dialect.name(storage.table))"
        insertText = "\(head) (\(SystemTables.keyColumn), \(list)) VALUES (\(dialect.parameter(1)), \(values))"
        insertNextText = "\(head) (\(list)) VALUES (\(values))"
        joins = zip(entity.relationships, storage.toMany).flatMap { relationship, toMany -> [JoinColumn] in
            guard case .joinTable(let name, let ownerColumn, let memberColumn, _)? = toMany else { return [] }
            // For a relationship that is its own inverse, no other end provides the second column.
            let columns = [ownerColumn] + (map.model.isOwnInverse(relationship) ? [memberColumn] : [])
            return columns.map { JoinColumn(table: name, column: $0) }
        }
        hasExternal = columns.contains { $0.writer == .external }
        uniquenessWithNulls = storage.uniqueness.filter(\.missesEqualNulls)
        oneToOne = map.model.oneToOneRelationships(of: entity)
    }

    private static func orderColumn(besideSlot slot: Int, of entity: Entity, _ map: StorageMap) -> String? {
        guard case .toOne(let index) = entity.slots[slot] else { return nil }
        return map.orderColumn(beside: entity.relationships[index])
    }

    /// Whether one of the slots has values that may be in external files.
    package func writesExternal(_ slots: [Int]) -> Bool {
        guard hasExternal else { return false }
        return slots.contains { slot in
            (columnBySlot.element(slot) ?? nil).map { columns[$0].writer == .external } ?? false
        }
    }

    // MARK: Texts

    private var table: String { dialect.name(storage.table) }

    /// Updates a row. The parameters are the columns' cells, the key and, if guarded, the expected version.
    /// - Parameter guarded: Whether the row must have the expected version.
    package func updateText(_ columns: [WriteColumn], guarded: Bool) -> String {
        // A row that leaves its owner loses its order key for that owner; a new owner assigns one.
        let sets = assignments(columns.flatMap(\.names)) + clearings(columns.compactMap(\.orderName))
        let keyNumber = columns.reduce(1) { $0 + $1.names.count }
        return "UPDATE \(table) SET \((sets + [SystemTables.raisedVersion]).joined(separator: ", ")) "
            + condition(keyNumber) + (guarded ? " AND \(hasVersion(keyNumber + 1))" : "")
    }

    /// Inserts a row, or updates columns of an existing row with equal unique values, and returns the row's key and entity
    /// number, if a row was written. The parameters are those of `insertText`.
    package func upsertText(_ columns: [WriteColumn]) -> String {
        let names = columns.flatMap(\.names).map(dialect.name)
        let sets = names.isEmpty ? [] : [SystemTables.raisedVersion] + names.map { "\($0) = excluded.\($0)" }
        return dialect.upsert(insertText, setting: sets)
            + " RETURNING \(SystemTables.keyColumn), \(SystemTables.entityColumn)"
    }

    /// Updates a row's columns, but not its version. The parameters are the columns' cells and the key.
    package func rewriteText(_ columns: [WriteColumn]) -> String {
        let names = columns.flatMap(\.names)
        return "UPDATE \(table) SET \(assignments(names).joined(separator: ", ")) \(condition(names.count + 1))"
    }

    /// Updates a reference with its columns. The parameters are the cells of key, entity number and order key, as far as
    /// there are such columns, and the row's key.
    package func linkText(_ column: WriteColumn) -> String {
        let names = column.allNames
        let sets = assignments(names) + [SystemTables.raisedVersion]
        return "UPDATE \(table) SET \(sets.joined(separator: ", ")) \(condition(names.count + 1))"
    }

    /// Clears columns of a row, but leaves its version. The parameter is the key.
    package func clearText(_ columns: [String]) -> String {
        "UPDATE \(table) SET \(clearings(columns).joined(separator: ", ")) \(condition(1))"
    }

    /// Selects columns of a row. The parameter is the key.
    package func selectText(_ columns: [String]) -> String {
        "SELECT \(columns.map(dialect.name).joined(separator: ", ")) FROM \(table) \(condition(1))"
    }

    /// Selects a row if it has the expected version. The parameters are key and version.
    package var watchText: String { "SELECT 1 FROM \(table) \(condition(1)) AND \(hasVersion(2))" }

    private func assignments(_ columns: [String]) -> [String] {
        columns.enumerated().map { "\(dialect.name($1)) = \(dialect.placeholder($0 + 1))" }
    }

    private func clearings(_ columns: [String]) -> [String] { columns.map { "\(dialect.name($0)) = NULL" } }

    private func condition(_ number: Int) -> String {
        "WHERE \(SystemTables.keyColumn) = \(dialect.placeholder(number))"
    }

    private func hasVersion(_ number: Int) -> String {
        "\(SystemTables.storedVersion) = \(dialect.placeholder(number))"
    }
}
