#if !canImport(Darwin)
import Foundation

// Part of Foundation from the systems of 2026 on. Where Foundation has these initializers, `@_disfavoredOverload` gives its
// own precedence.
extension Predicate {
    /// Creates a predicate that is true where all of some predicates are, and everywhere if there are none.
    /// - Parameter subpredicates: The predicates to combine.
    @_disfavoredOverload
    public init(all subpredicates: some BidirectionalCollection<Predicate<repeat each Input>>) {
        self.init(Array(subpredicates), joinedBy: .conjunction)
    }

    /// Creates a predicate that is true where any of some predicates is, and nowhere if there are none.
    /// - Parameter subpredicates: The predicates to combine.
    @_disfavoredOverload
    public init(any subpredicates: some BidirectionalCollection<Predicate<repeat each Input>>) {
        self.init(Array(subpredicates), joinedBy: .disjunction)
    }

    private init(_ parts: [Predicate<repeat each Input>], joinedBy connective: PredicateJoin) {
        typealias Test = any StandardPredicateExpression<Bool>
        self.init({ (input: repeat PredicateExpressions.Variable<each Input>) -> Test in
            let tests = parts.map { part -> Test in
                PredicateExpressions.PredicateEvaluate(
                    predicate: PredicateExpressions.CapturedPredicate(part), input: repeat each input)
            }
            return connective.tree(of: tests[...])
        })
    }
}

private enum PredicateJoin {
    case conjunction, disjunction

    typealias Test = any StandardPredicateExpression<Bool>

    /// Balanced, so that a long list makes few types, and no deeply nested ones.
    func tree(of tests: ArraySlice<Test>) -> Test {
        guard let first = tests.first else { return PredicateExpressions.build_Arg(self == .conjunction) }
        if tests.count == 1 { return first }
        let middle = tests.startIndex + tests.count / 2
        return joined(tree(of: tests[..<middle]), tree(of: tests[middle...]))
    }

    private func joined(
        _ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>
    ) -> Test {
        switch self {
        case .conjunction: PredicateExpressions.build_Conjunction(lhs: left, rhs: right)
        case .disjunction: PredicateExpressions.build_Disjunction(lhs: left, rhs: right)
        }
    }
}
#endif
