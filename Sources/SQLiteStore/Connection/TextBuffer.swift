import CSQLite

/// Memory for the texts of one row while a statement uses them. Texts bound from here are not copied by SQLite, which
/// saves an allocation for each.
final class TextBuffer {
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
    // Exempt from run-time exclusivity checks, because it is used for every text: no other access can happen during a
    // read or write.
    @exclusivity(unchecked) private var used = 0

    /// Longer texts are rare, and copying them costs little compared to writing them.
    private static let capacity = 4096

    deinit { bytes.deallocate() }

    /// Empties the buffer. Call it only while no running statement has texts from here.
    func removeAll() { used = 0 }

    /// - Returns: The text's UTF-8 bytes, which stay valid until `removeAll()`; `nil` if the buffer is full.
    fileprivate func keep(_ text: String) -> UnsafeRawBufferPointer? {
        let kept = text.utf8.withContiguousStorageIfAvailable { utf8 -> UnsafeRawBufferPointer? in
            guard utf8.count <= bytes.count - used else { return nil }
            let place = UnsafeMutableRawBufferPointer(rebasing: bytes[used..<used + utf8.count])
            place.copyMemory(from: UnsafeRawBufferPointer(utf8))
            used += utf8.count
            return UnsafeRawBufferPointer(place)
        }
        return kept ?? nil
    }
}

extension Statement {
    /// Binds a text that stays in the buffer until the statement has run. The binding must be replaced or cleared before
    /// the statement runs again.
    func bind(_ value: String, at index: Int, in buffer: TextBuffer) throws {
        guard !value.isEmpty, let bytes = buffer.keep(value) else { return try bind(value, at: index) }
        try check(
            sqlite3_bind_text64(
                handle, Int32(truncatingIfNeeded: index), bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                UInt64(bytes.count), nil, UInt8(SQLITE_UTF8)))
    }
}
