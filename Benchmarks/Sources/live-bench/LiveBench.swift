import Foundation
import SwiftData

/// Measures live results: what a change costs an observer, and what it holds for each result.
@main
enum LiveBench {
    static func main() throws {
        try oneRow(of: 100_000)
        try unreadProperty(observers: 1_000, saves: 10_000)
        try setDelete(of: 520_000, reaching: 10_000)
    }

    private static func context(_ count: Int, stations: Int) throws -> ModelContext {
        let context = ModelContext(
            try ModelContainer(for: Reading.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        for number in 0..<count { context.insert(Reading((number &* 7919) % count, station: number % stations)) }
        try context.save()
        return context
    }

    private static func report(_ title: String, per count: Int, _ body: () throws -> Void) rethrows {
        let duration = try ContinuousClock().measure(body)
        let (seconds, attoseconds) = duration.components
        let total = Double(seconds) + Double(attoseconds) / 1e18
        print(
            "\(title): \(String(format: "%.3f µs", total / Double(count) * 1e6)), in all \(String(format: "%.1f ms", total * 1e3))"
        )
    }

    private static func oneRow(of count: Int) throws {
        let context = try context(count, stations: 100)
        let all = try context.fetch(FetchDescriptor<Reading>())
        let observer = try ResultsObserver<Reading, Never>(sortBy: [SortDescriptor(\.number)], modelContext: context)
        _ = observer.results
        var random = SystemRandomNumberGenerator()
        report("one changed row among \(count) sorted results", per: 10_000) {
            for _ in 0..<10_000 {
                guard let reading = all.randomElement(using: &random) else { return }
                reading.number = Int.random(in: 0..<count, using: &random)
                _ = observer.results.count
            }
        }
    }

    private static func unreadProperty(observers count: Int, saves: Int) throws {
        let context = try context(saves, stations: count)
        let all = try context.fetch(FetchDescriptor<Reading>())
        func save(_ title: String, _ read: () -> Void) throws {
            try report(title, per: saves) {
                for reading in all {
                    reading.note += 1
                    try context.save()
                    read()
                }
            }
        }
        try save("a save of one row, without observers") {}
        let observers = try (0..<count).map { station in
            try ResultsObserver<Reading, Never>(
                filterBy: #Predicate { $0.station == station }, sortBy: [SortDescriptor(\.number)],
                modelContext: context)
        }
        try save("the same with \(count) observers of other properties, of which one is read") {
            _ = observers[0].results
        }
        try report("a save of a property that they read", per: saves) {
            for reading in all {
                reading.number += 1
                try context.save()
                _ = observers[0].results
            }
        }
    }

    private static func setDelete(of count: Int, reaching results: Int) throws {
        let context = try context(count, stations: count / results)
        let observer = try ResultsObserver<Reading, Never>(
            filterBy: #Predicate { $0.station == 0 }, sortBy: [SortDescriptor(\.number)], modelContext: context)
        let other = ModelContext(context.container)
        let limit = count / 26 * 25
        try other.delete(model: Reading.self, where: #Predicate { $0.number < limit })
        try other.save()
        report("a set delete of \(limit) rows reaches \(results) results", per: 1) { _ = observer.results.count }
    }
}
