import Foundation
import ObjectGraph
import Testing

private let liveSeeds: [UInt64] =
    ProcessInfo.processInfo.environment["LIVE"].map { $0.split(separator: ",").compactMap { UInt64($0) } }
    ?? Seeds.rounds(300)

/// Maintained results equal fetches: of random queries, over random changes of random models.
@Suite("Followed queries")
struct LiveAgreementTests {
    @Test("Maintained results equal fetches, and differences lead from one to the next", arguments: liveSeeds)
    func randomRuns(seed: UInt64) throws {
        var random = Seeded(seed)
        let run = try LiveRun(&random)
        do {
            for _ in 0..<60 { try run.step(&random) }
            try run.finish(&random)
        } catch {
            Issue.record("seed \(seed): \(error)\n\(run.world.schema)\n\(run.log.joined(separator: "\n"))")
        }
    }
}
