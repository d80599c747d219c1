/// Decides who belongs to whom where the keys of a one-to-one relationship disagree.
///
/// 1. A row that leads nowhere, and to which exactly one other leads, leads back to that one.
/// 2. A row that leads to one that belongs to another leads nowhere.
/// 3. Where several lead to one that leads nowhere, or rows lead to each other in a circle, nobody can tell who was
///    meant: they lead nowhere.
///
/// A key that may not be empty is never cleared, and nobody is left without a chance of a destination it must have: what
/// could only be solved that way stays as it is. The rules are repeated until none applies, so that they find nothing to
/// do in what they leave behind.
struct OneToOneMatching {
    /// A row, by the side of the relationship it is on; a relationship that is its own inverse has one side.
    struct End: Hashable, Comparable {
        let side: Int
        let key: Int64

        static func < (left: End, right: End) -> Bool { (left.side, left.key) < (right.side, right.key) }
    }

    /// A row whose destination does not lead back.
    struct Half {
        let from: End
        let to: End
        /// Whether the destination leads nowhere itself.
        let destinationIsFree: Bool
    }

    /// By side.
    private let isMandatory: [Bool]
    private let original: [End: End]
    /// Halves that are left.
    private var pointers: [End: End]
    private var pointing: [End: Set<End>] = [:]
    private var free: Set<End>
    /// Ends that belong to somebody, or lead to what must not be touched.
    private var taken: Set<End>
    private var matched: [End: End] = [:]

    init(_ halves: [Half], isMandatory: [Bool]) {
        self.isMandatory = isMandatory
        original = Dictionary(halves.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
        pointers = original
        free = Set(halves.filter(\.destinationIsFree).map(\.to))
        taken = Set(halves.map(\.to)).subtracting(free).subtracting(original.keys)
        for (from, to) in original { pointing[to, default: []].insert(from) }
        while completeLone() || clearSurplus() || clearAmbiguous() || clearCircles() {}
    }

    // MARK: Outcome

    /// Ends that get another destination.
    var completed: [(end: End, destination: End)] {
        matched.filter { original[$0.key] != $0.value }.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    }

    /// Ends that lose their destination.
    var cleared: [End] { original.keys.filter { pointers[$0] == nil && matched[$0] == nil }.sorted() }

    /// Ends that stay as they are, wrong.
    var unsolved: [End] { pointers.keys.sorted() }

    // MARK: Rules

    private mutating func completeLone() -> Bool {
        var changed = false
        for end in free.sorted() where pointing[end]?.count == 1 && free.contains(end) {
            guard let other = pointing[end]?.first, other != end else { continue }
            forget(other)
            matched[other] = end
            matched[end] = other
            free.remove(end)
            free.remove(other)
            taken.formUnion([end, other])
            changed = true
        }
        return changed
    }

    private mutating func clearSurplus() -> Bool {
        clear(pointers.filter { taken.contains($0.value) }.map(\.key))
    }

    private mutating func clearAmbiguous() -> Bool {
        clear(pointers.filter { free.contains($0.value) && !isMandatory[$0.value.side] }.map(\.key))
    }

    /// What leads to an unsolved end waits for it; the rest leads round in circles.
    private mutating func clearCircles() -> Bool {
        var waiting = pointers.filter { free.contains($0.value) || taken.contains($0.value) }.map(\.key)
        var blocked = Set(waiting)
        while let end = waiting.popLast() {
            for other in pointing[end] ?? [] where blocked.insert(other).inserted { waiting.append(other) }
        }
        return clear(pointers.keys.filter { !blocked.contains($0) })
    }

    // MARK: Changes

    /// - Returns: whether there was one that may be cleared.
    private mutating func clear(_ ends: [End]) -> Bool {
        let ends = ends.filter { !isMandatory[$0.side] }
        for end in ends {
            forget(end)
            free.insert(end)
        }
        return !ends.isEmpty
    }

    private mutating func forget(_ end: End) {
        guard let destination = pointers.removeValue(forKey: end) else { return }
        pointing[destination]?.remove(end)
    }
}
