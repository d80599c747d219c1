import Foundation
import ObjectGraph
import StoreSQL

/// The values of a row in slot order.
protocol SlotList: RandomAccessCollection where Element == Value, Index == Int {}
extension SlotValues: SlotList {}
extension [Value]: SlotList {}

/// Binds values to statements. This is the inner loop of every save.
struct RowWriter {
    let spaces: EntitySpaces
    let map: StorageMap
    let externalData: ExternalData?
    /// The permanent identities of the change set's insertions.
    var permanent = PermanentIDs()
    /// Files written so far, to be removed if the save fails.
    private(set) var newFiles: [String] = []
    /// The space and entity of the reference bound last: consecutive references mostly have the same.
    private var lastDestination: (space: IDSpace, entityIndex: Int)?
    /// The texts of the row bound last.
    private let texts = TextBuffer()

    init(spaces: EntitySpaces, map: StorageMap, externalData: ExternalData?) {
        self.spaces = spaces
        self.map = map
        self.externalData = externalData
    }

    /// Binds the columns in order. The statement must run before the next row is bound.
    /// - Returns: The next free parameter.
    /// - Throws: `CellError`, `ChangeSetError`, `ExternalDataError`.
    @inline(__always)
    mutating func bind(
        _ values: some SlotList, _ cells: [WriteCell], of entity: Entity, from first: Int, _ statement: Statement
    ) throws -> Int {
        var index = first
        texts.removeAll()
        for cell in cells {
            let value = values[cell.slot]
            try write(value, cell, of: entity, to: StatementParameter(statement: statement, index: index, texts: texts))
            if cell.hasNumber {
                try writeNumber(value, to: StatementParameter(statement: statement, index: index + 1, texts: texts))
            }
            index += cell.width
        }
        return index
    }

    /// Writes the value of one column; for a reference, the key.
    /// - Throws: `CellError`, `ChangeSetError`, `ExternalDataError`.
    @inline(__always)
    mutating func write(_ value: Value, _ cell: WriteCell, of entity: Entity, to sink: some CellSink) throws {
        switch (cell.writer, value) {
        case (.integer, .integer(let integer)): try sink.take(integer)
        case (.real, .real(let real)): try sink.take(real)
        case (.text, .text(let text)): try sink.take(text)
        case (.uuid, .uuid(let uuid)): try sink.take(uuid)
        case (.bytes, .bytes(let data)): try sink.take(data)
        case (.reference, _): try writeReference(value, cell, of: entity, to: sink)
        case (_, .null): try sink.takeNull()
        case (.external, .bytes(let data)): try sink.take(try externalCell(data))
        default: try sink.take(try ColumnCodec.cell(of: value, cell.type))
        }
    }

    private mutating func writeReference(
        _ value: Value, _ cell: WriteCell, of entity: Entity, to sink: some CellSink
    ) throws {
        switch value {
        case .null: try sink.takeNull()
        case .reference(let reference):
            let id = current(reference)
            guard entityIndex(of: id.space) != nil else {
                throw ChangeSetError.unknownReference(
                    entity: entity.name, property: entity.propertyName(ofSlot: cell.slot), id: id)
            }
            try sink.take(id.key)
        default: try sink.take(try ColumnCodec.cell(of: value, cell.type))
        }
    }

    /// Writes the column beside a reference's key: the entity number of the destination.
    mutating func writeNumber(_ value: Value, to sink: some CellSink) throws {
        guard case .reference(let reference) = value, let destination = entityIndex(of: current(reference).space) else {
            return try sink.takeNull()
        }
        try sink.take(Int64(map.entities[destination].entityNumber))
    }

    private func current(_ id: ObjectID) -> ObjectID { id.isTemporary ? permanent.current(id) : id }

    private mutating func externalCell(_ value: Data) throws -> Data {
        guard let externalData else { return ExternalData.inlineCell(for: value) }
        let (cell, file) = try externalData.cell(for: value)
        if let file { newFiles.append(file) }
        return cell
    }

    /// Removes the files written since the count: the statement that they were for had no effect.
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

    /// Returns a row's identity in this store.
    /// - Throws: `ChangeSetError.notARow`.
    func row(_ id: ObjectID) throws -> ObjectID {
        let id = permanent.current(id)
        guard spaces.entityIndex(of: id) != nil else { throw ChangeSetError.notARow(id) }
        return id
    }
}

extension ExternalData {
    /// Returns the cell for a store without a folder: a tag for inline values, followed by the value.
    static func inlineCell(for value: Data) -> Data { Data([1]) + value }
}
