import Testing

@testable import SwiftDataMacros

/// Operators, and how their operands become statements of their own.
@Suite struct PredicateOperatorTests {
    @Test("a whole expansion")
    func whole() {
        expectExpansion(
            of: """
                let old = #Predicate<Book> { book in
                    book.age > 3 && book.isOpen
                }
                """,
            is: """
                let old = Foundation.Predicate<Book>({ book in
                    let _$part1 = PredicateExpressions.build_Comparison(lhs: PredicateExpressions.build_KeyPath(root: book, keyPath: \\.age), rhs: PredicateExpressions.Value(3), op: .greaterThan)
                    let _$part2 = PredicateExpressions.build_KeyPath(root: book, keyPath: \\.isOpen)
                    return PredicateExpressions.build_Conjunction(lhs: _$part1, rhs: _$part2)
                })
                """, Macros.predicate)
        expectExpansion(
            of: "let age = #Expression { $0.age }",
            is:
                "let age = Foundation.Expression({ _$input1 in PredicateExpressions.build_KeyPath(root: _$input1, keyPath: \\.age) })",
            Macros.predicate)
    }

    @Test(
        "comparisons and arithmetic",
        arguments: [
            ("a == b", "Equal(lhs: Value(a), rhs: Value(b))"),
            ("a != b", "NotEqual(lhs: Value(a), rhs: Value(b))"),
            ("a < b", "Comparison(lhs: Value(a), rhs: Value(b), op: .lessThan)"),
            ("a >= b", "Comparison(lhs: Value(a), rhs: Value(b), op: .greaterThanOrEqual)"),
            ("a + b", "Arithmetic(lhs: Value(a), rhs: Value(b), op: .add)"),
            ("a - -b", "Arithmetic(lhs: Value(a), rhs: UnaryMinus(Value(b)), op: .subtract)"),
            ("a / b", "Division(lhs: Value(a), rhs: Value(b))"),
            ("a % b", "Remainder(lhs: Value(a), rhs: Value(b))"),
            ("a ?? b", "NilCoalesce(lhs: Value(a), rhs: Value(b))"),
            ("a..<b", "Range(lower: Value(a), upper: Value(b))"),
            ("a...b", "ClosedRange(lower: Value(a), upper: Value(b))"),
            ("a == nil", "Equal(lhs: Value(a), rhs: NilLiteral())"),
            ("!(a)", "Negation(Value(a))"),
            (
                "a + b * 2",
                "Arithmetic(lhs: Value(a), rhs: Arithmetic(lhs: Value(b), rhs: Value(2), op: .multiply), op: .add)"
            ),
        ])
    func operations(source: String, tree: String) {
        #expect(nodes(of: "_ in \(source)") == ["{ _ in \(tree) }"])
    }

    @Test("each part of a condition has its own type, captured values where they are used")
    func connectives() {
        #expect(
            nodes(of: "a in a.x && !(a.y || flag)") == [
                "let part1 = KeyPath(root: a, keyPath: \\.x)",
                "let part2 = KeyPath(root: a, keyPath: \\.y)",
                "let part3 = Negation(Disjunction(lhs: part2, rhs: Value(flag)))",
                "return Conjunction(lhs: part1, rhs: part3)",
            ])
    }

    @Test("is, as?, as! and as")
    func casts() {
        #expect(nodes(of: "a in a is B") == ["{ a in TypeCheck<_, B>(a) }"])
        #expect(nodes(of: "a in a as? B") == ["{ a in ConditionalCast<_, B>(a) }"])
        #expect(nodes(of: "a in a as! [B]") == ["{ a in ForceCast<_, [B]>(a) }"])
        #expect(nodes(of: "a in 3 as Double") == ["{ a in Value(3 as Double) }"])
        #expect(nodes(of: "a in .max as Double") == ["{ a in Value((.max as Double)) }"])
    }
}
