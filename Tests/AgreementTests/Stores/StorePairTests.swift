import TestSupport
import Testing

/// The store in a file's layout compared with the memory store, which is the short specification of a store.
@Suite("Both stores behave alike")
struct StorePairTests {
    @Test(
        "rows, versions, conflicts, plans, errors, history and archive are equal after every step",
        arguments: Seeds.rounds(50))
    func runs(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 0x5708E)
        let run = try StorePairRun(&random)
        do {
            for _ in 0..<80 { try run.step(&random) }
        } catch {
            Issue.record("seed \(seed): \(error)\n\(run.schema)\n\(run.log.suffix(40).joined(separator: "\n"))")
        }
    }

    @Test("the random runs reach every result often enough to be meaningful")
    func endings() throws {
        var endings: [String: Int] = [:]
        for seed in 0..<30 as Range<UInt64> {
            var random = SeededGenerator(seed: seed &+ 0x5708E)
            let run = try StorePairRun(&random)
            for _ in 0..<80 { try run.step(&random) }
            endings.merge(run.endings, uniquingKeysWith: +)
        }
        let wanted = [
            "save: done", "save: conflicts", "save: references to deleted rows", "save: replaced rows",
            "save: upkeep of links", "save: planned deletes", "save: UniqueViolation", "save: ValidationError",
            "restore: all", "restore: in part", "restore strict: RecoveryError", "delete past contexts: DeleteError",
            "batch insert: done", "batch update: done", "history: HistoryError",
        ]
        for ending in wanted { #expect(endings[ending, default: 0] >= 5, "\(ending): \(endings)") }
    }
}
