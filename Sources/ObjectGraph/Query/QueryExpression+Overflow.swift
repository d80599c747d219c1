extension QueryExpression {
    /// A test of whether an intermediate number needs more than 64 bits, which makes the value nil although its
    /// operands are not. Does not test divisions: one by zero has no value in any representation.
    /// - Returns: `nil` for an expression without sums and products.
    package var overflow: QueryExpression? {
        switch self {
        case .arithmetic(let operation, let left, let right):
            let isDivision = operation == .divide || operation == .remainder
            return Self.any(of: [left.overflow, right.overflow, isDivision ? nil : isLost(from: [left, right])])
        case .negative(let operand): return Self.any(of: [operand.overflow, isLost(from: [operand])])
        case .conditional(let test, let then, let otherwise):
            return Self.any(of: [
                then.overflow.map { .and([test, $0]) }, otherwise.overflow.map { .and([.not(test), $0]) },
            ])
        case .coalesce(let first, let second):
            return Self.any(of: [first.overflow, second.overflow.map { .and([first.isNil, $0]) }])
        case .function(_, let arguments): return Self.any(of: arguments.map(\.overflow))
        default: return nil
        }
    }

    private var isNil: QueryExpression { .compare(.equal, self, .literal(.null)) }

    private func isLost(from operands: [QueryExpression]) -> QueryExpression {
        .and([isNil] + operands.map { .not($0.isNil) })
    }

    private static func any(of tests: [QueryExpression?]) -> QueryExpression? {
        let tests = tests.compactMap { $0 }
        return tests.isEmpty ? nil : .or(tests)
    }
}
