import ObjectGraph
import StoreSQL

/// The statements and columns to write rows of one entity. Created once per store.
struct WritePlan: Sendable {
    let entity: Entity
    let storage: EntityStorage
    /// The columns that a save writes, in slot order, without derived and transient ones.
    let columns: [WriteColumn]
    /// The cells of `columns`.
    let cells: [WriteCell]
    /// The position in `columns`, by slot.
    let columnBySlot: [Int?]
    /// Parameter 1 is the key; the cells follow.
    let insertText: String
    /// The same without a key, which the table assigns.
    let insertNextText: String
    /// The join tables, and the column of this entity's rows in each.
    let joins: [JoinColumn]
    let hasExternal: Bool
    /// The constraints for which the file's index does not detect all equal rows.
    let uniquenessWithNulls: [Uniqueness]
    /// The to-one relationships whose inverse is also to-one, by slot.
    let oneToOne: [Int: EntityRelationship]

    struct JoinColumn: Sendable, Hashable {
        let table: String
        let column: String
    }

    init(entityIndex: Int, map: StorageMap) {
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
        let names = [SystemTables.entityColumn, SystemTables.versionColumn] + columns.flatMap(\.names)
        let marks = ["\(storage.entityNumber)", "1"] + columns.flatMap(\.names).indices.map { "?\($0 + 2)" }
        let (list, values) = (names.joined(separator: ", "), marks.joined(separator: ", "))
        insertText = "INSERT INTO \(storage.table) (\(SystemTables.keyColumn), \(list)) VALUES (?1, \(values))"
        insertNextText = "INSERT INTO \(storage.table) (\(list)) VALUES (\(values))"
        joins = zip(entity.relationships, storage.toMany).flatMap { relationship, toMany -> [JoinColumn] in
            guard case .joinTable(let name, let ownerColumn, let memberColumn, _)? = toMany else { return [] }
            // For a relationship that is its own inverse, no other end provides the second column.
            let columns = [ownerColumn] + (map.model.isOwnInverse(relationship) ? [memberColumn] : [])
            return columns.map { JoinColumn(table: name, column: $0) }
        }
        hasExternal = columns.contains { $0.writer == .external }
        uniquenessWithNulls = storage.uniqueness.filter(\.missesEqualNulls)
        let pairs = entity.toOneRelationships.compactMap { relationship in
            relationship.slot.flatMap {
                map.model.inverse(of: relationship)?.isToOne == true ? ($0, relationship) : nil
            }
        }
        oneToOne = Dictionary(pairs) { first, _ in first }
    }

    private static func orderColumn(besideSlot slot: Int, of entity: Entity, _ map: StorageMap) -> String? {
        guard case .toOne(let index) = entity.slots[slot] else { return nil }
        return map.orderColumn(beside: entity.relationships[index])
    }

    /// How primary keys are assigned.
    enum KeyAllocation {
        /// By the table: the highest existing key plus one.
        case table
        /// By the row itself.
        case row
    }

    /// Whether a feed has enough columns for the key and the others.
    var fitsFeed: Bool { columns.reduce(1) { $0 + $1.names.count } <= SQLNames.feedColumnCount }

    /// Returns a statement that inserts the rows of a feed, whose first column is the key. The columns must fit.
    func feedText(_ keys: KeyAllocation) -> String {
        let names = columns.flatMap(\.names)
        let key = keys == .row ? [(SystemTables.keyColumn, SQLNames.feedColumn(0))] : []
        let fixed = [(SystemTables.entityColumn, "\(storage.entityNumber)"), (SystemTables.versionColumn, "1")]
        let all = key + fixed + names.enumerated().map { ($1, SQLNames.feedColumn($0 + 1)) }
        return "INSERT INTO \(storage.table) (\(all.map(\.0).joined(separator: ", "))) "
            + "SELECT \(all.map(\.1).joined(separator: ", ")) FROM \(SQLNames.feed)(?)"
    }

    /// Whether one of the slots has values that may be in external files.
    func writesExternal(_ slots: [Int]) -> Bool {
        guard hasExternal else { return false }
        return slots.contains { slot in
            (columnBySlot.element(slot) ?? nil).map { columns[$0].writer == .external } ?? false
        }
    }

    /// - Parameter guarded: Whether the row must have the expected version.
    func updateText(_ columns: [WriteColumn], guarded: Bool) -> String {
        // A row that leaves its owner loses its order key for that owner; a new owner assigns one.
        let sets =
            columns.flatMap(\.names).map { "\($0) = ?" } + columns.compactMap(\.orderName).map { "\($0) = NULL" }
            + [SystemTables.raisedVersion]
        return "UPDATE \(storage.table) SET \(sets.joined(separator: ", ")) WHERE \(SystemTables.keyColumn) = ?"
            + (guarded ? " AND \(SystemTables.storedVersion) = ?" : "")
    }
}

/// The column of one slot (or two columns, with the destination's entity number), and how to bind its value.
struct WriteColumn: Sendable {
    let name: String
    let numberName: String?
    /// For a to-one key: the column of the row's order key at the other end.
    let orderName: String?
    let cell: WriteCell

    init(slot: Int, _ column: SlotColumn, order: String?) {
        orderName = order
        name = column.name
        numberName = column.entityNumberColumn
        cell = WriteCell(
            slot: slot, type: column.type, writer: CellWriter(column), hasNumber: column.entityNumberColumn != nil)
    }

    var slot: Int { cell.slot }
    var type: AttributeType { cell.type }
    var writer: CellWriter { cell.writer }
    var names: [String] { numberName.map { [name, $0] } ?? [name] }
}

/// The information needed to bind one column's value. Without names, so that iterating over the cells of every row
/// involves no reference counting.
struct WriteCell: Sendable {
    let slot: Int
    let type: AttributeType
    let writer: CellWriter
    /// Whether the destination's entity number is stored beside the key.
    let hasNumber: Bool

    var width: Int { hasNumber ? 2 : 1 }
}

enum CellWriter: UInt8, Sendable {
    case integer, real, text, uuid, bytes
    /// Bound by `ColumnCodec`.
    case coded
    case external
    case reference

    init(_ column: SlotColumn) {
        if column.destinationIndex != nil {
            self = .reference
        } else if column.isExternal {
            self = .external
        } else {
            switch column.type {
            case .integer16, .integer32, .integer64: self = .integer
            case .double, .float, .date: self = .real
            case .string, .uri: self = .text
            case .uuid: self = .uuid
            case .binary, .transformable: self = .bytes
            case .boolean, .decimal, .composite: self = .coded
            }
        }
    }
}
