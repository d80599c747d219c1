import Foundation
import ObjectGraph
import SQLiteStore

/// Two processes on one file: one deletes in chunks, the other reads and writes. A call that would have to wait longer than its
/// limit fails, and with it the process.
enum Neighbours {
    /// - Returns: the number of deleted rows.
    static func delete(_ world: CrashWorld, wait: Double) async throws -> Int {
        let store = try world.open(wait: wait)
        var options = DeleteJobOptions()
        options.budget.rows = 40
        options.budget.milliseconds = 50
        let job = try store.startJob(try CrashWorld.request(store), options)
        return try await job.run().rowsDone
    }

    /// - Returns: the number of labels.
    static func insert(_ world: CrashWorld, labels count: Int, author: String) throws -> Int {
        let store = try world.open(wait: 10)
        for _ in 0..<count { _ = try world.insert("Label", [[:]], store, author: author) }
        return try store.count(Query(entityIndex: try CrashWorld.entity("Label").index))
    }

    /// Inserts labels into the store, one by one, and checks that its contents obey the rules.
    /// - Returns: the number of labels inserted during the other process's delete.
    static func work(_ world: CrashWorld, folder: String, wait: Double, _ problems: inout [String]) throws -> Int {
        let store = try world.open(wait: wait)
        let stop = URL(fileURLWithPath: folder).appendingPathComponent("stop").path
        var written: [ObjectID] = []
        var meanwhile = 0
        while !FileManager.default.fileExists(atPath: stop) {
            let isBeside = try !store.jobs().isEmpty
            written += try world.insert("Label", [[:]], store)
            if isBeside { meanwhile += 1 }
            if written.count == 1 { print("working"); fflush(nil) }
            problems += try world.problems().map { "after \(written.count) labels: \($0)" }
        }
        let found = Set(try store.fetchIDs(Query(entityIndex: try CrashWorld.entity("Label").index)))
        let lost = written.filter { !found.contains($0) }
        if !lost.isEmpty { problems.append("labels that are lost: \(lost.count)") }
        return meanwhile
    }
}
