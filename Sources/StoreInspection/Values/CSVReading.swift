/// Takes CSV apart, as RFC 4180 has it: cells in quotes may hold separators and line ends.
package enum CSVReading {
    /// A cell without quotes that is empty is no value; in quotes it is the empty text.
    package static func lines(_ text: String) -> [[String?]] {
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
            case comma: endCell()
            case lineFeed, carriageReturn:
                if byte == carriageReturn, place < bytes.count, bytes[place] == lineFeed { place += 1 }
                endCell()
                if line != [nil] { lines.append(line) }
                line = []
            default: cell.append(byte)
            }
        }
        if !cell.isEmpty || wasQuoted || !line.isEmpty {
            endCell()
            lines.append(line)
        }
        return lines
    }

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let lineFeed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D
}
