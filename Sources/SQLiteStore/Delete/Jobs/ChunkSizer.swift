import ObjectGraph

/// Chooses the size of the next chunk by the measured cost of earlier ones. The size at most doubles and at most halves
/// each time, to limit the effect of one outlier.
///
/// Every chunk has a fixed cost in time. If that alone exceeds the budget, smaller chunks would only increase the total.
/// Measurements cannot separate fixed and variable cost reliably, so time never reduces a chunk below a few rows.
struct ChunkSizer: Sendable {
    let budget: DeleteJobOptions.Budget
    /// The maximum number of rows and links together in the next chunk.
    private(set) var size: Int
    /// The average cost of one row or link, weighted towards recent chunks.
    private var cost: (milliseconds: Double, bytes: Double)?
    private var latest: (count: Int, milliseconds: Double)?

    private static let first = 1_000
    /// The minimum size that the time budget can cause. The budgets for bytes and counts can reduce chunks further: for
    /// rows with large values or many links.
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
        // If a chunk was smaller than permitted and still exceeded the budget, the next one is half of its actual size.
        let least = isTooExpensive(chunk) ? min(size, count) : size
        let (low, high) = (Double(max(1, least / 2)), Double(size) * 2)
        // Never above the caller's limit, whatever the measurements.
        size = max(1, min(Int(min(max(wanted, low), high)), budget.most))
    }

    /// Estimates the time for one more row or link from this chunk and the one before: by the difference in time if their
    /// sizes differ, otherwise by the deviation of this chunk from the average.
    private func millisecondsForEach(_ count: Int, _ milliseconds: Double) -> Double {
        let most = milliseconds / Double(count)
        guard let latest, let cost else { return most }
        let (more, longer) = (count - latest.count, milliseconds - latest.milliseconds)
        let measured =
            abs(more) >= latest.count / 4 && more != 0
            ? longer / Double(more) : cost.milliseconds + longer / Double(count)
        return min(max(0, measured), most)
    }

    private func isTooExpensive(_ chunk: ChunkCost) -> Bool {
        chunk.milliseconds > budget.milliseconds || chunk.bytes > budget.bytes
    }

    private func size(_ budget: Double, each cost: Double) -> Double {
        // Far above any table size, far below the limits of an integer.
        guard cost > 0 else { return 1e15 }
        return min(1e15, max(0, budget) / cost)
    }
}

extension DeleteJobOptions.Budget {
    /// The limit for rows and links together.
    fileprivate var most: Int {
        let (sum, overflows) = max(1, rows).addingReportingOverflow(max(0, links))
        return overflows ? .max : sum
    }
}
