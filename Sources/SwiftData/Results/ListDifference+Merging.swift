import ObjectGraph

/// Two differences, one after the other, as one.
extension ListDifference {
    /// Appends the difference between the present state and a later one.
    /// - Complexity: O(n log n) in the number of changes, whatever the number of items.
    mutating func append(_ later: ListDifference) {
        if isEmpty { return self = later }
        if later.isEmpty { return }
        let first = Steps(self)
        let second = Steps(later)
        var merged = ListDifference()
        merged.removals = mergedRemovals(later, first, second)
        merged.insertions = mergedInsertions(later, first, second)
        merged.updates = mergedUpdates(later, first, second)
        merged.linkMoves()
        self = merged
    }

    /// Where positions lead, and the changes by position.
    private struct Steps {
        let shift: PositionShift
        let removals: [Int: Removal]
        let insertions: [Int: Insertion]
        let updates: [Int: Update]

        init(_ difference: ListDifference) {
            shift = PositionShift(
                removed: difference.removals.map(\.position), inserted: difference.insertions.map(\.position))
            removals = Self.byPosition(difference.removals, \.position)
            insertions = Self.byPosition(difference.insertions, \.position)
            updates = Self.byPosition(difference.updates, \.position)
        }

        private static func byPosition<Change>(_ changes: [Change], _ position: (Change) -> Int) -> [Int: Change] {
            Dictionary(changes.map { (position($0), $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private func mergedRemovals(_ later: ListDifference, _ first: Steps, _ second: Steps) -> [Removal] {
        var merged = removals
        for index in merged.indices {
            guard let between = merged[index].destination else { continue }
            let removal = second.removals[between]
            merged[index].destination = removal.map(\.destination) ?? second.shift.present(of: between)
        }
        for var removal in later.removals where first.insertions[removal.position] == nil {
            let between = removal.position
            guard let former = first.shift.former(of: between) else { continue }
            removal.position = former
            removal.item = first.updates[between]?.former ?? removal.item
            merged.append(removal)
        }
        return merged.sorted { $0.position < $1.position }
    }

    private func mergedInsertions(_ later: ListDifference, _ first: Steps, _ second: Steps) -> [Insertion] {
        var merged: [Insertion] = []
        for var insertion in insertions where second.removals[insertion.position] == nil {
            guard let present = second.shift.present(of: insertion.position) else { continue }
            insertion.position = present
            insertion.item = second.updates[present]?.item ?? insertion.item
            merged.append(insertion)
        }
        for var insertion in later.insertions {
            insertion.origin = insertion.origin.flatMap { between in
                first.insertions[between].map(\.origin) ?? first.shift.former(of: between)
            }
            merged.append(insertion)
        }
        return merged.sorted { $0.position < $1.position }
    }

    private func mergedUpdates(_ later: ListDifference, _ first: Steps, _ second: Steps) -> [Update] {
        var merged: [Int: Update] = [:]
        for var update in updates where second.removals[update.position] == nil {
            guard let present = second.shift.present(of: update.position) else { continue }
            update.position = present
            merged[present] = update
        }
        for var update in later.updates {
            guard let between = second.shift.former(of: update.position), first.insertions[between] == nil else {
                continue
            }
            update.former = merged[update.position]?.former ?? update.former
            if update.former == update.item { update.former = nil }
            merged[update.position] = update
        }
        return merged.values.sorted { $0.position < $1.position }
    }
}
