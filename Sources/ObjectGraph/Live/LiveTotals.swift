/// The running totals of the groups of rows held by an observer.
struct LiveTotals {
    /// How the value of a result is found.
    enum Source {
        /// From its running total.
        case total(AggregateFunction)
        /// It is at an end of the group's rows, which its operand orders.
        case first, last
        /// From all rows of the group.
        case rows
    }

    struct Group {
        var rowCount = 0
        var totals: [RunningTotal]
        /// Results found from all rows, until these change.
        var known: [Int: Value] = [:]
    }

    let query: GroupQuery
    let sources: [Source]
    /// The column of each result's operand.
    let columns: [Int]
    private(set) var groups: [[ValueKey]: Group] = [:]

    init(_ query: GroupQuery) {
        self.query = query
        let ordered = query.results.first { [.minimum, .maximum].contains($0.function) }?.operand
        let operands = Self.operands(of: query)
        columns = query.results.map { result in
            query.keys.count + (operands.firstIndex(of: result.operand) ?? 0)
        }
        sources = query.results.map { result in
            switch result.function {
            case .count, .sum, .average: .total(result.function)
            case .minimum where result.operand == ordered: .first
            case .maximum where result.operand == ordered: .last
            default: .rows
            }
        }
    }

    /// The different operands; one that orders the rows of a group is first.
    static func operands(of query: GroupQuery) -> [QueryExpression] {
        var operands: [QueryExpression] = []
        let first = query.results.first { [.minimum, .maximum].contains($0.function) }
        for result in (first.map { [$0] } ?? []) + query.results where !operands.contains(result.operand) {
            operands.append(result.operand)
        }
        return operands
    }

    mutating func removeAll() { groups = [:] }

    mutating func note(_ number: UInt32, of rows: HeldRows, _ sign: RunningTotal.Sign) {
        let key = key(of: number, rows)
        var group = groups.removeValue(forKey: key) ?? Group(totals: query.results.map { RunningTotal($0.numbers) })
        group.rowCount += sign.rawValue
        if !group.known.isEmpty { group.known = [:] }
        for (index, column) in columns.enumerated() {
            group.totals[index].note(rows.sortValue(number, key: column), sign)
        }
        if group.rowCount > 0 { groups[key] = group }
    }

    func key(of number: UInt32, _ rows: HeldRows) -> [ValueKey] {
        query.keys.indices.map { ValueKey(rows.sortValue(number, key: $0)) }
    }

    mutating func keep(_ value: Value, of result: Int, in key: [ValueKey]) { groups[key]?.known[result] = value }
}
