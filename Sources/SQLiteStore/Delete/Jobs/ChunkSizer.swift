import ObjectGraph

/// Decides how much one transaction may do, from what the ones before have cost. At most twice, at least half as much as
/// the time before, so that one odd measurement does little harm.
///
/// Time has a part that every chunk takes, however little it does: where that alone is above the budget, smaller chunks would
/// only be more of them. As no measurement tells the two parts apart for sure, time makes no chunk smaller than a few rows.
struct ChunkSizer: Sendable {
    let budget: DeleteJobOptions.Budget
    /// How many rows and links together the next chunk may have.
    private(set) var size: Int
    /// Of one row or link, the recent ones weighing more.
    private var cost: (milliseconds: Double, bytes: Double)?
    private var latest: (count: Int, milliseconds: Double)?

    private static let first = 1_000
    /// Rows whose values are large, and those with many links, are fewer by what they write, and by what they count.
    private static let fewestForTime = 16.0

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
        let milliseconds = max(0, chunk.milliseconds)
        let measured = (
            milliseconds: millisecondsForEach(count, milliseconds),
            bytes: Double(max(0, chunk.bytes)) / Double(count)
        )
        let cost =
            self.cost.map {
                (milliseconds: ($0.milliseconds + measured.milliseconds) / 2, bytes: ($0.bytes + measured.bytes) / 2)
            } ?? measured
        self.cost = cost
        latest = (count, milliseconds)
        let fixed = max(0, milliseconds - cost.milliseconds * Double(count))
        let left = fixed < budget.milliseconds ? budget.milliseconds - fixed : budget.milliseconds / 2
        let inTime = size(left, each: cost.milliseconds)
        let wanted = min(
            max(Self.fewestForTime, inTime), size(Double(budget.bytes), each: cost.bytes), Double(budget.most))
        // A chunk that did less than it might have, and was too dear for all that, is what the next is half of.
        let least = isTooDear(chunk) ? min(size, count) : size
        let (low, high) = (Double(max(1, least / 2)), Double(size) * 2)
        // Not above what a caller asks for, whatever the steps.
        size = max(1, min(Int(min(max(wanted, low), high)), budget.most))
    }

    /// What one more row or link takes, as this chunk and the one before tell it: by how much longer the larger one took, or,
    /// where they are alike, by how much dearer this one was.
    private func millisecondsForEach(_ count: Int, _ milliseconds: Double) -> Double {
        let most = milliseconds / Double(count)
        guard let latest, let cost else { return most }
        let (more, longer) = (count - latest.count, milliseconds - latest.milliseconds)
        let measured =
            abs(more) >= latest.count / 4 && more != 0
            ? longer / Double(more) : cost.milliseconds + longer / Double(count)
        return min(max(0, measured), most)
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
