import ObjectGraph
import TestSupport
import Testing

/// Maintained results and groups equal fetches: of random queries, over random changes of random models.
@Suite("Followed queries")
struct LiveAgreementTests {
    private static let chosen = Seeds.chosen(by: "OPENSWIFTDATA_LIVE_SEEDS")

    @Test(
        "Maintained results equal fetches, and differences lead from one to the next",
        arguments: chosen?.filter { $0 < 10_000 }
            ?? Seeds.rounds(40) + [43, 268, 340, 358, 538, 605, 1007, 1011, 1012, 1023, 3006, 3039])
    func randomRuns(seed: UInt64) throws { _ = try run(seed) }

    @Test(
        "So do those of contexts on two stores of one file, with long deletions and restores of their chunks",
        arguments: chosen?.filter { $0 >= 10_000 }
            ?? Seeds.rounds(20, from: 10_000)
            + [
                10_036, 10_083, 10_127, 10_209, 10_270, 10_443, 10_541, 10_546, 10_656, 10_821, 11_050, 11_181, 11_516,
                11_595,
            ])
    func twoStores(seed: UInt64) throws { _ = try run(seed, .twoStores) }

    @Test("The runs meet moves, windows that are refilled, sections and saves")
    func coverage() throws {
        var (moves, refills, sectionChanges, saves, deviations) = (0, 0, 0, 0, 0)
        for seed in Seeds.rounds(12).map({ $0 &+ 500 }) {
            guard let run = try run(seed) else { return }
            for context in run.contexts {
                moves += context.moves
                refills += context.refills
                sectionChanges += context.sectionChanges
                deviations += context.deviations
            }
            saves += run.saves
        }
        #expect(moves > 20 && refills > 0 && sectionChanges > 20 && saves > 40)
        // Otherwise the runs would compare little with SQL.
        #expect(deviations < 20)
    }

    @Test("Runs of two stores meet chunks and what the other store saved")
    func coverageOfTwoStores() throws {
        var (polls, chunks, saves) = (0, 0, 0)
        for seed in Seeds.rounds(12).map({ $0 &+ 500 }) {
            guard let run = try run(seed, .twoStores) else { return }
            polls += run.polls
            chunks += run.chunks
            saves += run.saves
        }
        #expect(polls > 20 && chunks > 5 && saves > 20)
    }

    private func run(_ seed: UInt64, _ reach: LiveRun.Reach = .oneStore) throws -> LiveRun? {
        var random = SeededGenerator(seed: seed)
        let run = try LiveRun(&random, reach: reach)
        do {
            for _ in 0..<60 { try run.step(&random) }
            try run.finish(&random)
            return run
        } catch {
            Issue.record("seed \(seed): \(error)\n\(run.world.schema)\n\(run.log.joined(separator: "\n"))")
            return nil
        }
    }
}
