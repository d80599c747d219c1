import Foundation

/// The changes that a fetched results controller reports, as the smallest difference between two contents: deletions and
/// insertions, moves of results whose relative position changed, and updates of the others.
struct FetchedChanges {
    struct SectionChange {
        let section: FetchedSection
        let index: Int
        let type: NSFetchedResultsChangeType
    }

    struct ObjectChange {
        let object: NSObject
        let type: NSFetchedResultsChangeType
        /// The former position; `nil` for an insertion.
        let old: Int?
        /// The new position; `nil` for a deletion.
        let new: Int?
    }

    private(set) var sections: [SectionChange] = []
    /// Deletions in descending order, then insertions, moves and updates in ascending order.
    private(set) var objects: [ObjectChange] = []
    let old: FetchedContent
    let new: FetchedContent

    var isEmpty: Bool { sections.isEmpty && objects.isEmpty }

    /// - Parameter changed: whether the values of an object may have changed.
    /// - Complexity: O(n) in the results while nothing moves, O(n log n) otherwise.
    init(from old: FetchedContent, to new: FetchedContent, changed: (NSObject) -> Bool) {
        self.old = old
        self.new = new
        let kept = keptSections()
        let came = Set(kept.values)
        sections =
            old.sections.indices.reversed().filter { kept[$0] == nil }
            .map { SectionChange(section: old.sections[$0], index: $0, type: .delete) }
            + new.sections.indices.filter { !came.contains($0) }
            .map { SectionChange(section: new.sections[$0], index: $0, type: .insert) }
        objects = deletions() + arrivals(kept, changed)
    }

    // MARK: Sections

    /// Remaining sections whose relative position is unchanged: new index by former index.
    private func keptSections() -> [Int: Int] {
        let before = Dictionary(
            zip(Self.keys(old.sections), old.sections.indices), uniquingKeysWith: { first, _ in first })
        let pairs = zip(Self.keys(new.sections), new.sections.indices)
            .compactMap { key, index in before[key].map { (old: $0, new: index) } }
        let staying = StayingPlaces.indices(of: pairs.map(\.old)) { _ in 1 }
        return Dictionary(uniqueKeysWithValues: staying.map { (pairs[$0].old, pairs[$0].new) })
    }

    private struct SectionKey: Hashable {
        let name: String
        /// The number of earlier sections with the name, which is above zero only if the order scatters a section.
        let number: Int
    }

    private static func keys(_ sections: [FetchedSection]) -> [SectionKey] {
        var counts: [String: Int] = [:]
        return sections.map { section in
            defer { counts[section.name, default: 0] += 1 }
            return SectionKey(name: section.name, number: counts[section.name] ?? 0)
        }
    }

    // MARK: Objects

    private func deletions() -> [ObjectChange] {
        old.objects.indices.reversed().filter { new.position(of: old.objects[$0]) == nil }
            .map { ObjectChange(object: old.objects[$0], type: .delete, old: $0, new: nil) }
    }

    private func arrivals(_ kept: [Int: Int], _ changed: (NSObject) -> Bool) -> [ObjectChange] {
        let sectionBefore = Dictionary(uniqueKeysWithValues: kept.map { ($0.value, $0.key) })
        var (insertions, moves, updates): ([ObjectChange], [ObjectChange], [ObjectChange]) = ([], [], [])
        for (index, section) in new.sections.enumerated() {
            let range = sectionBefore[index].map { old.sections[$0].range } ?? 0..<0
            let staying = staying(section, from: range, changed)
            for position in section.range {
                let object = new.objects[position]
                let former = old.position(of: object)
                let change = { ObjectChange(object: object, type: $0, old: former, new: position) }
                if former == nil {
                    insertions.append(change(.insert))
                } else if !staying.contains(position) {
                    moves.append(change(.move))
                } else if changed(object) {
                    updates.append(change(.update))
                }
            }
        }
        return insertions + moves + updates
    }

    /// New positions of results that stay in the section. Where there is a choice, changed results move and unchanged ones stay.
    private func staying(
        _ section: FetchedSection, from range: Range<Int>, _ changed: (NSObject) -> Bool
    ) -> Set<Int> {
        var (positions, formers): ([Int], [Int]) = ([], [])
        for position in section.range {
            guard let former = old.position(of: new.objects[position]), range.contains(former) else { continue }
            positions.append(position)
            formers.append(former)
        }
        let unchangedWeight = formers.count + 1
        let staying = StayingPlaces.indices(of: formers) { index in
            changed(new.objects[positions[index]]) ? 1 : unchangedWeight
        }
        return Set(staying.map { positions[$0] })
    }

    // MARK: Collection difference

    var difference: CollectionDifference<NSManagedObjectID>? {
        CollectionDifference(
            objects.flatMap { change -> [CollectionDifference<NSManagedObjectID>.Change] in
                guard let id = (change.object as? NSManagedObject)?.objectID ?? change.object as? NSManagedObjectID
                else { return [] }
                return [
                    change.old.map { .remove(offset: $0, element: id, associatedWith: change.new) },
                    change.new.map { .insert(offset: $0, element: id, associatedWith: change.old) },
                ].compactMap { $0 }
            })
    }
}

/// Finds the elements of a sequence that can stay while the others are moved.
enum StayingPlaces {
    /// Indices of the heaviest increasing subsequence.
    /// - Parameter numbers: all different.
    static func indices(of numbers: [Int], weight: (Int) -> Int) -> [Int] {
        if zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) { return Array(numbers.indices) }
        guard let low = numbers.min(), let high = numbers.max() else { return [] }
        var best = HeaviestPrefix(count: high - low + 1)
        var (totals, before): ([Int], [Int?]) = ([], [])
        for (index, number) in numbers.enumerated() {
            let previous = best.heaviest(below: number - low)
            let total = (previous?.total ?? 0) + weight(index)
            totals.append(total)
            before.append(previous?.index)
            best.note(total, index, at: number - low)
        }
        var run: [Int] = []
        var next = totals.indices.max { totals[$0] < totals[$1] }
        while let index = next {
            run.append(index)
            next = before[index]
        }
        return run.reversed()
    }

    /// The heaviest subsequence that ends below a number: a binary indexed tree.
    private struct HeaviestPrefix {
        private var tree: [(total: Int, index: Int)?]

        init(count: Int) { tree = Array(repeating: nil, count: count + 1) }

        mutating func note(_ total: Int, _ index: Int, at number: Int) {
            var node = number + 1
            while node < tree.count {
                if total > tree[node]?.total ?? 0 { tree[node] = (total, index) }
                node += node & -node
            }
        }

        func heaviest(below number: Int) -> (total: Int, index: Int)? {
            var (found, node): ((total: Int, index: Int)?, Int) = (nil, number)
            while node > 0 {
                if let run = tree[node], run.total > found?.total ?? 0 { found = run }
                node -= node & -node
            }
            return found
        }
    }
}
