import CSQLite
import Foundation
import StoreSQL

/// Values handed to SQLite by pointer, so that their number has no limit and none is copied into the statement. Read
/// through the table function `SQLNames.values`.
// Safety of `@unchecked Sendable`: the memory is written in `init` only.
package final class ValueList: @unchecked Sendable {
    private let integers: UnsafeMutableBufferPointer<Int64>
    private let cells: [Cell]
    package let count: Int

    package init(_ keys: some Collection<Int64>) {
        integers = .allocate(capacity: keys.count)
        _ = integers.initialize(from: keys)
        cells = []
        count = keys.count
    }

    package init(cells: [Cell]) {
        integers = .allocate(capacity: 0)
        self.cells = cells
        count = cells.count
    }

    deinit { integers.deallocate() }

    static var pointerType: UnsafePointer<CChar> { UnsafePointer(lasting: "OSDValueList") }

    /// The caller has checked `row` against `count`.
    @inline(__always)
    fileprivate func report(_ row: Int, to context: OpaquePointer?) {
        if cells.isEmpty {
            sqlite3_result_int64(context, integers[row])
        } else {
            SQLFunctions.report(cells[row], to: context)
        }
    }
}

// MARK: The table function

/// The table function. It has no state of its own: everything is in its argument, the list.
enum ValueListTable {
    static func register(on handle: OpaquePointer) throws {
        try table.register(as: SQLNames.values, on: handle)
    }

    private static let table: TableFunction = {
        var module = TableFunction.module
        module.xConnect = connect
        module.xBestIndex = chooseIndex
        module.xOpen = { Cursor.open($1) }
        module.xClose = { Cursor.close($0) }
        module.xFilter = filter
        module.xNext = next
        module.xEof = isAtEnd
        module.xColumn = column
        module.xRowid = rowID
        return TableFunction(module)
    }()
}

private struct Cursor: TableCursor {
    var base = sqlite3_vtab_cursor()
    var row = 0
    var count = 0
    /// Unowned: the statement's binding retains it until the cursor is filtered again or closed.
    var list: Unmanaged<ValueList>?
}

private func connect(
    _ handle: OpaquePointer?, _: UnsafeMutableRawPointer?, _: Int32, _: UnsafePointer<UnsafePointer<CChar>?>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
    _: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    TableFunction.declare("\(SQLNames.valueColumn), list HIDDEN", on: handle, result)
}

private func chooseIndex(
    _: UnsafeMutablePointer<sqlite3_vtab>?, _ plan: UnsafeMutablePointer<sqlite3_index_info>?
) -> Int32 {
    TableFunction.choose(parameter: 1, plan)
}

/// A parameter that is not a `ValueList` gives no rows.
private func filter(
    _ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _: Int32, _: UnsafePointer<CChar>?, _ count: Int32,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let cursor = Cursor.at(pointer) else { return SQLITE_MISUSE }
    let given = count == 1 ? sqlite3_value_pointer(arguments?[0], ValueList.pointerType) : nil
    cursor.pointee.list = given.map { Unmanaged<ValueList>.fromOpaque($0) }
    cursor.pointee.count = cursor.pointee.list?._withUnsafeGuaranteedRef { $0.count } ?? 0
    cursor.pointee.row = 0
    return SQLITE_OK
}

private func next(_ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
    Cursor.at(pointer)?.pointee.row += 1
    return SQLITE_OK
}

private func isAtEnd(_ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
    guard let cursor = Cursor.at(pointer) else { return 1 }
    return cursor.pointee.row >= cursor.pointee.count ? 1 : 0
}

private func column(
    _ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ context: OpaquePointer?, _ column: Int32
) -> Int32 {
    guard column == 0, let cursor = Cursor.at(pointer), cursor.pointee.row < cursor.pointee.count else {
        sqlite3_result_null(context)
        return SQLITE_OK
    }
    let row = cursor.pointee.row
    cursor.pointee.list?._withUnsafeGuaranteedRef { $0.report(row, to: context) }
    return SQLITE_OK
}

private func rowID(
    _ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ result: UnsafeMutablePointer<sqlite3_int64>?
) -> Int32 {
    result?.pointee = Cursor.at(pointer).map { Int64($0.pointee.row) } ?? 0
    return SQLITE_OK
}
