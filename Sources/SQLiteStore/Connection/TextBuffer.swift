import CSQLite

/// Room for the texts of one row while a statement uses them. Texts bound from here are not copied by SQLite, which
/// would take memory for each and give it back again.
final class TextBuffer {
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
    // Exempt from run-time exclusivity checks, as it is on the path of every text: nothing runs while it is read or set.
    @exclusivity(unchecked) private var used = 0

    /// Longer texts are rare, and copying them costs little beside writing them.
    private static let capacity = 4096

    deinit { bytes.deallocate() }

    /// To be called when no statement runs that has texts from here.
    func removeAll() { used = 0 }

    /// - Returns: the text's bytes in UTF-8, where they stay until `removeAll()`; `nil` when there is no room.
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
    /// Binds a text that stays in the buffer until the statement has run; its binding must be replaced or cleared before
    /// the statement runs again.
    func bind(_ value: String, at index: Int, in buffer: TextBuffer) throws {
        guard !value.isEmpty, let bytes = buffer.keep(value) else { return try bind(value, at: index) }
        try check(
            sqlite3_bind_text64(
                handle, Int32(truncatingIfNeeded: index), bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                UInt64(bytes.count), nil, UInt8(SQLITE_UTF8)))
    }
}
