import CSQLite

/// The common part of table functions with one parameter, which is a hidden column.
// Safety of `@unchecked Sendable`: the memory is written once before it is shared, and only read afterwards.
struct TableFunction: @unchecked Sendable {
    /// SQLite keeps this address.
    let pointer: UnsafeMutablePointer<sqlite3_module>

    init(_ module: sqlite3_module) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: module)
    }

    /// The module without the callbacks that differ between table functions.
    static var module: sqlite3_module {
        var module = sqlite3_module()
        module.iVersion = 0
        module.xDisconnect = disconnect
        return module
    }

    func register(as name: String, on handle: OpaquePointer) throws {
        let result = sqlite3_create_module_v2(handle, name, pointer, nil, nil)
        guard result == SQLITE_OK else { throw SQLiteError(connection: handle, result: result) }
    }

    static func declare(
        _ columns: String, on handle: OpaquePointer?,
        _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
    ) -> Int32 {
        let code = sqlite3_declare_vtab(handle, "CREATE TABLE x(\(columns))")
        guard code == SQLITE_OK else { return code }
        let table = UnsafeMutablePointer<sqlite3_vtab>.allocate(capacity: 1)
        table.initialize(to: sqlite3_vtab())
        result?.pointee = table
        return SQLITE_OK
    }

    /// Chooses a query plan that passes the parameter. Refuses plans without it, because the table would have nothing to
    /// read.
    /// - Parameter column: The index of the hidden column.
    static func choose(parameter column: Int32, _ plan: UnsafeMutablePointer<sqlite3_index_info>?) -> Int32 {
        guard let plan else { return SQLITE_MISUSE }
        for index in 0..<Int(plan.pointee.nConstraint) {
            guard let constraint = plan.pointee.aConstraint?[index],
                constraint.iColumn == column, constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ)
            else { continue }
            guard constraint.usable != 0 else { return SQLITE_CONSTRAINT }
            plan.pointee.aConstraintUsage[index].argvIndex = 1
            plan.pointee.aConstraintUsage[index].omit = 1
            plan.pointee.estimatedCost = 100
            plan.pointee.estimatedRows = 100
            return SQLITE_OK
        }
        return SQLITE_CONSTRAINT
    }
}

/// The cursor of a table function. SQLite identifies it by the address of the first member, which must be a
/// `sqlite3_vtab_cursor`. The cursor does not own the object it reads from.
protocol TableCursor {
    init()
}

extension TableCursor {
    static func at(_ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<Self>? {
        pointer.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Self.self) }
    }

    static func open(_ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?) -> Int32 {
        let cursor = UnsafeMutablePointer<Self>.allocate(capacity: 1)
        cursor.initialize(to: Self())
        result?.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
        return SQLITE_OK
    }

    static func close(_ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
        at(pointer)?.deallocate()
        return SQLITE_OK
    }
}

private func disconnect(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
    table?.deallocate()
    return SQLITE_OK
}
