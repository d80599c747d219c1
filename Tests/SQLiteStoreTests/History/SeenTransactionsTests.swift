import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Seen transactions")
struct SeenTransactionsTests {
    @Test("transactions of others are reported once each, own ones never, in any order of saving and asking")
    func random() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for round in 0..<200 {
            let label = Comment(rawValue: "seed \(seed), round \(round)")
            var newest = Int64.random(in: 0...5, using: &random)
            var seen = SeenTransactions(last: newest)
            var others: [Int64] = []
            var reported: [Int64] = []
            func ask() {
                let unseen = seen.unseen(through: newest)
                reported += unseen.ranges.flatMap { $0 }
                seen.saw(unseen)
            }
            for _ in 0..<40 {
                switch Int.random(in: 0..<5, using: &random) {
                case 0, 1:
                    newest += 1
                    others.append(newest)
                case 2:
                    // An own save, observed from another thread at every moment.
                    seen.willCommit(newest + 1)
                    if Bool.random(using: &random) { ask() }
                    if Bool.random(using: &random) {
                        seen.didNotCommit()
                    } else {
                        newest += 1
                        if Bool.random(using: &random) { ask() }
                        if Bool.random(using: &random) {
                            newest += 1
                            others.append(newest)
                            ask()
                        }
                        seen.didCommit()
                    }
                default: ask()
                }
            }
            ask()
            #expect(reported == others, label)
            #expect(seen.last == newest, label)
            #expect(seen.unseen(through: newest).isFinal && !seen.unseen(through: newest).isLost, label)
        }
    }

    @Test("own saves alone leave nothing to read and nothing to remember")
    func ownOnly() {
        var seen = SeenTransactions(last: 4)
        for number in Int64(5)...20 {
            seen.willCommit(number)
            #expect(!seen.unseen(through: number).isFinal)
            #expect(seen.unseen(through: number).ranges.isEmpty)
            seen.didCommit()
            #expect(seen.last == number)
        }
    }

    @Test("if saves of several writers alternate for long without a query, the changes are reported as lost")
    func lost() {
        var seen = SeenTransactions(last: 0)
        for number in stride(from: Int64(2), through: 4000, by: 2) {
            seen.willCommit(number)
            seen.didCommit()
        }
        let unseen = seen.unseen(through: 4001)
        #expect(unseen.isLost && unseen.through == 4001)
        seen.saw(unseen)
        #expect(!seen.unseen(through: 4002).isLost)
        #expect(seen.unseen(through: 4002).ranges == [4002...4002])
    }
}
