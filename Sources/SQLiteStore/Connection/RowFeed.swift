import CSQLite

/// Rows that are made while a statement reads them, as the table function `SQLNames.feed`. An `INSERT … SELECT` writes all
/// of them in one run, which takes a third less time than to run an `INSERT` for each: a statement begins, ends, and
/// takes and gives back memory for the record every time.
///
/// Subclasses make the rows.
class RowFeed {
    /// What making a row failed with.
    fileprivate final var failure: (any Error)?

    /// Moves to the next row, at first to the first one.
    /// - Returns: `false` after the last one.
    func advance() throws -> Bool { false }

    /// Gives the value of a column of the current row.
    func report(_ column: Int, to cell: ResultCell) throws { cell.takeNull() }

    /// Calls what may throw for SQLite, which is told that there was an error only.
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
    /// Runs to the end.
    /// - Parameter index: of the parameter that stands for the feed.
    /// - Throws: what the feed throws, and `SQLiteError`.
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

/// A table function without state of its own: everything is in the feed it is given.
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
    /// Borrowed: the statement's binding keeps it until the statement is done.
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

/// A parameter that is no feed gives no rows.
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

/// Nobody asks for it.
private func rowID(
    _: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ result: UnsafeMutablePointer<sqlite3_int64>?
) -> Int32 {
    result?.pointee = 0
    return SQLITE_OK
}
