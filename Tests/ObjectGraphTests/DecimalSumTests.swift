import Foundation
import TestSupport
import Testing

@testable import ObjectGraph

@Suite("Sums of aggregates")
struct DecimalSumTests {
    @Test(
        "A removed decimal leaves all digits of the others",
        arguments: ["1e38", "-1e60", "1e-40", "123456789012345678901234567890e20"])
    func removal(text: String) throws {
        let large = try #require(Decimal(string: text))
        let small = try #require(Decimal(string: "-0.0123456789"))
        var sum = DecimalSum()
        for number in [small, large, 7] { sum.add(number) }
        sum.remove(large)
        #expect(sum.total == small + 7)
    }

    @Test("A sum does not depend on the order", arguments: Seeds.rounds(20))
    func order(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let numbers = (0..<40).map { _ in
            Decimal(
                sign: random.chance(50) ? .plus : .minus, exponent: random.roll(80) - 40,
                significand: Decimal(random.roll(1_000_000_000)))
        }
        let values = numbers.map(Value.decimal)
        let sum = AggregateFunction.sum.apply(values, with: .decimals)
        #expect(AggregateFunction.sum.apply(values.reversed(), with: .decimals) == sum, "seed \(seed)")
        var running = RunningTotal(.decimals)
        for value in values + values { running.note(value, .addition) }
        for value in values { running.note(value, .removal) }
        #expect(running.result(of: .sum) == sum, "seed \(seed)")
    }

    @Test("A sum of integers may exceed 64 bits on the way")
    func integers() {
        let values: [Value] = [.integer(.max), .integer(.max), .integer(-.max), .integer(-.max), .integer(3)]
        #expect(AggregateFunction.sum.apply(values) == .integer(3))
        #expect(AggregateFunction.sum.apply([.integer(.max), .integer(1)]) == .null)
    }
}
