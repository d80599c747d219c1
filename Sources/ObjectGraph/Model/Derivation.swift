/// A derived attribute's expression, with names, in one of the forms that a store can compute.
///
/// 1. `now()`: the time at which the row is written.
/// 2. `name`, `owner.name`: a value of the object itself, or at the end of to-one relationships.
/// 3. `canonical:(name)`, `uppercase:(…)`, `lowercase:(…)`: such a text, converted.
/// 4. `animals.@count`, `count:(animals)`: the number of destinations of a to-many relationship.
/// 5. `animals.@sum.weight`, `animals.weight.@sum`, `sum:(animals.weight)`: the sum of their numbers.
package enum Derivation: Sendable, Hashable {
    case now
    /// - Parameter change: The conversion of the text at the end of the path.
    case value(path: [String], change: ScalarFunction?)
    case count(path: [String])
    case sum(path: [String])

    /// - Returns: `nil` for any other expression.
    package init?(_ text: String) {
        if let opening = text.firstIndex(of: "("), text.last == ")" {
            let argument = text[text.index(after: opening)...].dropLast()
            self.init(function: text[..<opening], argument)
        } else {
            self.init(keyPath: text[...])
        }
    }

    /// Looks up the function by name, with or without its colon; case is ignored.
    private init?(function name: Substring, _ argument: Substring) {
        let name = name.lowercased()
        if name == "now" {
            guard argument.isEmpty else { return nil }
            self = .now
            return
        }
        guard let path = Self.path(argument) else { return nil }
        switch name.last == ":" ? String(name.dropLast()) : name {
        case "canonical": self = .value(path: path, change: .foldCaseAndDiacritics)
        case "uppercase": self = .value(path: path, change: .uppercase)
        case "lowercase": self = .value(path: path, change: .lowercase)
        case "count": self = .count(path: path)
        case "sum": self = .sum(path: path)
        default: return nil
        }
    }

    private init?(keyPath: Substring) {
        let keys = Self.keys(keyPath)
        guard let place = keys.firstIndex(where: { $0.hasPrefix("@") }) else {
            guard let path = Self.path(keyPath) else { return nil }
            self = .value(path: path, change: nil)
            return
        }
        let members = (keys[..<place] + keys[(place + 1)...]).map(String.init)
        guard Self.arePlain(members) else { return nil }
        switch keys[place] {
        case "@count" where place == keys.count - 1: self = .count(path: members)
        case "@sum": self = .sum(path: members)
        default: return nil
        }
    }

    /// Splits the key path, and removes a leading `self`.
    private static func keys(_ keyPath: Substring) -> [Substring] {
        let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false)
        return keys.first?.lowercased() == "self" ? Array(keys.dropFirst()) : keys
    }

    private static func path(_ keyPath: Substring) -> [String]? {
        let keys = keys(keyPath).map(String.init)
        return arePlain(keys) ? keys : nil
    }

    private static func arePlain(_ keys: [String]) -> Bool {
        !keys.isEmpty
            && keys.allSatisfy { key in
                !key.isEmpty && key.utf8.allSatisfy { $0 >= 0x80 || Self.isPlain($0) }
            }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
