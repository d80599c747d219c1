/// Unique identifiers in insertion order, with removal and look-up in constant time.
///
/// While keys only increase, as those of new objects and of rows in key order do, no table of positions is needed: a
/// higher key is new, and others are found by binary search. With a million members, the table would be most of their
/// memory.
struct OrderedIDs {
    private var items: [ObjectID?] = []
    private var places = Places.rising

    private enum Places {
        /// Keys of one space in increasing order; none was removed.
        case rising
        /// Any order, without a table, as no identifier has been looked up yet.
        case unknown
        case table([ObjectID: Int])
    }

    init() {}

    /// - Parameter distinct: Unique identifiers.
    init(_ distinct: [ObjectID]) {
        items = distinct
        let isRising = zip(distinct, distinct.dropFirst()).allSatisfy { $0.space == $1.space && $0.key < $1.key }
        if !isRising { places = .unknown }
    }

    var count: Int {
        if case .table(let table) = places { table.count } else { items.count }
    }

    var isEmpty: Bool { count == 0 }

    var all: [ObjectID] { items.compactMap { $0 } }

    mutating func contains(_ id: ObjectID) -> Bool {
        if items.isEmpty { return false }
        if case .rising = places { return isAmongRising(id) }
        return withTable { table, _ in table[id] != nil }
    }

    mutating func append(_ id: ObjectID) {
        if case .rising = places, isBeyondLast(id) { return items.append(id) }
        withTable { table, items in
            guard table[id] == nil else { return }
            table[id] = items.count
            items.append(id)
        }
    }

    /// - Returns: Whether the identifier was contained.
    mutating func remove(_ id: ObjectID) -> Bool {
        if items.isEmpty { return false }
        return withTable { table, items in
            guard let place = table.removeValue(forKey: id) else { return false }
            items[place] = nil
            if items.count > 32, items.count > 2 * table.count { Self.closeGaps(&table, &items) }
            return true
        }
    }

    /// Returns the identifier at an index; `nil` beyond the last.
    mutating func element(at place: Int) -> ObjectID? {
        if items.count > count { withTable(Self.closeGaps) }
        return items.indices.contains(place) ? items[place] : nil
    }

    private static func closeGaps(_ table: inout [ObjectID: Int], _ items: inout [ObjectID?]) {
        items = items.filter { $0 != nil }
        table = Self.table(of: items)
    }

    /// Replaces identifiers with new ones.
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

    private func isAmongRising(_ id: ObjectID) -> Bool {
        var range = items.startIndex..<items.endIndex
        while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2, let item = items[middle] {
            if item.space != id.space { return false }
            if item.key == id.key { return true }
            range = item.key < id.key ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }

    /// Passes the table of positions, which is created at the first use.
    private mutating func withTable<Result>(
        _ body: (inout [ObjectID: Int], inout [ObjectID?]) -> Result
    ) -> Result {
        var table: [ObjectID: Int]
        if case .table(let known) = places { table = known } else { table = Self.table(of: items) }
        // Keeps the only reference to the table while it changes; otherwise it would be copied.
        places = .unknown
        defer { places = .table(table) }
        return body(&table, &items)
    }

    private static func table(of items: [ObjectID?]) -> [ObjectID: Int] {
        var table: [ObjectID: Int] = [:]
        for (place, id) in items.enumerated() {
            if let id { table[id] = place }
        }
        return table
    }
}
