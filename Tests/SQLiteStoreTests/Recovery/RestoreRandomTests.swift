import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Restoring random deletes")
struct RestoreRandomTests {
    @Test(
        "restored in reverse order, every table has its former contents, and the archive's tables are gone",
        arguments: 0..<8)
    func reverseOrder(round: UInt64) throws {
        var kept = 0
        for seed in (round * 10)..<(round * 10 + 10) {
            var random = SeededGenerator(seed: seed)
            let zoo = try RandomStore(&random, oneToOne: seed % 2 == 0 ? .paired : .anywhere)
            var before: [(token: RecoveryToken, contents: Contents)] = []
            for _ in 0..<4 {
                let contents = try Contents(zoo.store)
                if let token = try zoo.deleteSome(&random) {
                    before.append((token, contents))
                } else {
                    #expect(try Contents(zoo.store) == contents, "seed \(seed): a refused delete changed something")
                }
            }
            kept += before.count
            #expect(try zoo.store.archivedDeletes().map(\.token) == before.map(\.token))
            for (token, contents) in before.reversed() {
                let result = try zoo.store.restore(token, .strict)
                let now = try Contents(zoo.store)
                #expect(result.isComplete && !result.restored.isEmpty, "seed \(seed)")
                #expect(now.difference(from: contents) == "", "seed \(seed)\n\(zoo)")
            }
        }
        #expect(kept > 0)
    }

    @Test(
        "in any order, strict changes nothing if it fails, and rows left out by skipping are restored when possible",
        arguments: 0..<8)
    func anyOrder(round: UInt64) throws {
        for seed in (round * 10 + 10_000)..<(round * 10 + 10_010) {
            var random = SeededGenerator(seed: seed)
            let zoo = try RandomStore(&random, oneToOne: .paired)
            let original = try Contents(zoo.store)
            var loose = try zoo.loose()
            var tokens: [RecoveryToken] = []
            for _ in 0..<4 {
                guard let token = try zoo.deleteSome(&random) else { continue }
                tokens.append(token)
                // Some rules leave dangling references, and rows with such references are restored with them.
                loose.formUnion(try zoo.loose())
            }
            for token in tokens.shuffled(using: &random) {
                let before = try Contents(zoo.store)
                let conflicts = try zoo.store.conflicts(restoring: token)
                if !conflicts.isEmpty {
                    #expect(throws: RecoveryError.conflicts(conflicts)) { try zoo.store.restore(token, .strict) }
                    #expect(try Contents(zoo.store).difference(from: before) == "", "seed \(seed)")
                }
                let links = try zoo.links()
                let result = try zoo.store.restore(token, .skippingConflicts)
                #expect(result.isComplete == conflicts.isEmpty)
                let now = try zoo.links()
                #expect(result.updated.ids.allSatisfy { now[$0] != links[$0] }, "seed \(seed)\n\(zoo)")
                #expect(try zoo.loose().subtracting(loose).isEmpty, "seed \(seed)\n\(zoo)")
            }
            try restoreTheRest(tokens, zoo, original, seed)
        }
    }

    /// Each round restores rows that the one before made possible; in the end everything but versions is restored.
    private func restoreTheRest(
        _ tokens: [RecoveryToken], _ zoo: RandomStore, _ original: Contents, _ seed: UInt64
    ) throws {
        for _ in 0...tokens.count {
            for kept in try zoo.store.archivedDeletes() { _ = try zoo.store.restore(kept.token, .skippingConflicts) }
        }
        #expect(try zoo.store.archivedDeletes().isEmpty, "seed \(seed)")
        for table in zoo.store.map.entityTables {
            try zoo.store.pool.withWriter { try $0.execute("UPDATE \(table) SET Z_OPT = 1") }
        }
        #expect(try Contents(zoo.store).difference(from: original) == "", "seed \(seed)\n\(zoo)")
    }
}
