import Foundation

/// The dictionary that a batch insert's handler fills, row after row. Keys stay in the order in which they were first set,
/// so that a handler that sets the same ones for every row finds each where it expects it.
final class RowDictionary: NSMutableDictionary {
    private var names: [String] = []
    /// Of each name; `nil` where the row has none.
    private var slots: [Any?] = []
    /// Where the next key is expected.
    private var expected = 0
    /// What was set that is no text; an entity has no such names.
    private(set) var strangeKey: AnyHashable?

    /// What the row has.
    var given: some Sequence<(key: String, value: Any)> {
        zip(names, slots).lazy.compactMap { name, value in value.map { (key: name, value: $0) } }
    }

    /// Forgets the values, not the names.
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

    // MARK: What a dictionary is made of

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
