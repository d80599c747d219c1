import TestSupport
import Testing

/// Delete rules, inverses, rollback, save and merge over random models and random edits, against a plain reference.
@Suite("Random graphs obey the rules")
struct RandomGraphTests {
    @Test("every end, save and refusal equals the reference", arguments: Seeds.rounds(50))
    func runs(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 0xD00D)
        let run = try GraphRun(&random)
        do {
            for _ in 0..<60 { try run.step(&random) }
        } catch {
            Issue.record("seed \(seed): \(error)\n\(run.schema)\n\(run.log.joined(separator: "\n"))")
        }
        // A run that saves nothing is not meaningful.
        #expect(run.saves + run.refusals > 0, "seed \(seed)")
    }
}
