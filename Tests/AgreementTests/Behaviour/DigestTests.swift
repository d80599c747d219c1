import Foundation
import StoreTestSupport
import SwiftData
import TestSupport
import Testing

/// Final states of random runs, as recorded in `Digests/`: a change of the engine that is to change no behaviour changes none of
/// these.
@Suite("Random runs end as recorded")
struct DigestTests {
    @Test("steps, refusals, rows, versions and history are as recorded", arguments: DigestedRun.agreement)
    func recorded(run: DigestedRun) throws { try run.checkOrRecord() }
}

extension DigestedRun {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Digests")

    private init(_ name: String, _ run: @escaping @Sendable (UInt64, inout BehaviourDigest) throws -> Void) {
        self.init(name, in: Self.folder, run)
    }

    static let agreement = [
        DigestedRun("DeleteRound", deleteRound),
        DigestedRun("ContextPairRun") { try contextPair($0, interference: 0, &$1) },
        DigestedRun("ContextPairRunWithOthers") { try contextPair($0, interference: 25, &$1) },
        DigestedRun("JobAtOnce") { try DeleteJobAgreementTests().chunkedAndAtOnce($0, &$1) },
        DigestedRun("JobWithOthers") { try DeleteJobAgreementTests().amongOthers($0, &$1) },
        DigestedRun("JobResumed") { try DeleteJobAgreementTests().resumed($0, &$1) },
        DigestedRun("JobRestored") { try DeleteJobAgreementTests().restored($0, &$1) },
        DigestedRun("FourContextRun", fourContexts),
        DigestedRun("GraphRun", graphRun),
        DigestedRun("LinkPair") { seed, digest in
            for isOrdered in [false, true] { try linkPair(seed, isOrdered: isOrdered, &digest) }
        },
        DigestedRun("ContextPair", contextPair),
        DigestedRun("Replacement") { try ReplacementTests().replaced($0, &$1) },
    ]

    // MARK: Runs

    private static func deleteRound(_ seed: UInt64, _ digest: inout BehaviourDigest) throws {
        var random = SeededGenerator(seed: seed &+ 0xDE1E7E)
        let world = try DeleteWorld(&random)
        digest.add("model", ["\(world.schema)"])
        digest.add("before", world.dump.lines)
        var round = try DeleteRound(world, history: random.chance(85) ? .with : .without)
        for number in 0..<4 {
            defer { round.describe(number, in: &digest) }
            digest.add("delete \(number)", ["\(try round.run(&random))"])
        }
    }

    private static func contextPair(_ seed: UInt64, interference: Int, _ digest: inout BehaviourDigest) throws {
        var random = SeededGenerator(seed: seed &+ (interference > 0 ? 0xBEE5 : 0xC0FFEE))
        let run = try ContextPairRun(&random, interference: interference)
        defer { run.describe(in: &digest) }
        for _ in 0..<30 { try run.step(&random) }
        try run.finish(&random)
    }

    private static func fourContexts(_ seed: UInt64, _ digest: inout BehaviourDigest) throws {
        // Files are watched in any case: another test of the process may have begun it, and contexts then find the saves of
        // other containers sooner.
        _ = ModelContainer.remoteChange
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let run = try FourContextRun(seed: seed, folder: folder.url)
        defer { run.describe(in: &digest) }
        try run.run(steps: 240)
    }

    private static func graphRun(_ seed: UInt64, _ digest: inout BehaviourDigest) throws {
        var random = SeededGenerator(seed: seed &+ 0xD00D)
        let run = try GraphRun(&random)
        defer { run.describe(in: &digest) }
        for _ in 0..<60 { try run.step(&random) }
    }

    private static func linkPair(_ seed: UInt64, isOrdered: Bool, _ digest: inout BehaviourDigest) throws {
        var random = SeededGenerator(seed: seed &+ 0x11_4B)
        let pair = try LinkPair(isOrdered: isOrdered)
        defer { pair.describe(in: &digest) }
        for _ in 0..<60 { try pair.step(&random) }
        try pair.finish(&random)
    }

    private static func contextPair(_ seed: UInt64, _ digest: inout BehaviourDigest) throws {
        var random = SeededGenerator(seed: seed &+ 0x2C)
        let pair = try ContextPair()
        defer { pair.describe(in: &digest) }
        for _ in 0..<60 { try pair.step(&random) }
        try pair.finish()
    }
}
