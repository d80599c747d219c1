/// Identifiers in order of arrival, each once, with removal in constant time.
///
/// As long as each key is higher than the one before, as those of new objects and of rows in order are, no table of what
/// is there is needed: what comes next is not there yet. With a million members it would be most of their memory.
struct OrderedIDs {
    private var items: [ObjectID?] = []
    /// `nil` as long as keys have only risen and none was removed.
    private var positions: [ObjectID: Int]?

    var isEmpty: Bool { positions?.isEmpty ?? items.isEmpty }
    var all: [ObjectID] { items.compactMap { $0 } }

    mutating func append(_ id: ObjectID) {
        if positions == nil {
            if isBeyondLast(id) { return items.append(id) }
            positions = places
        }
        if positions?[id] == nil {
            positions?[id] = items.count
            items.append(id)
        }
    }

    /// - Returns: whether it was there.
    mutating func remove(_ id: ObjectID) -> Bool {
        if items.isEmpty { return false }
        if positions == nil { positions = places }
        guard let position = positions?.removeValue(forKey: id) else { return false }
        items[position] = nil
        if items.count > 32, items.count > 2 * (positions?.count ?? 0) { compact() }
        return true
    }

    /// Some have other identities from now on.
    mutating func rename(_ new: [ObjectID: ObjectID]) {
        let old = all
        guard old.contains(where: { new[$0] != nil }) else { return }
        self = OrderedIDs()
        for id in old { append(new[id] ?? id) }
    }

    private func isBeyondLast(_ id: ObjectID) -> Bool {
        guard let last = items.last ?? nil else { return items.isEmpty }
        return last.space == id.space && last.key < id.key
    }

    /// Where each stands.
    private var places: [ObjectID: Int] {
        var places: [ObjectID: Int] = [:]
        for (position, id) in items.enumerated() {
            if let id { places[id] = position }
        }
        return places
    }

    private mutating func compact() {
        items = items.filter { $0 != nil }
        positions = places
    }
}
