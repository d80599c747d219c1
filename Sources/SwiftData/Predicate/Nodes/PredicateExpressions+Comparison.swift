import Foundation
import ObjectGraph

extension PredicateExpressions.Equal: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        let (left, right) = (try translation.operand(lhs), try translation.operand(rhs))
        if left.isConstant, right.isConstant { return try translation.constant(self) }
        return .test(try translation.equal(left, right, as: LHS.Output.self, in: "Equal"))
    }
}

extension PredicateExpressions.NotEqual: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        let (left, right) = (try translation.operand(lhs), try translation.operand(rhs))
        if left.isConstant, right.isConstant { return try translation.constant(self) }
        return .test(try translation.equal(left, right, as: LHS.Output.self, in: "NotEqual").negated)
    }
}

/// `<`, `<=`, `>`, `>=`
extension PredicateExpressions.Comparison: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        let (left, right) = (try translation.operand(lhs), try translation.operand(rhs))
        if left.isConstant, right.isConstant { return try translation.constant(self) }
        let comparison: ObjectGraph.ComparisonOperator =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            }
        return .test(try translation.order(comparison, left, right, as: LHS.Output.self, in: "Comparison"))
    }
}

extension PredicateExpressions.Range: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        try translation.range(self, lower, upper, .open)
    }
}

extension PredicateExpressions.ClosedRange: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        try translation.range(self, lower, upper, .closed)
    }
}

extension PredicateExpressions.RangeExpressionContains: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        let (bounds, member) = (try translation.operand(range), try translation.operand(element))
        if bounds.isConstant, member.isConstant { return try translation.constant(self) }
        let name = "RangeExpressionContains"
        guard let test = try translation.isWithin(bounds, member, as: Element.Output.self, in: name) else {
            throw PredicateTranslationError.needsMemory(
                construct: name, reason: "\(RangeExpression.Output.self) is not a known kind of range")
        }
        return .test(test)
    }
}

extension PredicateTranslation {
    fileprivate func range<Node: PredicateExpression, Lower: PredicateExpression, Upper: PredicateExpression>(
        _ node: Node, _ lower: Lower, _ upper: Upper, _ end: PredicateOperand.RangeEnd
    ) throws -> PredicateOperand where Lower.Output == Upper.Output, Lower.Output: Comparable {
        let range = PredicateOperand.range(try operand(lower), try operand(upper), end)
        guard range.isConstant else { return range }
        guard try value(of: lower) <= value(of: upper) else { throw PredicateTranslationError.disorderedRange }
        return try constant(node)
    }

    /// Compares by columns, in as many pairs as the value has columns.
    func equal(
        _ left: PredicateOperand, _ right: PredicateOperand, as type: any Any.Type, in construct: String
    ) throws -> QueryExpression {
        if case .constant(nil) = right { return left.isPresent.negated }
        if case .constant(nil) = left { return right.isPresent.negated }
        if left.isOpaque || right.isOpaque {
            throw PredicateTranslationError.needsMemory(
                construct: construct, reason: "\(type) is stored as an archive, which only Swift can compare")
        }
        if let test = equalTest(left, right) ?? equalTest(right, left) { return test }
        let codec = left.codec ?? right.codec
        let pairs = try (
            leaves(left, as: type, like: codec, in: construct), leaves(right, as: type, like: codec, in: construct)
        )
        guard pairs.0.count == pairs.1.count else {
            throw PredicateTranslationError.needsMemory(
                construct: construct, reason: "the two values are stored in different ways")
        }
        return .every(Self.decidingColumns(zip(pairs.0, pairs.1), codec).map { .compare(.equal, $0, $1) })
    }

    /// A test compared with a captured Boolean is the test itself or its negation.
    private func equalTest(_ left: PredicateOperand, _ right: PredicateOperand) -> QueryExpression? {
        guard case .constant(let expected as Bool) = right else { return nil }
        if case .test(let test) = left { return expected ? test : test.negated }
        if case .leaves(let leaves, _) = left, leaves.count == 1,
            case .conditional(let condition, let then, .literal(.null))? = leaves.first, then.isTest
        {
            return .every([condition, expected ? then : then.negated])
        }
        return nil
    }

