/// A condition on the results of a group. Like those of rows, a comparison with nil is true only for equality.
package indirect enum GroupCondition: Sendable, Hashable {
    /// Compares a result, by its position in `GroupQuery.results`, with a value.
    case compare(ComparisonOperator, result: Int, Value)
    case and([GroupCondition])
    case or([GroupCondition])
    case not(GroupCondition)

    package func holds(for group: RowGroup) -> Bool {
        switch self {
        case .compare(let comparison, let index, let value):
            guard group.results.indices.contains(index) else { return false }
            return ValueOrder.test(comparison, group.results[index], value)
        case .and(let parts): return parts.allSatisfy { $0.holds(for: group) }
        case .or(let parts): return parts.contains { $0.holds(for: group) }
        case .not(let part): return !part.holds(for: group)
        }
    }
}
