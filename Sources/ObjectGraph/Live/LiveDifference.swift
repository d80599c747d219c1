/// The difference between two states of maintained results. Applied to a copy of the former ones, it gives the present
/// ones: removals at former positions, then insertions at present ones.
///
/// A moved object is removed and inserted. Objects that are neither keep their order.
package struct LiveDifference: Sendable, Hashable {
    package struct Removal: Sendable, Hashable {
        /// Among the former results.
        package var position: Int
        /// The former identity.
        package var id: ObjectID
        /// The present position of a moved object.
        package var destination: Int?
    }

    package struct Insertion: Sendable, Hashable {
        /// Among the present results.
        package var position: Int
        package var id: ObjectID
        /// The former position of a moved object.
        package var origin: Int?
    }

    /// An object that stays where it is, relative to the others.
    package struct Stay: Sendable, Hashable {
        /// Among the present results.
        package var position: Int
        package var id: ObjectID
        /// The identity before a save, if it was another one.
        package var formerID: ObjectID?
    }

    /// Ascending.
    package var removals: [Removal] = []
    /// Ascending.
    package var insertions: [Insertion] = []
    /// Objects with other values or another identity, ascending.
    package var updates: [Stay] = []
    /// Former indexes of sections that are gone, ascending.
    package var removedSections: [Int] = []
    /// Present indexes of new sections, ascending.
    package var insertedSections: [Int] = []
    /// Present indexes of sections whose totals have changed, ascending; only for `LiveAggregate`.
    package var changedSections: [Int] = []
    /// Whether the results were fetched again, so that all objects that stay may have other values.
    package var isRefetched = false

    package init() {}

    package var isEmpty: Bool {
        removals.isEmpty && insertions.isEmpty && updates.isEmpty && removedSections.isEmpty && insertedSections.isEmpty
            && !isRefetched
    }
}

extension LiveDifference {
    /// The difference between results that were fetched independently.
    /// - Parameter renamed: Present identities of objects that had others.
    /// - Complexity: O(n log n).
    package init(from old: [ObjectID], to new: [ObjectID], renamed: [ObjectID: ObjectID]) {
        isRefetched = true
        let places = Dictionary(
            old.enumerated().map { (renamed[$1] ?? $1, $0) }, uniquingKeysWith: { first, _ in first })
        let known = new.indices.filter { places[new[$0]] != nil }
        let run = IncreasingRun.indices(of: known.map { places[new[$0]] ?? 0 }).map { known[$0] }
        let staying = Set(run)
        let stayingBefore = Set(run.compactMap { places[new[$0]] })
        let present = Dictionary(zip(new, new.indices), uniquingKeysWith: { first, _ in first })
        removals = old.indices.filter { !stayingBefore.contains($0) }.map {
            Removal(position: $0, id: old[$0], destination: present[renamed[old[$0]] ?? old[$0]])
        }
        insertions = new.indices.filter { !staying.contains($0) }.map {
            Insertion(position: $0, id: new[$0], origin: places[new[$0]])
        }
        for position in run {
            guard let former = places[new[position]], old[former] != new[position] else { continue }
            updates.append(Stay(position: position, id: new[position], formerID: old[former]))
        }
    }

    /// Sets the sections that are gone and those that are new; the others keep their order.
    mutating func setSections(from old: [ValueKey], to new: [ValueKey]) {
        let (before, after) = (Set(old), Set(new))
        removedSections = old.indices.filter { !after.contains(old[$0]) }
        insertedSections = new.indices.filter { !before.contains(new[$0]) }
    }
}

/// Finds the objects that can stay while others move.
package enum IncreasingRun {
    /// Returns the indices of a longest increasing subsequence of different numbers.
    /// - Complexity: O(n log n), and O(n) for numbers in order.
    package static func indices(of numbers: [Int]) -> [Int] {
        if zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) { return Array(numbers.indices) }
        // The index of the smallest last number of the runs of each length.
        var ends: [Int] = []
        var before: [Int?] = []
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            before.append(low > 0 ? ends[low - 1] : nil)
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var run: [Int] = []
        var next = ends.last
        while let index = next {
            run.append(index)
            next = before[index]
        }
        return run.reversed()
    }
}