    /// An enum has a column for each case, of which only that of its case has a value; that column suffices.
    private static func decidingColumns(
        _ pairs: Zip2Sequence<[QueryExpression], [QueryExpression]>, _ codec: (any AttributeCodec)?
    ) -> [(QueryExpression, QueryExpression)] {
        let all = Array(pairs)
        guard all.count > 1, let codec, codec.attribute(named: "", isOptional: true).isEnum else { return all }
        let chosen = all.filter { pair in
            switch pair {
            case (.literal(let value), _), (_, .literal(let value)): !value.isNull
            default: true
            }
        }
        return chosen.isEmpty ? all : chosen
    }

    /// Only for types whose order is that of their columns: a type of the program may define any other.
    func order(
        _ comparison: ObjectGraph.ComparisonOperator, _ left: PredicateOperand, _ right: PredicateOperand,
        as type: any Any.Type, in construct: String
    ) throws -> QueryExpression {
        guard let left = try orderedLeaf(left, as: type, in: construct),
            let right = try orderedLeaf(right, as: type, in: construct)
        else {
            throw PredicateTranslationError.needsMemory(
                construct: construct, reason: "the order of \(type) is the program's own")
        }
        let value = (type as? any OptionalType.Type)?.wrappedType ?? type
        return UnsignedOrder.applies(to: value)
            ? UnsignedOrder.compare(comparison, left, right) : .compare(comparison, left, right)
    }

    private func orderedLeaf(
        _ operand: PredicateOperand, as type: any Any.Type, in construct: String
    ) throws -> QueryExpression? {
        let type = (type as? any OptionalType.Type)?.wrappedType ?? type
        guard type is any ScalarValue.Type || type == PersistentIdentifier.self else { return nil }
        let leaves = try leaves(operand, as: type, in: construct)
        return leaves.count == 1 ? leaves.first : nil
    }

    /// `nil` if the operand is not a range.
    func isWithin(
        _ range: PredicateOperand, _ member: PredicateOperand, as type: any Any.Type, in construct: String
    ) throws -> QueryExpression? {
        switch range {
        case .range(let lower, let upper, let end):
            return .every([
                try order(.greaterOrEqual, member, lower, as: type, in: construct),
                try order(end == .closed ? .lessOrEqual : .less, member, upper, as: type, in: construct),
            ])
        case .constant(let constant as any BoundedRange):
            let bounds = constant.bounds
            var tests: [QueryExpression] = []
            if let lower = bounds.lower {
                tests.append(try order(.greaterOrEqual, member, .constant(lower), as: type, in: construct))
            }
            if let upper = bounds.upper {
                let comparison: ObjectGraph.ComparisonOperator = bounds.end == .closed ? .lessOrEqual : .less
                tests.append(try order(comparison, member, .constant(upper), as: type, in: construct))
            }
            return .every(tests)
        default:
            return nil
        }
    }
}

/// Any of the standard ranges, to read the bounds of one whose bound type is unknown.
protocol BoundedRange {
    var bounds: (lower: Any?, upper: Any?, end: PredicateOperand.RangeEnd) { get }
}

extension Range: BoundedRange {
    var bounds: (lower: Any?, upper: Any?, end: PredicateOperand.RangeEnd) { (lowerBound, upperBound, .open) }
}
extension ClosedRange: BoundedRange {
    var bounds: (lower: Any?, upper: Any?, end: PredicateOperand.RangeEnd) { (lowerBound, upperBound, .closed) }
}
extension PartialRangeFrom: BoundedRange {
    var bounds: (lower: Any?, upper: Any?, end: PredicateOperand.RangeEnd) { (lowerBound, nil, .closed) }
}
extension PartialRangeThrough: BoundedRange {
    var bounds: (lower: Any?, upper: Any?, end: PredicateOperand.RangeEnd) { (nil, upperBound, .closed) }
}
extension PartialRangeUpTo: BoundedRange {
    var bounds: (lower: Any?, upper: Any?, end: PredicateOperand.RangeEnd) { (nil, upperBound, .open) }
}
