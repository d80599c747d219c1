import Testing

/// The store in a file's layout against the store in memory, which says in few words what a store has to do.
@Suite("The two stores do the same")
struct StorePairTests {
    @Test("rows, versions, conflicts, plans, errors, history and archive after every step", arguments: Seeds.rounds(150))
    func runs(seed: UInt64) throws {
        var random = Seeded(seed &+ 0x5708E)
        let run = try StorePairRun(&random)
        do {
            for _ in 0..<60 { try run.step(&random) }
        } catch {
            Issue.record("seed \(seed): \(error)\n\(run.schema)\n\(run.log.suffix(40).joined(separator: "\n"))")
        }
    }

    @Test("the random runs come to every kind of end often enough to prove something")
    func endings() throws {
        var endings: [String: Int] = [:]
        for seed in 0..<30 as Range<UInt64> {
            var random = Seeded(seed &+ 0x5708E)
            let run = try StorePairRun(&random)
            for _ in 0..<60 { try run.step(&random) }
            endings.merge(run.endings, uniquingKeysWith: +)
        }
        print(endings.sorted { $0.key < $1.key })
        for ending in ["save: done", "restore strict: done", "restore skippingConflicts: done", "batch insert: done"] {
            #expect(endings[ending, default: 0] >= 10, "\(ending): \(endings)")
        }
    }
}
