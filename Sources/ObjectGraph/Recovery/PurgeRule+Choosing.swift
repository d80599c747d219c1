extension PurgeRule {
    /// The kept deletes to give up. The chunks of one delete go together: one alone would bring back rows whose owners are
    /// gone.
    /// - Parameter kept: the oldest first.
    package func chosen(of kept: [KeptDelete]) -> [KeptDelete] {
        let deletes = Self.deletes(kept)
        switch self {
        case .everything: return kept
        case .token(let token): return kept.filter { $0.token.delete == token.delete }
        case .olderThan(let date): return deletes.filter { $0.allSatisfy { $0.date < date } }.flatMap { $0 }
        case .downTo(let limit):
            // Counted from the newest, as a sum of all may come to more than any number.
            var sum: Int64 = 0
            let stay = deletes.reversed().prefix { chunks in
                sum = ([sum] + chunks.map(\.byteCount)).saturatingSum()
                return sum <= limit
            }
            return deletes.dropLast(stay.count).flatMap { $0 }
        }
    }

    /// Delete by delete, in the order of their last chunks.
    private static func deletes(_ kept: [KeptDelete]) -> [[KeptDelete]] {
        let places = Dictionary(kept.enumerated().map { ($1.token.delete, $0) }, uniquingKeysWith: { $1 })
        return Dictionary(grouping: kept, by: \.token.delete)
            .sorted { (places[$0.key] ?? 0) < (places[$1.key] ?? 0) }.map(\.value)
    }
}
