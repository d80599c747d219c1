import ObjectGraph

/// Keys that are no numbers, as stores of a program's own may have them. Each text has a number for the life of the process;
/// what is encoded is the text.
enum KeyTexts {
    private struct Table {
        var keys: [String: Int64] = [:]
        var texts: [String] = []
    }

    private static let table = Locked(Table())

    /// Numbers below are keys themselves.
    private static let firstKey: Int64 = 1 << 62

    static func isText(_ key: Int64) -> Bool { key >= firstKey }

    /// - Parameter text: with or without the `p` of the URI form, where a number follows it.
    static func key(of text: String) -> Int64 {
        if let number = Int64(text.hasPrefix("p") ? text.dropFirst() : text[...]), number < firstKey { return number }
        return table.withLock { table in
            if let known = table.keys[text] { return known }
            let key = firstKey + Int64(table.texts.count)
            table.keys[text] = key
            table.texts.append(text)
            return key
        }
    }

    static func text(of key: Int64) -> String {
        guard isText(key) else { return String(key) }
        return table.withLock { table in
            let place = Int(key - firstKey)
            return table.texts.indices.contains(place) ? table.texts[place] : String(key)
        }
    }
}
