import ObjectGraph
import StoreSQL

/// Describes how the rows of one entity, or of it and its subentities, are selected and read. Made once per store, so
/// that reading a row needs no lookups by name.
struct RowLayout: Sendable {
    /// The column names to select, in the order of the plans' column indexes: key, version, entity number if rows may be
    /// of several entities, then the cells.
    let columns: [String]
    /// Whether column 2 is the entity number.
    let hasNumber: Bool
    /// The plans by entity number if there are several entities, otherwise one plan at index 0.
    let plans: [RowPlan?]
    /// Whether values may be in external files.
    let readsFiles: Bool

    static let keyColumn = 0
    static let versionColumn = 1
    static let numberColumn = 2

    /// - Parameters:
    /// - slots: The slots to read, in their order; `nil` for all.
    /// - files: If all slots are read, the external values to read from their files.
    init(
        entityIndexes: [Int], map: StorageMap, spaces: EntitySpaces, slots: [Int]? = nil, files: FileValues = .all
    ) {
        hasNumber = entityIndexes.count > 1
        var columns = [SystemTables.keyColumn, SystemTables.versionColumn]
        if hasNumber { columns.append(SystemTables.entityColumn) }
        var places: [String: Int] = [:]
        func place(of column: String) -> Int {
            if let place = places[column] { return place }
            places[column] = columns.count
            columns.append(column)
            return columns.count - 1
        }
        let highest = hasNumber ? entityIndexes.map { map.entities[$0].entityNumber }.max() ?? 0 : 0
        var plans: [RowPlan?] = Array(repeating: nil, count: highest + 1)
        for index in entityIndexes {
            let storage = map.entities[index]
            let wanted =
                slots.map { $0.map { storage.columns.element($0) ?? nil } }
                ?? Self.columns(of: storage, map.model[index], files)
            let cells = wanted.map { column in
                column.map { CellPlan($0, of: spaces.spaces[index], spaces: spaces, place: place) }
                    ?? CellPlan.absent(spaces.spaces[index])
            }
            plans[hasNumber ? storage.entityNumber : 0] = RowPlan(
                entityIndex: index, space: spaces.spaces[index], cells: cells)
        }
        self.columns = columns
        self.plans = plans
        readsFiles = plans.contains { $0?.cells.contains { $0.reader == .external } == true }
    }

    private static func columns(of storage: EntityStorage, _ entity: Entity, _ files: FileValues) -> [SlotColumn?] {
        guard files != .all else { return storage.columns }
        var columns = storage.columns
        for attribute in entity.attributes where !files.includes(attribute.name) {
            for slot in attribute.slots where columns.element(slot)??.isExternal == true { columns[slot] = nil }
        }
        return columns
    }
}

/// Describes how one entity's rows become snapshots.
struct RowPlan: Sendable {
    let entityIndex: Int
    let space: IDSpace
    /// One plan for each slot.
    let cells: [CellPlan]
}

/// The position of one slot's cell, and how it is read.
struct CellPlan: Sendable {
    let reader: CellReader
    let type: AttributeType
    let column: Int
    /// The space of the declared destination, for references.
    let space: IDSpace
    /// The column of the destination's entity number, for references to one of several entities.
    let numberColumn: Int

    private init(reader: CellReader, type: AttributeType, column: Int, space: IDSpace, numberColumn: Int) {
        self.reader = reader
        self.type = type
        self.column = column
        self.space = space
        self.numberColumn = numberColumn
    }

    init(_ column: SlotColumn, of ownSpace: IDSpace, spaces: EntitySpaces, place: (String) -> Int) {
        let ownPlace = place(column.name)
        guard let destination = column.destinationIndex else {
            self.init(
                reader: CellReader(column), type: column.type, column: ownPlace, space: ownSpace,
                numberColumn: 0)
            return
        }
        self.init(
            reader: column.entityNumberColumn == nil ? .reference : .numberedReference, type: column.type,
            column: ownPlace, space: spaces.spaces[destination],
            numberColumn: column.entityNumberColumn.map(place) ?? 0)
    }

    /// The plan for slots that are not stored.
    static func absent(_ space: IDSpace) -> CellPlan {
        CellPlan(reader: .absent, type: .composite, column: 0, space: space, numberColumn: 0)
    }
}

/// The ways to read a cell.
enum CellReader: UInt8, Sendable {
    case absent, integer, real, text, uuid, bytes
    /// Decodes the cell with `ColumnCodec`, whatever its storage class.
    case coded
    case external
    case reference
    case numberedReference

    init(_ column: SlotColumn) {
        if column.isExternal {
            self = .external
            return
        }
        switch column.type {
        case .integer16, .integer32, .integer64: self = .integer
        case .double, .float, .date: self = .real
        case .string, .uri: self = .text
        case .uuid: self = .uuid
        case .binary, .transformable: self = .bytes
        case .boolean, .decimal: self = .coded
        case .composite: self = .absent
        }
    }
}
