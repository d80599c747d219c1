import CSQLite
import ObjectGraph
import StoreSQL

/// A set of keys handed to SQLite by pointer, and tested for each row of a table scan by the function `SQLNames.hasKey`.
// Safety of `@unchecked Sendable`: the memory is written in `init` only.
package final class KeyFilter: @unchecked Sendable {
    private let keys: KeySet
    private let first: Int64
    private let bitCount: UInt64
    private let words: UnsafeMutableBufferPointer<UInt64>

    package init(_ keys: KeySet) {
        self.keys = keys
        let bits = keys.bits
        first = (bits?.firstWord ?? 0) << 6
        words = .allocate(capacity: bits?.words.count ?? 0)
        _ = words.initialize(from: bits?.words ?? [])
        bitCount = UInt64(words.count) * 64
    }

    deinit { words.deallocate() }

    @inline(__always)
    func contains(_ key: Int64) -> Bool {
        guard bitCount > 0 else { return keys.contains(key) }
        let place = UInt64(bitPattern: key &- first)
        return place < bitCount && words[Int(place >> 6)] >> (place & 63) & 1 == 1
    }

    static var pointerType: UnsafePointer<CChar> { UnsafePointer(lasting: "OSDKeyFilter") }

    static func register(on handle: OpaquePointer) throws {
        let result = sqlite3_create_function_v2(
            handle, SQLNames.hasKey, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, hasKey, nil, nil, nil)
        guard result == SQLITE_OK else { throw SQLiteError(connection: handle, result: result) }
    }
}

private func hasKey(_ context: OpaquePointer?, _: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let arguments, let pointer = sqlite3_value_pointer(arguments[0], KeyFilter.pointerType),
        sqlite3_value_type(arguments[1]) == SQLITE_INTEGER
    else { return sqlite3_result_int(context, 0) }
    let key = sqlite3_value_int64(arguments[1])
    let isThere = Unmanaged<KeyFilter>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.contains(key) }
    sqlite3_result_int(context, isThere ? 1 : 0)
}

extension Statement {
    /// Binds the first argument of the `KeyFilter` function.
    package func bind(_ filter: KeyFilter, at index: Int) throws {
        try check(
            sqlite3_bind_pointer(
                handle, Int32(truncatingIfNeeded: index), Unmanaged.passRetained(filter).toOpaque(),
                KeyFilter.pointerType, releaseKeyFilter))
    }
}

private func releaseKeyFilter(_ pointer: UnsafeMutableRawPointer?) {
    if let pointer { Unmanaged<KeyFilter>.fromOpaque(pointer).release() }
}
