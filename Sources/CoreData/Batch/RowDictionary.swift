import Foundation

/// The dictionary that a batch insert's handler fills, row after row. Keys stay in the order in which they were first set, so
/// that a handler that sets the same keys in every row finds each key at the expected index.
final class RowDictionary: NSMutableDictionary {
    private var names: [String] = []
    /// The value of each name; `nil` if the row has none.
    private var slots: [Any?] = []
    /// Index at which the next key is expected.
    private var expected = 0
    /// A key that is not a text, which no attribute has as its name.
    private(set) var strangeKey: AnyHashable?

    /// The values of the row.
    var given: some Sequence<(key: String, value: Any)> {
        zip(names, slots).lazy.compactMap { name, value in value.map { (key: name, value: $0) } }
    }

    /// Clears the values and keeps the names.
    func startRow() {
        for place in slots.indices { slots[place] = nil }
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

    // MARK: Primitive methods of a dictionary

    override var count: Int { slots.count { $0 != nil } }

    override func object(forKey key: Any) -> Any? {
        Self.name((key as? AnyHashable)?.base ?? key).flatMap(place).flatMap { slots[$0] }
    }

    override func setObject(_ object: Any, forKey key: AnyHashable) {
        guard let name = Self.name(key.base) else { return strangeKey = key }
        guard let place = place(name) else {
            names.append(name)
            slots.append(object)
            return expected = names.count
        }
        slots[place] = object
        expected = place + 1
    }

    override func removeObject(forKey key: Any) {
        guard let place = Self.name((key as? AnyHashable)?.base ?? key).flatMap(place) else { return }
        slots[place] = nil
    }

    override func removeAllObjects() { startRow() }

    override func keyEnumerator() -> NSEnumerator {
        NSArray(array: names.indices.filter { slots[$0] != nil }.map { names[$0] }).objectEnumerator()
    }
}
