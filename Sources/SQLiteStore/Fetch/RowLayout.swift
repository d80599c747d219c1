import ObjectGraph

/// How the rows of one entity, or of it and those below it, are selected and read: made once per store, so that reading
/// a row looks up nothing by name.
struct RowLayout: Sendable {
    /// Column names to select, in the order the plans count them: key, version, entity number where rows may be of
    /// several entities, then the cells.
    let columns: [String]
    /// Whether column 2 is the entity number.
    let hasNumber: Bool
    /// By entity number where there are several, else the only one at 0.
    let plans: [RowPlan?]
    /// Whether values may be in files of their own.
    let readsFiles: Bool

    static let keyColumn = 0
    static let versionColumn = 1
    static let numberColumn = 2

    /// - Parameters:
    ///   - slots: those to read, in the order in which they are given; `nil` for all.
    ///   - files: of all slots, those with a value of its own file that are read.
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

/// How one entity's rows become snapshots.
struct RowPlan: Sendable {
    let entityIndex: Int
    let space: IDSpace
    /// One per slot.
    let cells: [CellPlan]
}

/// Where one slot's cell is and how it is read.
struct CellPlan: Sendable {
    let reader: CellReader
    let type: AttributeType
    let column: Int
    /// Of the declared destination, for references.
    let space: IDSpace
    /// Column of the destination's entity number, for references that may lead to several entities.
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

    /// For slots that are not stored.
    static func absent(_ space: IDSpace) -> CellPlan {
        CellPlan(reader: .absent, type: .composite, column: 0, space: space, numberColumn: 0)
    }
}

/// The ways to read a cell.
enum CellReader: UInt8, Sendable {
    case absent, integer, real, text, uuid, bytes
    /// By `ColumnCodec`, from whatever SQLite holds.
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
