import BenchmarkSupport
import Foundation

/// The measurements of one workload at one size, as a line of a table.
struct Report {
    let workload: Workload
    let count: Int
    var rounds: [[Measurement]] = []
    /// Each variant in a process of its own.
    var alone: [Measurement] = []

    /// "With history": the ratio of wall times where both write history. "It adds": the share of history in the library's time.
    static let header = """
        | workload | N | by hand | library | ratio (least to most) | of CPU time | with history | it adds | must | aim | peak by hand | peak library |
        |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
        """

    /// All variants must have affected as many rows, read the same values, and left the same store.
    func check() throws {
        let all = rounds.joined() + alone
        guard let first = all.first else { return }
        for other in all where other.variant != .byHandAsSet {
            let isSame =
                other.rows == first.rows && abs(other.checksum - first.checksum) < 1 + abs(first.checksum) * 1e-9
                && other.digest == first.digest
            guard isSame else {
                throw RunnerError.different(workload, count, "\(facts(first)); \(facts(other))")
            }
        }
    }

    private func facts(_ measurement: Measurement) -> String {
        "\(measurement.variant.rawValue): \(measurement.rows) rows, checksum \(measurement.checksum), "
            + "store \(measurement.digest.map { String(Int64($0)) }.joined(separator: " "))"
    }

    var line: String {
        workload == .hold ? memoryLine : timeLine
    }

    // MARK: Time

    private var base: Variant { workload.variants[0] }

    private var timeLine: String {
        let ratios = ratios(of: .library, to: base)
        let spread = "\(text(median(ratios))) (\(text(ratios.min() ?? .nan)) to \(text(ratios.max() ?? .nan)))"
        let withHistory = median(self.ratios(of: .libraryWithHistory, to: .byHandWithHistory))
        let cells = [
            workload.title, String(count), milliseconds(base), milliseconds(.library), spread,
            processorRatio(base), text(withHistory), historyShare,
            workload.target.map { text($0.must) } ?? "–", workload.target.map { text($0.aim) } ?? "–",
            peak(base), peak(.library),
        ]
        return row(cells) + setLine
    }

    private var historyShare: String {
        let share = (median(ratios(of: .libraryWithHistory, to: .library)) - 1) * 100
        return share.isFinite ? "\(Int(share.rounded())) %" : "–"
    }

    /// For updates: the same in one statement, with which no object-at-a-time work can be compared fairly.
    private var setLine: String {
        guard workload.variants.contains(.byHandAsSet) else { return "" }
        let ratio = text(median(ratios(of: .library, to: .byHandAsSet)))
        return "\n"
            + row([
                "– against one UPDATE statement", String(count), milliseconds(.byHandAsSet), milliseconds(.library),
                ratio, processorRatio(.byHandAsSet), "–", "–", "–", "–", peak(.byHandAsSet), "",
            ])
    }

    private func processorRatio(_ base: Variant) -> String {
        text(median(ratios(of: .library, to: base, \.processorSeconds)))
    }

    private func ratios(
        of variant: Variant, to base: Variant, _ seconds: KeyPath<Cost, Double> = \.seconds
    ) -> [Double] {
        rounds.compactMap { round in
            guard let mine = round.first(where: { $0.variant == variant }),
                let other = round.first(where: { $0.variant == base })
            else { return nil }
            return mine.cost[keyPath: seconds] / other.cost[keyPath: seconds]
        }
    }

    private func milliseconds(_ variant: Variant) -> String {
        let times = rounds.joined().filter { $0.variant == variant }.map(\.cost.seconds)
        return text(median(times) * 1000) + " ms"
    }

    // MARK: Memory

    private func peak(_ variant: Variant) -> String {
        guard let cost = alone.first(where: { $0.variant == variant })?.cost, cost.peakKB > 0 else { return "–" }
        return text(Double(cost.peakKB - cost.startKB) / 1024) + " MB"
    }

    /// Resident memory once everything has been fetched and read.
    private func bytesHeld(_ variant: Variant) -> Double {
        guard let cost = alone.first(where: { $0.variant == variant })?.cost, count > 0 else { return .nan }
        return Double(cost.endKB - cost.startKB) * 1024 / Double(count)
    }

    private var memoryLine: String {
        let (mine, other) = (bytesHeld(.library), bytesHeld(base))
        return row([
            workload.title, String(count), "\(text(other)) B", "\(text(mine)) B", text(mine / other), "–", "–", "–",
            workload.target.map { "\(text($0.must)) B" } ?? "–", workload.target.map { "\(text($0.aim)) B" } ?? "–",
            peak(base), peak(.library),
        ])
    }

    // MARK: Text

    private func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

    private func text(_ number: Double) -> String {
        guard number.isFinite else { return "–" }
        return number >= 100 ? String(format: "%.0f", number) : String(format: "%.2f", number)
    }

    private func median(_ numbers: [Double]) -> Double {
        let sorted = numbers.sorted()
        guard !sorted.isEmpty else { return .nan }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
