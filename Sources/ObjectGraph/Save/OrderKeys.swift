/// Order keys of an ordered relationship (Z_FOK_… in the file). They have gaps, so that a move usually changes the key
/// of one member. The first is 2048, and each next one 1024 more, as in Apple's files.
package enum OrderKeys {
    package static let first: Int64 = 2048
    package static let step: Int64 = 1024

    /// Returns the keys to write so that the members have the given order.
    /// - Parameter existing: The present keys of members; members without one are new.
    /// - Complexity: O(n log n).
    package static func changes(order: [Int64], existing: [Int64: Int64]) -> [(member: Int64, key: Int64)] {
        let kept = longestRisingRun(order.map { existing[$0] })
        guard let changes = fill(order, existing, kept) else {
            return order.enumerated().compactMap { position, member in
                let key = first + Int64(position) * step
                return existing[member] == key ? nil : (member, key)
            }
        }
        return changes
    }

    /// Returns the given members in their order, and among them the other members with keys: each of these stays behind
    /// the member that it follows at present, or at the beginning if it follows none.
    /// - Complexity: O(n log n) if there are other members; otherwise O(n).
    package static func order(_ members: [Int64], among existing: [Int64: Int64]) -> [Int64] {
        let given = Set(members)
        guard existing.contains(where: { !given.contains($0.key) }) else { return members }
        var followers: [Int64: [Int64]] = [:]
        var first: [Int64] = []
        var leader: Int64?
        for (member, _) in existing.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            if given.contains(member) {
                leader = member
            } else if let leader {
                followers[leader, default: []].append(member)
            } else {
                first.append(member)
            }
        }
        return first + members.flatMap { [$0] + (followers.removeValue(forKey: $0) ?? []) }
    }

    /// Returns keys for the members between kept ones.
    /// - Returns: `nil` if a gap is too small.
    private static func fill(
        _ order: [Int64], _ existing: [Int64: Int64], _ kept: [Bool]
    ) -> [(member: Int64, key: Int64)]? {
        var changes: [(member: Int64, key: Int64)] = []
        var below: Int64?
        var position = 0
        while position < order.count {
            let end = kept[position...].firstIndex(of: true) ?? order.count
            let above = end < order.count ? existing[order[end]] : nil
            let count = Int64(end - position)
            if count > 0 {
                guard let keys = keys(count, below: below, above: above) else { return nil }
                changes += zip(order[position..<end], keys).map { (member: $0, key: $1) }
            }
            below = above
            position = end + 1
        }
        return changes
    }

    private static func keys(_ count: Int64, below: Int64?, above: Int64?) -> [Int64]? {
        guard let above else {
            let start = below.map { $0 &+ step } ?? first
            guard start > below ?? 0, start < Int64.max - step * count else { return nil }
            return (0..<count).map { start + $0 * step }
        }
        let (width, overflow) = above.subtractingReportingOverflow(below ?? 0)
        let gap = width / (count + 1)
        guard !overflow, gap >= 1 else { return nil }
        return (1...count).map { (below ?? 0) + gap * $0 }
    }

    /// Marks a longest strictly increasing subsequence.
    private static func longestRisingRun(_ keys: [Int64?]) -> [Bool] {
        var tails: [Int] = []
        var previous: [Int?] = Array(repeating: nil, count: keys.count)
        for (index, key) in keys.enumerated() {
            guard let key else { continue }
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if let tail = keys[tails[middle]], tail < key { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? tails[low - 1] : nil
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var marks = Array(repeating: false, count: keys.count)
        var current = tails.last
        while let index = current {
            marks[index] = true
            current = previous[index]
        }
        return marks
    }
}
