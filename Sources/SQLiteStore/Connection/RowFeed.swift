import CSQLite
import StoreSQL

/// Rows generated while a statement reads them, through the table function `SQLNames.feed`. An `INSERT … SELECT` writes
/// all of them in one run, which takes a third less time than one `INSERT` for each: every run of a statement starts,
/// ends, and allocates and frees memory for the record.
///
/// Subclasses generate the rows.
class RowFeed {
    /// The error thrown while generating a row.
    fileprivate final var failure: (any Error)?

    /// Moves to the next row; the first call moves to the first row.
    /// - Returns: `false` after the last row.
    func advance() throws -> Bool { false }

    /// Reports the value of a column of the current row.
    func report(_ column: Int, to cell: ResultCell) throws { cell.takeNull() }

    /// Runs a throwing body for SQLite, keeps the error, and returns an error code.
    @inline(__always)
    fileprivate final func attempt(_ body: () throws -> Void) -> Int32 {
        do {
            try body()
            return SQLITE_OK
        } catch {
            failure = error
            return SQLITE_ERROR
        }
    }
}

extension Statement {
    /// Runs the statement to its end.
    /// - Parameter index: The index of the parameter that stands for the feed.
    /// - Throws: The errors of the feed, and `SQLiteError`.
    func run(_ feed: RowFeed, at index: Int) throws {
        try check(
            sqlite3_bind_pointer(
                handle, Int32(truncatingIfNeeded: index), Unmanaged.passRetained(feed).toOpaque(),
                RowFeedTable.pointerType, releaseFeed))
        do {
            try run()
        } catch {
            throw feed.failure ?? error
        }
    }
}

private func releaseFeed(_ pointer: UnsafeMutableRawPointer?) {
    if let pointer { Unmanaged<RowFeed>.fromOpaque(pointer).release() }
}

// MARK: The table function

/// The table function. It has no state of its own: everything is in its argument, the feed.
enum RowFeedTable {
    static func register(on handle: OpaquePointer) throws {
        try module.register(as: SQLNames.feed, on: handle)
    }

    private static let module: TableFunction = {
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

    static var pointerType: UnsafePointer<CChar> { UnsafePointer(lasting: "OSDRowFeed") }
}

private struct Cursor: TableCursor {
    var base = sqlite3_vtab_cursor()
    var isAtEnd = true
    /// Unowned: the statement's binding retains it until the statement is done.
    var feed: Unmanaged<RowFeed>?
}

private func connect(
    _ handle: OpaquePointer?, _: UnsafeMutableRawPointer?, _: Int32, _: UnsafePointer<UnsafePointer<CChar>?>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
    _: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    let columns = (0..<SQLNames.feedColumnCount).map(SQLNames.feedColumn)
    return TableFunction.declare("feed HIDDEN, \(columns.joined(separator: ", "))", on: handle, result)
}

private func chooseIndex(
    _: UnsafeMutablePointer<sqlite3_vtab>?, _ plan: UnsafeMutablePointer<sqlite3_index_info>?
) -> Int32 {
    TableFunction.choose(parameter: 0, plan)
}

/// A parameter that is not a feed gives no rows.
private func filter(
    _ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _: Int32, _: UnsafePointer<CChar>?, _ count: Int32,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let cursor = Cursor.at(pointer) else { return SQLITE_MISUSE }
    let given = count == 1 ? sqlite3_value_pointer(arguments?[0], RowFeedTable.pointerType) : nil
    cursor.pointee.feed = given.map { Unmanaged<RowFeed>.fromOpaque($0) }
    return next(pointer)
}

private func next(_ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
    guard let cursor = Cursor.at(pointer) else { return SQLITE_MISUSE }
    return cursor.pointee.feed?._withUnsafeGuaranteedRef { feed in
        feed.attempt { cursor.pointee.isAtEnd = try !feed.advance() }
    } ?? SQLITE_OK
}

private func isAtEnd(_ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
    Cursor.at(pointer)?.pointee.isAtEnd == false ? 0 : 1
}

/// The first column is the feed itself.
private func column(
    _ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ context: OpaquePointer?, _ column: Int32
) -> Int32 {
    guard column > 0, let feed = Cursor.at(pointer)?.pointee.feed else {
        sqlite3_result_null(context)
        return SQLITE_OK
    }
    return feed._withUnsafeGuaranteedRef { feed in
        feed.attempt { try feed.report(Int(column) - 1, to: ResultCell(context: context)) }
    }
}

/// Required by SQLite, but never called.
private func rowID(
    _: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ result: UnsafeMutablePointer<sqlite3_int64>?
) -> Int32 {
    result?.pointee = 0
    return SQLITE_OK
}
