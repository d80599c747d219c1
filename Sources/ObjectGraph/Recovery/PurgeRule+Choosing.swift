extension PurgeRule {
    /// Returns the archived deletions to discard. The chunks of one deletion are discarded together: a single remaining
    /// chunk would restore rows without their owners.
    /// - Parameter kept: The archived deletions, the oldest first.
    package func chosen(of kept: [ArchivedDelete]) -> [ArchivedDelete] {
        let deletes = Self.deletes(kept)
        switch self {
        case .everything: return kept
        case .token(let token): return kept.filter { $0.token.delete == token.delete }
        case .olderThan(let date): return deletes.filter { $0.allSatisfy { $0.date < date } }.flatMap { $0 }
        case .downTo(let limit):
            // Summed from the newest and stopped at the limit, because the total may overflow.
            var sum: Int64 = 0
            let stay = deletes.reversed().prefix { chunks in
                sum = ([sum] + chunks.map(\.byteCount)).saturatingSum()
                return sum <= limit
            }
            return deletes.dropLast(stay.count).flatMap { $0 }
        }
    }

    /// Groups the chunks by deletion, in the order of their last chunks.
    static func deletes(_ kept: [ArchivedDelete]) -> [[ArchivedDelete]] {
        let places = Dictionary(kept.enumerated().map { ($1.token.delete, $0) }, uniquingKeysWith: { $1 })
        return Dictionary(grouping: kept, by: \.token.delete)
            .sorted { (places[$0.key] ?? 0) < (places[$1.key] ?? 0) }.map(\.value)
    }
}
