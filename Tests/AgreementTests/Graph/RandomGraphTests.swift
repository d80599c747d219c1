import Testing

/// Delete rules, inverses, rollback, save and merge over random models and random edits, against a plain reference.
@Suite("Random graphs keep to the rules")
struct RandomGraphTests {
    @Test("every end, every save and every refusal is as the reference says", arguments: Seeds.rounds(120))
    func runs(seed: UInt64) throws {
        var random = Seeded(seed &+ 0xD00D)
        let run = try GraphRun(&random)
        do {
            for _ in 0..<60 { try run.step(&random) }
        } catch {
            Issue.record("seed \(seed): \(error)\n\(run.schema)\n\(run.log.joined(separator: "\n"))")
        }
        // A run that saves nothing proves little.
        #expect(run.saves + run.refusals > 0, "seed \(seed)")
    }
}
