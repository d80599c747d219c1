/// Parses JSON incrementally, for files too large for memory: iterates lists and objects, and parses each contained
/// value as a whole.
struct JSONStream {
    let bytes: ByteReader

    private func error(_ reason: String) -> JSONReadingError {
        JSONReadingError(offset: Int(clamping: bytes.offset), line: bytes.line, reason: reason)
    }

    /// The first byte of the next value; `nil` at the end.
    func peek() throws -> UInt8? {
        while let byte = try bytes.peek() {
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            _ = try bytes.next()
        }
        return nil
    }

    /// - Returns: whether the mark was next.
    func take(_ mark: Unicode.Scalar) throws -> Bool {
        guard try peek() == UInt8(ascii: mark) else { return false }
        _ = try bytes.next()
        return true
    }

    /// Calls the closure at the beginning of each element. The closure must read the element.
    func forEachElement(_ body: (_ number: Int) throws -> Void) throws {
        guard try take("[") else { throw error("a list is missing") }
        if try take("]") { return }
        var number = 0
        repeat {
            number += 1
            try body(number)
        } while try take(",")
        guard try take("]") else { throw error("a closing bracket is missing") }
    }

    /// Calls the closure at the beginning of each field's value. The closure must read the value.
    func forEachField(_ body: (_ name: String) throws -> Void) throws {
        guard try take("{") else { throw error("an object is missing") }
        if try take("}") { return }
        repeat {
            guard try peek() == UInt8(ascii: "\""), let name = try value().textValue else {
                throw error("a name in quotes is missing")
            }
            guard try take(":") else { throw error("a colon is missing") }
            try body(name)
        } while try take(",")
        guard try take("}") else { throw error("a closing brace is missing") }
    }

    /// Reads one value as a whole.
    func value() throws -> InspectedValue {
        guard let first = try peek() else { throw error("a value is missing") }
        let (offset, line) = (bytes.offset, bytes.line)
        do {
            return try JSONReading.value(bytes: try extent(first))
        } catch let error as JSONReadingError {
            // Converts positions within the value to positions in the stream.
            throw JSONReadingError(
                offset: Int(clamping: offset) + error.offset, line: line + error.line - 1, reason: error.reason)
        }
    }

    /// Reads the bytes of one value: up to its closing bracket or quotation mark, or to the end of a word or number.
    private func extent(_ first: UInt8) throws -> [UInt8] {
        var found: [UInt8] = []
        var depth = 0
        repeat {
            guard let byte = try bytes.peek() else { return found }
            switch byte {
            case UInt8(ascii: "\""): try string(&found)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                found.append(byte)
                _ = try bytes.next()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth < 0 { return found }
                found.append(byte)
                _ = try bytes.next()
            default:
                if depth == 0 { return try word() }
                try bytes.take(upTo: Self.isMark, into: &found)
            }
        } while depth > 0
        return found
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"): true
        default: false
        }
    }

    private func string(_ found: inout [UInt8]) throws {
        guard let quote = try bytes.next() else { return }
        found.append(quote)
        while true {
            try bytes.take(upTo: { $0 == quote || $0 == UInt8(ascii: "\\") }, into: &found)
            guard let byte = try bytes.next() else { return }
            found.append(byte)
            if byte == quote { return }
            if let escaped = try bytes.next() { found.append(escaped) }
        }
    }

    private func word() throws -> [UInt8] {
        var found: [UInt8] = []
        while let byte = try bytes.peek(), byte > 0x20, !",]}[{\":".utf8.contains(byte) {
            found.append(byte)
            _ = try bytes.next()
        }
        // Reads a byte that no value begins with, which is then rejected.
        if found.isEmpty, let byte = try bytes.next() { found.append(byte) }
        return found
    }
}
