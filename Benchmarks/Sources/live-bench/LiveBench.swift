import ArgumentParser
import BenchmarkSupport
import Foundation
import SwiftData

/// Measures live results: what a change costs with observers, and what an observer holds for each result.
@main
struct LiveBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live-bench",
        abstract: "Measures what changes cost with observers of results. Prints the costs of one workload as JSON.")

    @Argument(
        help: ArgumentHelp(
            "One of \(LiveWorkload.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "workload"))
    var workload: LiveWorkload

    @Option(help: "Number of rows.")
    var rows = 100_000

    @Option(help: "Number of observers. Without any, the changes alone are measured.")
    var observers = 1

    @Option(help: "Number of changes.")
    var changes = 1_000

    @Option(help: "Number of rows for each station.")
    var rowsPerStation = 10

    func validate() throws {
        guard rows > 0, observers >= 0, changes > 0, rowsPerStation > 0 else {
            throw ValidationError("Numbers must be positive.")
        }
    }

    func run() throws {
        let path = NSTemporaryDirectory() + "live-bench-\(ProcessInfo.processInfo.processIdentifier).store"
        defer { StoreFile.remove(path) }
        let context = ModelContext(try StoreFile.container([Reading.self], at: path))
        for number in 0..<rows { context.insert(Reading((number &* 7919) % rows, station: number / rowsPerStation)) }
        try context.save()
        let cost = try measure(in: context)
        let result = Result(
            workload: workload.rawValue, rows: rows, observers: observers,
            changes: workload == .hold ? rows : workload == .delete ? 1 : changes, cost: cost)
        print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
    }

    private struct Result: Encodable {
        let workload: String
        let rows: Int
        let observers: Int
        let changes: Int
        let cost: Cost
    }

    private func measure(in context: ModelContext) throws -> Cost {
        let all = try context.fetch(FetchDescriptor<Reading>())
        switch workload {
        case .edit, .save:
            let observers = try (0..<observers).map { _ in
                try ResultsObserver<Reading, Never>(sortBy: [SortDescriptor(\.number)], modelContext: context)
            }
            return try cost(of: all, observers) { number, reading in
                reading.number = (number &* 104_729) % rows
                if workload == .save { try context.save() }
            }
        case .unread, .read:
            let observers = try stationObservers(in: context)
            return try cost(of: all, observers) { _, reading in
                if workload == .unread { reading.note += 1 } else { reading.number += 1 }
                try context.save()
            }
        case .groups:
            return try groupsCost(in: context, all)
        case .delete:
            return try deleteCost(in: context.container)
        case .hold:
            let (results, cost) = try Cost.measure {
                let observer = try ResultsObserver<Reading, Never>(
                    sortBy: [SortDescriptor(\.number)], modelContext: context)
                _ = observer.results.count
                return observer
            }
            return withExtendedLifetime((all, results)) { cost }
        }
    }

    private func stationObservers(in context: ModelContext) throws -> [ResultsObserver<Reading, Never>] {
        try (0..<observers).map { station in
            try ResultsObserver<Reading, Never>(
                filterBy: #Predicate { $0.station == station }, sortBy: [SortDescriptor(\.number)],
                modelContext: context)
        }
    }

    /// The cost of `changes` changes of rows in turn, each followed by reading the results that it changes.
    private func cost(
        of all: [Reading], _ observers: [ResultsObserver<Reading, Never>], _ change: (Int, Reading) throws -> Void
    ) throws -> Cost {
        // As a window shows them: results are read once before, and whenever they change.
        for observer in observers { _ = observer.results.count }
        let (_, cost) = try Cost.measure {
            for number in 0..<changes {
                let reading = all[(number &* 7_907) % all.count]
                try change(number, reading)
                if observers.count == 1 { _ = observers[0].results.count }
                if reading.station < observers.count { _ = observers[reading.station].results.count }
            }
        }
        return withExtendedLifetime(observers) { cost }
    }

    private func groupsCost(in context: ModelContext, _ all: [Reading]) throws -> Cost {
        let observer = try AggregateObserver(
            AggregateDescriptor(of: Reading.self, .count, .sum(\.number), by: \.station), modelContext: context)
        // The first unsaved change makes the observer read all rows.
        all[0].number += 1
        _ = observer.groups
        let (sum, cost) = Cost.measure {
            (0..<changes).reduce(0) { sum, number in
                all[(number &* 7_907) % all.count].number += 1
                return sum &+ observer.groups[0].value.1
            }
        }
        return withExtendedLifetime(sum) { cost }
    }

    /// The observers' context has read their results only.
    private func deleteCost(in container: ModelContainer) throws -> Cost {
        let context = ModelContext(container)
        let station = 0
        let observed = rowsPerStation
        let observers = try (0..<observers).map { _ in
            try ResultsObserver<Reading, Never>(
                filterBy: #Predicate { $0.station == station }, sortBy: [SortDescriptor(\.number)],
                modelContext: context)
        }
        for observer in observers { _ = observer.results.count }
        let other = ModelContext(container)
        let limit = rows / 26 * 25
        try other.delete(model: Reading.self, where: #Predicate { $0.number < limit })
        try other.save()
        let (left, cost) = Cost.measure { observers.map { $0.results.count } }
        guard left.allSatisfy({ $0 < observed }) else {
            throw ValidationError("The delete did not reach the observer.")
        }
        return withExtendedLifetime(observers) { cost }
    }
}
