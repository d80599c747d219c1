import ObjectGraph
import TestSupport
import Testing

/// Maintained results equal fetches: of random queries, over random changes of random models.
@Suite("Followed queries")
struct LiveAgreementTests {
    @Test("Maintained results equal fetches, and differences lead from one to the next", arguments: Seeds.rounds(40))
    func randomRuns(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let run = try LiveRun(&random)
        do {
            for _ in 0..<60 { try run.step(&random) }
            try run.finish(&random)
        } catch {
            Issue.record("seed \(seed): \(error)\n\(run.world.schema)\n\(run.log.joined(separator: "\n"))")
        }
    }
}
