import ObjectGraph

/// Keys that are not integers in their printed form, as stores of the program's own classes may have them. Each text has a
/// number for the life of the process; the text is encoded.
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

    /// Smaller numbers are keys themselves.
    private static let firstKey: Int64 = 1 << 62

    static func isText(_ key: Int64) -> Bool { key >= firstKey }

    static func key(of text: String) -> Int64 {
        number(text) ?? table.withLock { $0.key(of: text) }
    }

    /// The number of a text from outside the program. As texts are retained, the number of unknown ones is limited.
    /// - Returns: `nil` above that limit, and for a very long text.
    static func foreignKey(of text: String) -> Int64? {
        number(text)
            ?? table.withLock { table in
                if let known = table.keys[text] { return known }
                guard text.utf8.count <= 1024, table.foreignCount < Table.mostForeign else { return nil }
                table.foreignCount += 1
                return table.key(of: text)
            }
    }

    /// A text of another form ("+7", "007") is another key.
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
