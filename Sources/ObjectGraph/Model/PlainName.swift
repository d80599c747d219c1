/// Names of entities and properties that may also be names of tables and columns.
package enum PlainName {
    /// Whether a name needs no quotes in SQL: it has only letters, digits, underscores, dollar signs and characters
    /// beyond ASCII, and does not begin with a digit.
    package static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, !isDigit(first) else { return false }
        return name.utf8.allSatisfy { isDigit($0) || isLetter($0) || $0 == 0x5F || $0 == 0x24 || $0 >= 0x80 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
}
