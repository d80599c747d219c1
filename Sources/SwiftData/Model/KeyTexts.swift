import ObjectGraph

/// Keys that are no numbers as they are printed, as stores of a program's own may have them. Each text has a number for the
/// life of the process; what is encoded is the text.
enum KeyTexts {
    private struct Table {
        var keys: [String: Int64] = [:]
        var texts: [String] = []
        var foreignCount = 0
        static let mostForeign = 100_000

        mutating func key(of text: String) -> Int64 {
            if let known = keys[text] { return known }
            let key = KeyTexts.firstKey + Int64(texts.count)
            keys[text] = key
            texts.append(text)
            return key
        }
    }

    private static let table = Locked(Table())

    /// Numbers below are keys themselves.
    private static let firstKey: Int64 = 1 << 62

    static func isText(_ key: Int64) -> Bool { key >= firstKey }

    static func key(of text: String) -> Int64 {
        number(text) ?? table.withLock { $0.key(of: text) }
    }

    /// The same for a text that comes from outside the program. As texts are kept, only so many unknown ones are let in.
    /// - Returns: `nil` when there have been too many, or for a very long one.
    static func foreignKey(of text: String) -> Int64? {
        number(text)
            ?? table.withLock { table in
                if let known = table.keys[text] { return known }
                guard text.utf8.count <= 1024, table.foreignCount < Table.mostForeign else { return nil }
                table.foreignCount += 1
                return table.key(of: text)
            }
    }

    /// What is written otherwise ("+7", "007") is another key.
    private static func number(_ text: String) -> Int64? {
        Int64(text).flatMap { $0 < firstKey && String($0) == text ? $0 : nil }
    }

    static func text(of key: Int64) -> String {
        guard isText(key) else { return String(key) }
        return table.withLock { table in
            let place = Int(key - firstKey)
            return table.texts.indices.contains(place) ? table.texts[place] : String(key)
        }
    }
}
