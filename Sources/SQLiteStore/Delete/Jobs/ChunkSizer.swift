/// Decides how much one transaction may do, from what the ones before have cost. At most twice, at least half as much as
/// the time before, so that one odd measurement does little harm.
struct ChunkSizer: Sendable {
    let budget: DeleteJobOptions.Budget
    /// How many rows and links together the next chunk may have.
    private(set) var size: Int
    /// For one of them, the recent ones weighing more.
    private var cost: (milliseconds: Double, bytes: Double)?

    private static let first = 1_000

    init(_ budget: DeleteJobOptions.Budget) {
        self.budget = budget
        size = max(1, min(Self.first, budget.most))
    }

    var limit: ChunkLimit {
        ChunkLimit(
            rows: max(1, min(size, budget.rows)), links: max(1, min(size, budget.links)), total: size)
    }

    mutating func note(_ chunk: ChunkCost) {
        let count = chunk.rows + chunk.links
        guard count > 0 else { return }
        let latest = (
            milliseconds: max(0, chunk.milliseconds) / Double(count),
            bytes: Double(max(0, chunk.bytes)) / Double(count)
        )
        let cost = self.cost.map {
            (milliseconds: ($0.milliseconds + latest.milliseconds) / 2, bytes: ($0.bytes + latest.bytes) / 2)
        }
        self.cost = cost ?? latest
        let wanted = min(
            size(budget.milliseconds, each: self.cost?.milliseconds ?? 0),
            size(Double(budget.bytes), each: self.cost?.bytes ?? 0), Double(budget.most))
        // A chunk that did less than it might have, and was too dear for all that, is what the next is half of.
        let least = isTooDear(chunk) ? min(size, count) : size
        let (low, high) = (Double(max(1, least / 2)), Double(size) * 2)
        // Not above what a caller asks for, whatever the steps.
        size = max(1, min(Int(min(max(wanted, low), high)), budget.most))
    }

    private func isTooDear(_ chunk: ChunkCost) -> Bool {
        chunk.milliseconds > budget.milliseconds || chunk.bytes > budget.bytes
    }

    private func size(_ budget: Double, each cost: Double) -> Double {
        // Far above any table, far below what an integer can hold.
        guard cost > 0 else { return 1e15 }
        return min(1e15, max(0, budget) / cost)
    }
}

extension DeleteJobOptions.Budget {
    /// Rows and links together.
    fileprivate var most: Int {
        let (sum, overflows) = max(1, rows).addingReportingOverflow(max(0, links))
        return overflows ? .max : sum
    }
}
