import ObjectGraph

/// The column of one slot (or two columns, with the destination's entity number), and how to bind its value.
package struct WriteColumn: Sendable {
    package let name: String
    package let numberName: String?
    /// For a to-one key: the column of the row's order key at the other end.
    let orderName: String?
    package let cell: WriteCell

    init(slot: Int, _ column: SlotColumn, order: String?) {
        orderName = order
        name = column.name
        numberName = column.entityNumberColumn
        cell = WriteCell(
            slot: slot, type: column.type, writer: CellWriter(column), hasNumber: column.entityNumberColumn != nil)
    }

    package var slot: Int { cell.slot }
    package var type: AttributeType { cell.type }
    package var writer: CellWriter { cell.writer }
    package var names: [String] { numberName.map { [name, $0] } ?? [name] }
    /// With the order key.
    package var allNames: [String] { names + [orderName].compactMap { $0 } }
}

/// The information needed to bind one column's value. Without names, so that iterating over the cells of every row
/// involves no reference counting.
package struct WriteCell: Sendable {
    package let slot: Int
    package let type: AttributeType
    package let writer: CellWriter
    /// Whether the destination's entity number is stored beside the key.
    package let hasNumber: Bool
    /// The number of columns.
    package let width: Int

    init(slot: Int, type: AttributeType, writer: CellWriter, hasNumber: Bool) {
        self.slot = slot
        self.type = type
        self.writer = writer
        self.hasNumber = hasNumber
        width = hasNumber ? 2 : 1
    }
}

package enum CellWriter: UInt8, Sendable {
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
