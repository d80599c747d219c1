import Foundation

/// The dictionary that a batch insert's handler fills, row after row. Keys stay in the order in which they were first set,
/// so that a handler that sets the same ones for every row finds each where it expects it.
final class RowDictionary: NSMutableDictionary {
    private(set) var names: [String] = []
    /// Of each name; `nil` where the row has none.
    private(set) var values: [Any?] = []
    /// Where the next key is expected.
    private var expected = 0
    /// What was set that is no text; an entity has no such names.
    private(set) var strangeKey: AnyHashable?

    /// Forgets the values, not the names.
    func startRow() {
        for place in values.indices { values[place] = nil }
        expected = 0
        strangeKey = nil
    }

    private func place(_ name: String) -> Int? {
        if expected < names.count, names[expected] == name { return expected }
        return names.firstIndex(of: name)
    }

    private static func name(_ key: Any) -> String? {
        key as? String ?? (key as? NSString).map { String(describing: $0) }
    }

    // MARK: What a dictionary is made of

    override var count: Int { values.count { $0 != nil } }

    override func object(forKey key: Any) -> Any? {
        Self.name((key as? AnyHashable)?.base ?? key).flatMap(place).flatMap { values[$0] }
    }

    override func setObject(_ object: Any, forKey key: AnyHashable) {
        guard let name = Self.name(key.base) else { return strangeKey = key }
        guard let place = place(name) else {
            names.append(name)
            values.append(object)
            return expected = names.count
        }
        values[place] = object
        expected = place + 1
    }

    override func removeObject(forKey key: Any) {
        guard let place = Self.name((key as? AnyHashable)?.base ?? key).flatMap(place) else { return }
        values[place] = nil
    }

    override func removeAllObjects() { startRow() }

    override func keyEnumerator() -> NSEnumerator {
        NSArray(array: names.indices.filter { values[$0] != nil }.map { names[$0] }).objectEnumerator()
    }
}
