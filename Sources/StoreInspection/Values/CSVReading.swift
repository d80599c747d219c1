import Foundation

/// Takes CSV apart, as RFC 4180 has it: cells in quotes may hold separators and line ends.
package enum CSVReading {
    /// - Throws: `CSVReadingError`.
    package static func lines(_ data: Data) throws(CSVReadingError) -> [[String?]] {
        guard let text = String(validating: data, as: UTF8.self) else { throw notText(data) }
        return try lines(text)
    }

    private static func notText(_ data: Data) -> CSVReadingError {
        let lines = data.split(separator: lineFeed, omittingEmptySubsequences: false)
        let place = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        return CSVReadingError(line: place + 1, reason: "is not in UTF-8")
    }

    /// A cell without quotes that is empty is no value; in quotes it is the empty text.
    /// - Throws: `CSVReadingError` where a quote is not closed.
    package static func lines(_ text: String) throws(CSVReadingError) -> [[String?]] {
        var lines: [[String?]] = []
        var line: [String?] = []
        var cell: [UInt8] = []
        var isQuoted = false
        var wasQuoted = false
        var bytes = Array(text.utf8)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        func content() -> String? {
            cell.isEmpty && !wasQuoted ? nil : String(decoding: cell, as: UTF8.self)
        }
        func endCell() {
            line.append(content())
            cell = []
            wasQuoted = false
        }
        var place = 0
        var opening = 0
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if isQuoted {
                guard byte == quote else {
                    cell.append(byte)
                    continue
                }
                if place < bytes.count, bytes[place] == quote {
                    cell.append(quote)
                    place += 1
                } else {
                    isQuoted = false
                }
                continue
            }
            switch byte {
            case quote where cell.isEmpty:
                isQuoted = true
                wasQuoted = true
                opening = place
            case comma: endCell()
            case lineFeed, carriageReturn:
                if byte == carriageReturn, place < bytes.count, bytes[place] == lineFeed { place += 1 }
                endCell()
                if line != [nil] { lines.append(line) }
                line = []
            default: cell.append(byte)
            }
        }
        guard !isQuoted else {
            throw CSVReadingError(line: lineNumber(at: opening, of: bytes), reason: "has a quote that is not closed")
        }
        if !cell.isEmpty || wasQuoted || !line.isEmpty {
            endCell()
            lines.append(line)
        }
        return lines
    }

    /// Of the file, from 1.
    private static func lineNumber(at place: Int, of bytes: [UInt8]) -> Int {
        bytes.prefix(place).count { $0 == lineFeed } + 1
    }

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let lineFeed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D
}

package struct CSVReadingError: Error, Hashable, CustomStringConvertible {
    /// Of the file, from 1.
    package let line: Int
    package let reason: String

    package var description: String { "Line \(line) \(reason)." }
}
