import Foundation
import TestSupport
import Testing

/// Four contexts in two containers on one file, with unsaved changes at the same time: every delete rule, undo, plans, archived
/// deletions and restores.
///
/// - `OPENSWIFTDATA_CONTEXT_SEEDS=0-299` runs these seeds, `OPENSWIFTDATA_CONTEXT_SEEDS=17` runs one, and
///   `OPENSWIFTDATA_CONTEXT_STEPS=600` sets the number of steps. The failures are then counted by kind.
/// - `OPENSWIFTDATA_CONTEXT_REDUCE=1` leaves out steps of a seed that fails for as long as it still fails in the same way,
///   and prints the rest.
@Suite("Four contexts, one file")
struct FourContextTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let steps = environment["OPENSWIFTDATA_CONTEXT_STEPS"].flatMap(Int.init) ?? 400

    private static let chosenSeeds = Seeds.chosen(by: "OPENSWIFTDATA_CONTEXT_SEEDS")

    /// With these, contexts collide in each of the ways that the checks look for.
    private static let seeds: [UInt64] = [137, 152, 156, 180, 181, 253, 309, 361]

    @Test("links, contexts and versions agree with the file whenever everything is saved", arguments: seeds)
    func interleavings(seed: UInt64) throws {
        let trial = FourContextTrial(seed: seed, steps: Self.steps)
        if let failure = trial.failure() { Issue.record("\(trial.text(of: failure))") }
    }

    @Test(
        "the seeds of the environment",
        .enabled(if: chosenSeeds != nil, "set OPENSWIFTDATA_CONTEXT_SEEDS to run more seeds"))
    func chosen() throws {
        var counts: [String: Int] = [:]
        let seeds = Self.chosenSeeds ?? []
        for seed in seeds {
            let trial = FourContextTrial(seed: seed, steps: Self.steps)
            guard let failure = trial.failure() else { continue }
            counts[failure.kind, default: 0] += 1
            let reduced = Self.environment["OPENSWIFTDATA_CONTEXT_REDUCE"] == nil ? failure : trial.reduced(failure)
            print(trial.text(of: reduced))
            Issue.record("seed \(seed): \(failure.text)")
        }
        print("\(seeds.count) seeds, \(Self.steps) steps each; failures by kind: \(counts)")
    }
}
