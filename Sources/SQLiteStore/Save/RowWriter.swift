import Foundation
import ObjectGraph

/// Values of a row in slot order.
protocol SlotList: RandomAccessCollection where Element == Value, Index == Int {}
extension SlotValues: SlotList {}
extension [Value]: SlotList {}

/// Binds values to statements: the inner loop of every save.
struct RowWriter {
    let spaces: EntitySpaces
    let map: StorageMap
    let externalData: ExternalData?
    /// Permanent identities of the change set's own insertions.
    var permanent = PermanentIDs()
    /// Files written so far, to be taken back when the save fails.
    private(set) var newFiles: [String] = []
    /// Where the reference bound last leads: neighbours mostly lead to rows of one entity.
    private var lastDestination: (space: IDSpace, entityIndex: Int)?
    /// Texts of the row bound last.
    private let texts = TextBuffer()

    init(spaces: EntitySpaces, map: StorageMap, externalData: ExternalData?) {
        self.spaces = spaces
        self.map = map
        self.externalData = externalData
    }

    /// Binds the columns one after the other. The statement must run before the next row is bound.
    /// - Returns: the next free parameter.
    /// - Throws: `CellError`, `ChangeSetError`, `ExternalDataError`.
    @inline(__always)
    mutating func bind(
        _ values: some SlotList, _ cells: [WriteCell], of entity: Entity, from first: Int, _ statement: Statement
    ) throws -> Int {
        var index = first
        texts.removeAll()
        for cell in cells {
            let value = values[cell.slot]
            switch (cell.writer, value) {
            case (.integer, .integer(let integer)): try statement.bind(integer, at: index)
            case (.real, .real(let real)): try statement.bind(real, at: index)
            case (.text, .text(let text)): try statement.bind(text, at: index, in: texts)
            case (.uuid, .uuid(let uuid)): try statement.bind(uuid, at: index)
            case (.bytes, .bytes(let data)): try statement.bind(data, at: index)
            case (.reference, _): try bindReference(value, cell, of: entity, at: index, statement)
            case (_, .null): try statement.bindNull(at: index)
            case (.external, .bytes(let data)): try statement.bind(try externalCell(data), at: index)
            default: try statement.bind(try ColumnCodec.cell(of: value, cell.type), at: index)
            }
            index += cell.width
        }
        return index
    }

    private mutating func bindReference(
        _ value: Value, _ cell: WriteCell, of entity: Entity, at index: Int, _ statement: Statement
    ) throws {
        switch value {
        case .null:
            try statement.bindNull(at: index)
            if cell.hasNumber { try statement.bindNull(at: index + 1) }
        case .reference(let reference):
            let id = reference.isTemporary ? permanent.current(reference) : reference
            guard let destination = entityIndex(of: id.space) else {
                throw ChangeSetError.unknownReference(
                    entity: entity.name, property: entity.propertyName(ofSlot: cell.slot), id: id)
            }
            try statement.bind(id.key, at: index)
            if cell.hasNumber {
                try statement.bind(Int64(map.entities[destination].entityNumber), at: index + 1)
            }
        default:
            try statement.bind(try ColumnCodec.cell(of: value, cell.type), at: index)
            if cell.hasNumber { try statement.bindNull(at: index + 1) }
        }
    }

    private mutating func externalCell(_ value: Data) throws -> Data {
        guard let externalData else { return ExternalData.inlineCell(for: value) }
        let (cell, file) = try externalData.cell(for: value)
        if let file { newFiles.append(file) }
        return cell
    }

    /// Takes back the files written since there were so many: the statement they were for did nothing.
    mutating func dropFiles(after count: Int) {
        guard newFiles.count > count else { return }
        externalData?.remove(newFiles[count...])
        newFiles.removeSubrange(count...)
    }

    private mutating func entityIndex(of space: IDSpace) -> Int? {
        if let lastDestination, lastDestination.space == space { return lastDestination.entityIndex }
        guard let found = spaces.entityIndex(of: space) else { return nil }
        lastDestination = (space, found)
        return found
    }

    /// A row's identity in this store.
    /// - Throws: `ChangeSetError.notARow`.
    func row(_ id: ObjectID) throws -> ObjectID {
        let id = permanent.current(id)
        guard spaces.entityIndex(of: id) != nil else { throw ChangeSetError.notARow(id) }
        return id
    }
}

extension ExternalData {
    /// The cell of a store that has no folder: the value itself after the tag that says so.
    static func inlineCell(for value: Data) -> Data { Data([1]) + value }
}
