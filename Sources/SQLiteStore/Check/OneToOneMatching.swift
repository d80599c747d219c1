/// Pairs rows where the two keys of a one-to-one relationship disagree.
///
/// 1. A row without a destination that exactly one other row refers to gets that row as its destination.
/// 2. A reference to a row that is paired with another row is cleared.
/// 3. Where several rows refer to one without a destination, or rows refer to each other in a circle, the intended pair
///    is unknown: their references are cleared.
///
/// A mandatory key is never cleared, and no row loses its only candidate for a mandatory destination: conflicts that
/// could only be solved that way stay unsolved. The rules are repeated until none applies, so a second run over the
/// result changes nothing.
struct OneToOneMatching {
    /// A row and its side of the relationship. A relationship that is its own inverse has one side.
    struct End: Hashable, Comparable {
        let side: Int
        let key: Int64

        static func < (left: End, right: End) -> Bool { (left.side, left.key) < (right.side, right.key) }
    }

    /// A row whose destination does not refer back.
    struct Half {
        let from: End
        let to: End
        /// Whether the destination has no destination itself.
        let destinationIsFree: Bool
    }

    /// Whether the key is mandatory, by side.
    private let isMandatory: [Bool]
    private let original: [End: End]
    /// References that are not resolved yet.
    private var pointers: [End: End]
    private var pointing: [End: Set<End>] = [:]
    private var free: Set<End>
    /// Ends that are paired, or whose references must not change.
    private var fixed: Set<End>
    private var matched: [End: End] = [:]

    init(_ halves: [Half], isMandatory: [Bool]) {
        self.isMandatory = isMandatory
        original = Dictionary(halves.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
        pointers = original
        free = Set(halves.filter(\.destinationIsFree).map(\.to))
        fixed = Set(halves.map(\.to)).subtracting(free).subtracting(original.keys)
        for (from, to) in original { pointing[to, default: []].insert(from) }
        while completeLone() || clearSurplus() || clearAmbiguous() || clearCircles() {}
    }

    // MARK: Outcome

    /// Ends that get a new destination.
    var completed: [(end: End, destination: End)] {
        matched.filter { original[$0.key] != $0.value }.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    }

    /// Ends whose reference is cleared.
    var cleared: [End] { original.keys.filter { pointers[$0] == nil && matched[$0] == nil }.sorted() }

    /// Ends that cannot be resolved and stay unchanged.
    var unsolved: [End] { pointers.keys.sorted() }

    // MARK: Rules

    private mutating func completeLone() -> Bool {
        var changed = false
        for end in free.sorted() where pointing[end]?.count == 1 && free.contains(end) {
            guard let other = pointing[end]?.first, other != end else { continue }
            removeCandidate(other)
            matched[other] = end
            matched[end] = other
            free.remove(end)
            free.remove(other)
            fixed.formUnion([end, other])
            changed = true
        }
        return changed
    }

    private mutating func clearSurplus() -> Bool {
        clear(pointers.filter { fixed.contains($0.value) }.map(\.key))
    }

    private mutating func clearAmbiguous() -> Bool {
        clear(pointers.filter { free.contains($0.value) && !isMandatory[$0.value.side] }.map(\.key))
    }

    /// Clears circles: references that do not end, directly or through others, at an unsolved end.
    private mutating func clearCircles() -> Bool {
        var waiting = pointers.filter { free.contains($0.value) || fixed.contains($0.value) }.map(\.key)
        var blocked = Set(waiting)
        while let end = waiting.popLast() {
            for other in pointing[end] ?? [] where blocked.insert(other).inserted { waiting.append(other) }
        }
        return clear(pointers.keys.filter { !blocked.contains($0) })
    }

    // MARK: Changes

    /// - Returns: Whether at least one reference was optional and has been cleared.
    private mutating func clear(_ ends: [End]) -> Bool {
        let ends = ends.filter { !isMandatory[$0.side] }
        for end in ends {
            removeCandidate(end)
            free.insert(end)
        }
        return !ends.isEmpty
    }

    private mutating func removeCandidate(_ end: End) {
        guard let destination = pointers.removeValue(forKey: end) else { return }
        pointing[destination]?.remove(end)
    }
}
