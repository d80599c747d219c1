/// Takes CSV apart, as RFC 4180 has it: cells in quotes may hold separators and line ends.
package struct CSVReading {
    private let bytes: ByteReader
    private var line: [String?] = []
    private var cell: [UInt8] = []
    private var wasQuoted = false

    init(_ bytes: ByteReader) { self.bytes = bytes }

    /// A cell without quotes that is empty is no value; in quotes it is the empty text.
    package static func lines(_ text: String) -> [[String?]] {
        var reading = CSVReading(ByteReader(Array(text.utf8)))
        var lines: [[String?]] = []
        while let line = try? reading.next() { lines.append(line) }
        return lines
    }

    /// The next line that has anything in it; `nil` at the end.
    /// - Throws: `InspectionError.badInput`.
    mutating func next() throws -> [String?]? {
        while let byte = try bytes.next() {
            switch byte {
            case Self.quote where cell.isEmpty && !wasQuoted: try readQuoted()
            case Self.comma: endCell()
            case Self.lineFeed, Self.carriageReturn:
                if byte == Self.carriageReturn, try bytes.peek() == Self.lineFeed { _ = try bytes.next() }
                endCell()
                if let line = takeLine() { return line }
            default:
                cell.append(byte)
                try bytes.take(upTo: Self.endsCell, into: &cell)
            }
        }
        guard !cell.isEmpty || wasQuoted || !line.isEmpty else { return nil }
        endCell()
        return takeLine()
    }

    private mutating func readQuoted() throws {
        wasQuoted = true
        while true {
            try bytes.take(upTo: { $0 == Self.quote }, into: &cell)
            // One alone ends the cell, two are one of its content.
            guard try bytes.next() != nil, try bytes.peek() == Self.quote, let quote = try bytes.next() else { return }
            cell.append(quote)
        }
    }

    private static func endsCell(_ byte: UInt8) -> Bool { byte == comma || byte == lineFeed || byte == carriageReturn }

    private mutating func endCell() {
        line.append(cell.isEmpty && !wasQuoted ? nil : String(decoding: cell, as: UTF8.self))
        cell.removeAll(keepingCapacity: true)
        wasQuoted = false
    }

    /// - Returns: `nil` for an empty line.
    private mutating func takeLine() -> [String?]? {
        defer { line = [] }
        return line == [nil] ? nil : line
    }

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let lineFeed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D
}
