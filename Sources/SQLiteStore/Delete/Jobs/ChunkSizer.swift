/// Decides how much one transaction may do, from what the ones before have cost. At most twice, at least half as much as
/// the time before, so that one odd measurement does little harm.
struct ChunkSizer: Sendable {
    let budget: DeleteJobOptions.Budget
    /// How many rows the next chunk may have.
    private(set) var size: Int
    /// For one row, the recent ones weighing more.
    private var cost: (milliseconds: Double, bytes: Double)?

    private static let first = 1_000

    init(_ budget: DeleteJobOptions.Budget) {
        self.budget = budget
        size = max(1, min(Self.first, budget.rows))
    }

    mutating func note(_ chunk: ChunkCost) {
        guard chunk.rows > 0 else { return }
        let latest = (
            milliseconds: max(0, chunk.milliseconds) / Double(chunk.rows),
            bytes: Double(max(0, chunk.bytes)) / Double(chunk.rows)
        )
        let cost = self.cost.map {
            (milliseconds: ($0.milliseconds + latest.milliseconds) / 2, bytes: ($0.bytes + latest.bytes) / 2)
        }
        self.cost = cost ?? latest
        let wanted = min(
            rows(budget.milliseconds, each: self.cost?.milliseconds ?? 0),
            rows(Double(budget.bytes), each: self.cost?.bytes ?? 0), Double(budget.rows))
        let (low, high) = (Double(max(1, size / 2)), Double(size) * 2)
        // Not above what a caller asks for, whatever the steps.
        size = max(1, min(Int(min(max(wanted, low), high)), budget.rows))
    }

    private func rows(_ budget: Double, each cost: Double) -> Double {
        // Far above any table, far below what an integer can hold.
        guard cost > 0 else { return 1e15 }
        return min(1e15, max(0, budget) / cost)
    }
}
