import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Bulk deletes agree with deletes of single objects, and with the rules")
struct DeleteAgreementTests {
    @Test("tables, versions, history and refusals are equal in every way of deleting", arguments: Seeds.rounds(25))
    func ways(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 0xDE1E7E)
        let world = try DeleteWorld(&random)
        var round = try DeleteRound(world, history: random.chance(85) ? .with : .without)
        for number in 0..<4 {
            do {
                _ = try round.run(&random)
            } catch {
                Issue.record(
                    "seed \(seed), delete \(number): \(error)\n\(world.schema)\n\(round.log.joined(separator: "\n"))")
                return
            }
        }
    }

    @Test("the random cases reach every result often enough to be meaningful")
    func endings() throws {
        var endings: [DeleteRound.Ending: Int] = [:]
        for seed in 0..<12 as Range<UInt64> {
            var random = SeededGenerator(seed: seed &+ 0xDE1E7E)
            var round = try DeleteRound(try DeleteWorld(&random))
            for _ in 0..<4 { endings[try round.run(&random), default: 0] += 1 }
        }
        #expect(endings[.deleted, default: 0] >= 8, "\(endings)")
        #expect(endings[.refused, default: 0] >= 4, "\(endings)")
    }
}

@Suite("A context that deletes by predicate equals one that deletes fetched objects")
struct PlannedDeleteContextTests {
    /// In 288, a `deny` rule counts a one-to-one link that only the deleted row still has. In 150 and 346, members of a list
    /// move to another one before they are deleted.
    @Test("objects, links, counts, refusals, undo and rows are equal", arguments: Seeds.rounds(25) + [150, 288, 346])
    func runs(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 0xC0FFEE)
        try finish(try ContextPairRun(&random), seed, &random)
    }

    /// In 349, others delete all rows of a delete by predicate. In 406, a member added just before the save is deleted with it.
    @Test("objects, links and rows are equal also while other contexts save", arguments: Seeds.rounds(25) + [349, 406])
    func interference(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 0xBEE5)
        try finish(try ContextPairRun(&random, interference: 25), seed, &random)
    }

    private func finish(_ run: ContextPairRun, _ seed: UInt64, _ random: inout SeededGenerator) throws {
        do {
            for _ in 0..<30 { try run.step(&random) }
            try run.finish(&random)
        } catch {
            Issue.record("seed \(seed): \(error)\n\(run.world.schema)\n\(run.log.joined(separator: "\n"))")
        }
    }
}
