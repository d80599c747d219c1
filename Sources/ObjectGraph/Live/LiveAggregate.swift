/// A group query whose groups are maintained: a change of a row costs what the row is, whatever the size of its group.
///
/// Counts, sums and averages are running totals. The rows of each group are held in the order of the first operand of a
/// minimum or maximum, which is at an end of them. All other functions are computed anew from the rows held of a group
/// that has changed, when they are asked for.
///
/// Groups are in the order of their keys. As long as the rows are not held (`HoldingRule`), the store computes the groups.
package final class LiveAggregate {
    package let query: GroupQuery
    /// The rows, in sections that are the groups. Their differences name the groups that are gone, new, and changed.
    package let results: LiveResults
    private let sources: [LiveTotals.Source]
    private let columns: [Int]

    init(_ query: GroupQuery, _ holding: HoldingRule, in graph: Graph, _ model: Model) throws {
        self.query = query
        let totals = LiveTotals(query)
        (sources, columns) = (totals.sources, totals.columns)
        results = try LiveResults(totals, holding, in: graph, model)
    }

    init(_ query: GroupQuery, _ summary: GroupSummary, in graph: Graph, _ model: Model) {
        self.query = query
        let totals = LiveTotals(query)
        (sources, columns) = (totals.sources, totals.columns)
        results = LiveResults(totals, summary, in: graph, model)
    }

    /// The number of groups: at least one without keys.
    package var count: Int {
        query.keys.isEmpty ? 1 : results.summary?.groups.count ?? results.sectionCount
    }

    /// Returns the group at an index, which must be below `count`.
    package func group(at index: Int) -> RowGroup {
        guard index < count else { return emptyGroup }
        if let groups = results.summary?.groups { return groups.isEmpty ? emptyGroup : groups[index] }
        guard !results.isEmpty else { return emptyGroup }
        let range = query.keys.isEmpty ? 0..<results.count : results.section(at: index).range
        let first = results.tree[range.lowerBound]
        // The totals are not held here, as keeping a value in them would copy all groups.
        guard let key = results.totals?.key(of: first, results.rows), let group = results.totals?.groups[key] else {
            return emptyGroup
        }
        let values = query.keys.indices.map { results.rows.sortValue(first, key: $0) }
        return RowGroup(
            keys: values, results: query.results.indices.map { value(of: $0, in: group, key, range) })
    }

    package var groups: [RowGroup] { (0..<count).map(group) }

    private var emptyGroup: RowGroup {
        RowGroup(
            keys: query.keys.map { _ in .null },
            results: query.results.map { $0.function.apply([], with: $0.numbers) })
    }

    private func value(
        of index: Int, in group: LiveTotals.Group, _ key: [ValueKey], _ range: Range<Int>
    ) -> Value {
        let total = group.totals[index]
        switch sources[index] {
        case .total(let function): return total.result(of: function)
        case .first, .last:
            guard total.valueCount > 0 else { return .null }
            // Nil precedes all values.
            var position = range.upperBound - 1
            if case .first = sources[index] { position -= total.valueCount - 1 }
            return results.rows.sortValue(results.tree[position], key: columns[index])
        case .rows:
            if let known = group.known[index] { return known }
            var values: [Value] = []
            results.tree.forEach(in: range) {
                values.append(results.rows.sortValue($0, key: columns[index]))
            }
            let value = query.results[index].function.apply(values, with: query.results[index].numbers)
            results.totals?.keep(value, of: index, in: key)
            return value
        }
    }
}

extension LiveQuery {
    /// The rows of groups: in sections of their keys, with the operands as further sort keys, so that these are held.
    init(_ query: GroupQuery) {
        var rows = query.rows
        (rows.limit, rows.offset) = (nil, 0)
        rows.sort = (query.keys + LiveTotals.operands(of: query)).map { SortKey($0) }
        self.init(rows, sectionKeyCount: query.keys.count)
    }
}

extension LiveResults {
    func countAll() {
        guard totals != nil else { return }
        totals?.removeAll()
        tree.forEach(in: 0..<tree.count) { totals?.note($0, of: rows, .addition) }
    }
}
