import Foundation
import ObjectGraph
import StoreSQL

/// Converts the current row of a statement to a snapshot, in the slot order of the row's own entity.
struct RowReader: Sendable {
    let layouts: RowLayouts
    /// The folder of external values; `nil` for a store in memory, which keeps them in its rows.
    let externalData: ExternalData?
    /// Collects cells that cannot be read, whose values are then nil; `nil` to throw at the first one.
    var unreadable: UnreadableCells?

    /// - Returns: `nil` for a row of an entity that the layout does not read.
    /// - Throws: `CellError` or `ExternalDataError` for a damaged row, unless such cells are collected.
    @inline(__always)
    func snapshot(_ statement: Statement, _ layout: RowLayout) throws -> Snapshot? {
        guard let plan = plan(statement, layout) else { return nil }
        let id = ObjectID(space: plan.space, key: statement.integer(at: RowLayout.keyColumn))
        let version = statement.integer(at: RowLayout.versionColumn)
        do {
            return Snapshot(id: id, version: version, values: try values(statement, plan))
        } catch {
            if let unreadable { return readablePart(statement, plan, id, version, unreadable) }
            guard var error = error as? CellError else { throw error }
            error.place = place(statement, plan, layout, id)
            throw error
        }
    }

    /// Reads the row with nil for each cell that cannot be read.
    @inline(never)
    private func readablePart(
        _ statement: Statement, _ plan: RowPlan, _ id: ObjectID, _ version: Int64, _ unreadable: UnreadableCells
    ) -> Snapshot {
        let values = SlotValues(nulls: plan.cells.count)
        var faults: [Int: CellFault] = [:]
        for slot in plan.cells.indices {
            do {
                try read(statement, plan.cells[slot], into: values, slot)
            } catch let error as ExternalDataError {
                faults[slot] = CellFault(error)
            } catch {
                faults[slot] =
                    (error as? CellError).map(CellFault.init)
                    ?? .wrongType(
                        plan.cells[slot].type, found: statement.cell(at: plan.cells[slot].column).storageClass)
            }
        }
        unreadable.note(faults, of: id)
        return Snapshot(id: id, version: version, values: values)
    }

    /// Finds the first cell of a row that cannot be read.
    @inline(never)
    private func place(_ statement: Statement, _ plan: RowPlan, _ layout: RowLayout, _ id: ObjectID) -> String {
        let values = SlotValues(nulls: plan.cells.count)
        let slot = plan.cells.indices.first { (try? read(statement, plan.cells[$0], into: values, $0)) == nil }
        return "\(id.entityName)/p\(id.key)" + (slot.map { ", column \(layout.columns[plan.cells[$0].column])" } ?? "")
    }

    @inline(__always)
    private func plan(_ statement: Statement, _ layout: RowLayout) -> RowPlan? {
        guard layout.hasNumber else { return layout.plans[0] }
        guard let number = Int(exactly: statement.integer(at: RowLayout.numberColumn)),
            layout.plans.indices.contains(number)
        else { return nil }
        return layout.plans[number]
    }

    @inline(__always)
    private func values(_ statement: Statement, _ plan: RowPlan) throws -> SlotValues {
        let values = SlotValues(nulls: plan.cells.count)
        for slot in plan.cells.indices { try read(statement, plan.cells[slot], into: values, slot) }
        return values
    }

    @inline(__always)
    private func read(_ statement: Statement, _ cell: CellPlan, into values: SlotValues, _ slot: Int) throws {
        if cell.reader == .absent { return }
        let found = statement.view(at: cell.column)
        if cell.reader == .text {
            if let text = found.text { values.fillNull(slot, text: text) }
            return
        }
        switch (cell.reader, found.kind) {
        case (_, .null): break
        case (.integer, .integer): values.fillNull(slot, integer: found.integer)
        case (.real, .real), (.real, .integer): values.fillNull(slot, real: found.real)
        case (.reference, .integer):
            values.fillNull(slot, reference: ObjectID(space: cell.space, key: found.integer))
        case (.numberedReference, .integer): values.fillNull(slot, with: numberedReference(statement, cell))
        default: values.fillNull(slot, with: try slowValue(statement, cell))
        }
    }

    /// Reads a reference with its entity number. If the number is missing or unknown, uses the declared destination.
    private func numberedReference(_ statement: Statement, _ cell: CellPlan) -> Value {
        let space = layouts.space(number: statement.integer(at: cell.numberColumn)) ?? cell.space
        return .reference(ObjectID(space: space, key: statement.integer(at: cell.column)))
    }

    /// Reads bytes, and cells whose storage class differs from that of the column.
    @inline(never)
    private func slowValue(_ statement: Statement, _ cell: CellPlan) throws -> Value {
        switch cell.reader {
        case .uuid:
            if let uuid = statement.uuid(at: cell.column) { return .uuid(uuid) }
        case .bytes:
            if statement.kind(at: cell.column) == .blob { return .bytes(statement.bytes(at: cell.column)) }
        case .external:
            return .bytes(try external(statement.bytes(at: cell.column)))
        case .absent, .integer, .real, .text, .coded, .reference, .numberedReference: break
        }
        return try ColumnCodec.value(of: statement.cell(at: cell.column), cell.type)
    }

    private func external(_ cell: Data) throws -> Data {
        if let externalData { return try externalData.value(of: cell) }
        switch try ExternalData.content(of: cell) {
        case .inline(let value): return value
        case .file(let name): throw ExternalDataError.unreadableFile(name)
        }
    }
}
