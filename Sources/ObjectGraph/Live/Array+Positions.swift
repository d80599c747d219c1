extension Array {
    /// Removes elements at former positions, then inserts others at the positions that these have afterwards. Positions to
    /// remove outside the array are ignored; elements to insert beyond its end are appended.
    /// - Parameters:
    ///   - removals: Ascending.
    ///   - insertions: By position, ascending.
    /// - Complexity: O(n) in the number of elements.
    package mutating func replace(removing removals: [Int], inserting insertions: [(position: Int, element: Element)]) {
        if removals.isEmpty, insertions.isEmpty { return }
        var all: [Element] = []
        all.reserveCapacity(count + insertions.count)
        var (removals, insertions) = (removals[...], insertions[...])
        for (position, element) in enumerated() {
            if removals.first == position {
                removals.removeFirst()
                continue
            }
            while let next = insertions.first, next.position <= all.count {
                all.append(next.element)
                insertions.removeFirst()
            }
            all.append(element)
        }
        self = all + insertions.lazy.map(\.element)
    }
}
