import Testing

@testable import SwiftDataMacros

/// `if`, `else` and the ternary operator.
@Suite struct PredicateConditionTests {
    @Test("a condition is a statement of its own, and so is a Boolean branch")
    func conditions() {
        #expect(
            nodes(of: "a in a.x ? 1 : a.y") == [
                "let part1 = KeyPath(root: a, keyPath: \\.x)",
                "return Conditional(part1, Value(1), KeyPath(root: a, keyPath: \\.y))",
            ])
        #expect(
            nodes(of: "a in if a { return a == 1 } else { false }") == [
                "let part1 = Equal(lhs: a, rhs: Value(1))", "return Conditional(a, part1, Value(false))",
            ])
        #expect(
            nodes(of: "a in if a { 1 } else if b { 2 } else { 3 }") == [
                "{ a in Conditional(a, Value(1), Conditional(Value(b), Value(2), Value(3))) }"
            ])
        #expect(
            nodes(of: "a in if a, b { 1 } else { 2 }") == [
                "let part1 = Conjunction(lhs: a, rhs: Value(b))", "return Conditional(part1, Value(1), Value(2))",
            ])
    }

    @Test("if let, also several, and with the names of captured optionals")
    func bindings() {
        #expect(
            nodes(of: "if let b = $0.b { b } else { $0.c }") == [
                "{ input1 in NilCoalesce(lhs: flatMap(KeyPath(root: input1, keyPath: \\.b), { b in b }), "
                    + "rhs: KeyPath(root: input1, keyPath: \\.c)) }"
            ])
        #expect(
            nodes(of: "if let b = $0.b, let c = $0.c { b == c } else { false }") == [
                "{ input1 in NilCoalesce(lhs: flatMap(KeyPath(root: input1, keyPath: \\.b), { b in "
                    + "flatMap(KeyPath(root: input1, keyPath: \\.c), { c in Equal(lhs: b, rhs: c) }) }), rhs: Value(false)) }"
            ])
        #expect(
            nodes(of: "a in if let b { a == b } else { false }") == [
                "{ a in NilCoalesce(lhs: flatMap(Value(b), { b in Equal(lhs: a, rhs: b) }), rhs: Value(false)) }"
            ])
    }
}
