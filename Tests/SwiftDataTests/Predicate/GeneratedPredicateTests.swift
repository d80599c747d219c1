import Foundation
import SwiftData
import TestSupport
import Testing

@Model
private final class Sample {
    var name: String
    var count: Int
    var best: Int?
    var parent: Sample?
    @Relationship(inverse: \Sample.parent) var children: [Sample] = []

    init(name: String, count: Int, best: Int?) {
        self.name = name
        self.count = count
        self.best = best
    }
}

/// Random trees of Foundation's nodes: the results of the store, of unsaved models and of `Predicate.evaluate` are equal.
@Suite("Generated predicates")
struct GeneratedPredicateTests {
    @Test("The store, unsaved models and Swift give the same result", arguments: 0..<12)
    func agreement(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let container = try ModelContainer(
            for: Sample.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let samples = (0..<10).map { _ in
            Sample(
                name: random.one(of: ["", "a", "ab", "ba", "b\u{e9}"]), count: .random(in: -3...3, using: &random),
                best: Bool.random(using: &random) ? nil : .random(in: -3...3, using: &random))
        }
        for sample in samples {
            context.insert(sample)
            if Bool.random(using: &random) { sample.parent = samples.randomElement(using: &random) }
        }
        try context.save()
        for round in 0..<25 {
            let predicate = Predicate<Sample> { Trees(random: random, sample: $0).test(depth: 3) }
            _ = random.next()
            let expected = try samples.filter(predicate.evaluate).map(\.persistentModelID)
            let descriptor = FetchDescriptor(predicate: predicate)
            let stored = try ModelContext(container).fetch(descriptor).map(\.persistentModelID)
            #expect(Set(stored) == Set(expected), "seed \(seed), round \(round): \(predicate)")
            for sample in samples { sample.name += "" }
            samples[0].count += 1
            samples[0].count -= 1
            let unsaved = try context.fetch(descriptor).map(\.persistentModelID)
            #expect(Set(unsaved) == Set(expected), "seed \(seed), round \(round), unsaved: \(predicate)")
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func one<Element>(of list: [Element]) -> Element {
        list[Int.random(in: list.indices, using: &self)]
    }
}

private typealias Tree<Output> = any StandardPredicateExpression<Output>
private typealias Nodes = PredicateExpressions

/// No operation that traps or throws in Swift: divisors are literals, and nothing is force-unwrapped.
private struct Trees {
    var random: SeededGenerator
    let sample: PredicateExpressions.Variable<Sample>

    init(random: SeededGenerator, sample: PredicateExpressions.Variable<Sample>) {
        self.random = random
        self.sample = sample
    }

    // A builder's closure cannot change what it captures, so the tree is grown from a copy.
    func test(depth: Int) -> Tree<Bool> {
        var copy = self
        return copy.grow(depth)
    }

    private mutating func grow(_ depth: Int) -> Tree<Bool> {
        guard depth > 0 else { return leaf() }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return and(grow(depth - 1), grow(depth - 1))
        case 1: return or(grow(depth - 1), grow(depth - 1))
        case 2: return not(grow(depth - 1))
        case 3: return choice(grow(depth - 1), grow(depth - 1), grow(depth - 1))
        case 4: return members(grow(depth - 1))
        default: return leaf()
        }
    }

    private mutating func leaf() -> Tree<Bool> {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return compare(number(2), number(2), random.one(of: [.lessThan, .lessThanOrEqual, .greaterThan]))
        case 1: return equal(number(2), number(1))
        case 2: return unequal(number(1), number(2))
        case 3: return isNil(best)
        case 4: return within(number(2))
        case 5: return listed(number(1))
        case 6: return contains(name, random.one(of: ["", "a", "b", "\u{e9}"]))
        default: return equal(name, Nodes.build_Arg(random.one(of: ["", "ab", "ba"])))
        }
    }

    private mutating func number(_ depth: Int) -> Tree<Int> {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 3), using: &random) {
        case 0: return Nodes.build_Arg(Int.random(in: -3...3, using: &random))
        case 1: return Nodes.build_KeyPath(root: Nodes.build_Arg(sample), keyPath: \.count)
        case 2: return coalesce(best, number(0))
        case 3: return sum(number(depth - 1), number(depth - 1))
        case 4: return product(number(depth - 1), number(depth - 1))
        case 5: return quotient(number(depth - 1), by: random.one(of: [-2, 1, 2, 3]))
        case 6: return remainder(number(depth - 1), by: random.one(of: [-2, 1, 2, 3]))
        default: return negative(number(depth - 1))
        }
    }

    private var best: Tree<Int?> { Nodes.build_KeyPath(root: Nodes.build_Arg(sample), keyPath: \.best) }
    private var name: Tree<String> { Nodes.build_KeyPath(root: Nodes.build_Arg(sample), keyPath: \.name) }

    // MARK: Nodes of parts with inferred types

    private func and(_ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>)
        -> Tree<Bool>
    {
        Nodes.build_Conjunction(lhs: left, rhs: right)
    }

    private func or(_ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>)
        -> Tree<Bool>
    {
        Nodes.build_Disjunction(lhs: left, rhs: right)
    }

    private func not(_ part: some StandardPredicateExpression<Bool>) -> Tree<Bool> { Nodes.build_Negation(part) }

    private func choice(
        _ test: some StandardPredicateExpression<Bool>, _ then: some StandardPredicateExpression<Bool>,
        _ otherwise: some StandardPredicateExpression<Bool>
    ) -> Tree<Bool> {
        Nodes.build_Conditional(test, then, otherwise)
    }

    /// For any child, and the outer sample, whichever the part uses.
    private func members(_ part: some StandardPredicateExpression<Bool>) -> Tree<Bool> {
        Nodes.build_contains(Nodes.build_KeyPath(root: Nodes.build_Arg(sample), keyPath: \.children)) { child in
            Nodes.build_Disjunction(
                lhs: Nodes.build_Comparison(
                    lhs: Nodes.build_KeyPath(root: Nodes.build_Arg(child), keyPath: \.count),
                    rhs: Nodes.build_KeyPath(root: Nodes.build_Arg(sample), keyPath: \.count), op: .greaterThan),
                rhs: part)
        }
    }

    private func compare(
        _ left: some StandardPredicateExpression<Int>, _ right: some StandardPredicateExpression<Int>,
        _ comparison: Nodes.ComparisonOperator
    ) -> Tree<Bool> {
        Nodes.build_Comparison(lhs: left, rhs: right, op: comparison)
    }

    private func equal<Output: Equatable>(
        _ left: some StandardPredicateExpression<Output>, _ right: some StandardPredicateExpression<Output>
    ) -> Tree<Bool> {
        Nodes.build_Equal(lhs: left, rhs: right)
    }

    private func unequal(_ left: some StandardPredicateExpression<Int>, _ right: some StandardPredicateExpression<Int>)
        -> Tree<Bool>
    {
        Nodes.build_NotEqual(lhs: left, rhs: right)
    }

    private func isNil(_ part: some StandardPredicateExpression<Int?>) -> Tree<Bool> {
        Nodes.build_Equal(lhs: part, rhs: Nodes.build_NilLiteral())
    }

    private func within(_ part: some StandardPredicateExpression<Int>) -> Tree<Bool> {
        Nodes.build_contains(
            Nodes.build_ClosedRange(lower: Nodes.build_Arg(-1), upper: Nodes.build_Arg(2)), part)
    }

    private func listed(_ part: some StandardPredicateExpression<Int>) -> Tree<Bool> {
        Nodes.build_contains(Nodes.build_Arg([-2, 0, 3]), part)
    }

    private func contains(_ text: some StandardPredicateExpression<String>, _ part: String) -> Tree<Bool> {
        Nodes.build_contains(text, Nodes.build_Arg(part))
    }

    private func coalesce(
        _ part: some StandardPredicateExpression<Int?>, _ other: some StandardPredicateExpression<Int>
    )
        -> Tree<Int>
    {
        Nodes.build_NilCoalesce(lhs: part, rhs: other)
    }

    private func sum(_ left: some StandardPredicateExpression<Int>, _ right: some StandardPredicateExpression<Int>)
        -> Tree<Int>
    {
        Nodes.build_Arithmetic(lhs: left, rhs: right, op: .add)
    }

    private func product(_ left: some StandardPredicateExpression<Int>, _ right: some StandardPredicateExpression<Int>)
        -> Tree<Int>
    {
        Nodes.build_Arithmetic(lhs: left, rhs: right, op: .multiply)
    }

    private func quotient(_ part: some StandardPredicateExpression<Int>, by divisor: Int) -> Tree<Int> {
        Nodes.build_Division(lhs: part, rhs: Nodes.build_Arg(divisor))
    }

    private func remainder(_ part: some StandardPredicateExpression<Int>, by divisor: Int) -> Tree<Int> {
        Nodes.build_Remainder(lhs: part, rhs: Nodes.build_Arg(divisor))
    }

    private func negative(_ part: some StandardPredicateExpression<Int>) -> Tree<Int> { Nodes.build_UnaryMinus(part) }
}
