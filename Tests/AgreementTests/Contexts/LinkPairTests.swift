import TestSupport
import Testing

@Suite("Two contexts, the same links")
struct LinkPairTests {
    @Test(
        "random additions, removals, reorderings and reverts on two sides give the expected links",
        arguments: Seeds.rounds(30),
        [false, true])
    func interleavings(seed: UInt64, isOrdered: Bool) throws {
        var random = SeededGenerator(seed: seed &+ 0x11_4B)
        let pair = try LinkPair(isOrdered: isOrdered)
        do {
            for _ in 0..<60 { try pair.step(&random) }
            try pair.finish(&random)
            #expect(pair.saves > 3, "seed \(seed)")
        } catch {
            Issue.record("seed \(seed), ordered \(isOrdered): \(error)\n\(pair.log.joined(separator: "\n"))")
        }
    }
}
