/// Parses CSV according to RFC 4180: quoted cells may contain separators and line ends.
package struct CSVReading {
    private let bytes: ByteReader
    private var line: [String?] = []
    private var cell: [UInt8] = []
    private var wasQuoted = false

    init(_ bytes: ByteReader) { self.bytes = bytes }

    /// An empty cell is nil without quotes, and the empty text with quotes.
    /// - Throws: `CSVReadingError`.
    package static func lines(_ text: String) throws -> [[String?]] {
        var reading = CSVReading(ByteReader(Array(text.utf8)))
        var lines: [[String?]] = []
        while let line = try reading.next() { lines.append(line) }
        return lines
    }

    /// Returns the next line that is not empty; `nil` at the end.
    /// - Throws: `CSVReadingError`, `InspectionError.badInput`.
    mutating func next() throws -> [String?]? {
        var number = bytes.line
        while let byte = try bytes.next() {
            defer { number = bytes.line }
            switch byte {
            case Self.quote where cell.isEmpty && !wasQuoted: try readQuoted()
            case Self.comma: try endCell(number)
            case Self.lineFeed, Self.carriageReturn:
                try endCell(number)
                if byte == Self.carriageReturn, try bytes.peek() == Self.lineFeed { _ = try bytes.next() }
                if let line = takeLine() { return line }
            default:
                cell.append(byte)
                try bytes.take(upTo: Self.endsCell, into: &cell)
            }
        }
        guard !cell.isEmpty || wasQuoted || !line.isEmpty else { return nil }
        try endCell(number)
        return takeLine()
    }

    private mutating func readQuoted() throws {
        wasQuoted = true
        let opening = bytes.line
        while true {
            try bytes.take(upTo: { $0 == Self.quote }, into: &cell)
            guard try bytes.next() != nil else {
                throw CSVReadingError(line: opening, reason: "has a quote that is not closed")
            }
            // A single quotation mark ends the cell; two of them stand for one.
            guard try bytes.peek() == Self.quote, let quote = try bytes.next() else { return }
            cell.append(quote)
        }
    }

    private static func endsCell(_ byte: UInt8) -> Bool { byte == comma || byte == lineFeed || byte == carriageReturn }

    /// - Parameter number: the line of the file in which the cell ends.
    private mutating func endCell(_ number: Int) throws {
        guard let text = String(validating: cell, as: UTF8.self) else {
            throw CSVReadingError(line: number, reason: "is not in UTF-8")
        }
        line.append(text.isEmpty && !wasQuoted ? nil : text)
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

package struct CSVReadingError: Error, Hashable, CustomStringConvertible {
    /// The line in the file, counted from 1.
    package let line: Int
    package let reason: String

    package var description: String { "Line \(line) \(reason)." }
}
