/// Elements in any order, each of which is added and removed by its key in constant time.
struct KeyedList<Key: Hashable, Element> {
    private(set) var elements: [Element] = []
    private var keys: [Key] = []
    private var places: [Key: Int] = [:]

    var isEmpty: Bool { elements.isEmpty }

    func contains(_ key: Key) -> Bool { places[key] != nil }

    /// Adds an element, or replaces the one with the same key.
    mutating func set(_ element: Element, for key: Key) {
        if let place = places[key] { return elements[place] = element }
        places[key] = elements.count
        elements.append(element)
        keys.append(key)
    }

    /// Removes the element with this key, if there is one. The last element takes its place.
    mutating func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key), let element = elements.popLast(), let last = keys.popLast()
        else { return }
        guard place < elements.count else { return }
        (elements[place], keys[place]) = (element, last)
        places[last] = place
    }
}
