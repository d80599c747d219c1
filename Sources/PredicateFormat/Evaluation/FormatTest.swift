import ObjectGraph

/// One comparison of two values, with its options.
struct FormatTest {
    let comparison: FormatOperator
    let options: FormatOptions
    /// Whether a side is a constant, which is converted to the type of the other side.
    private let coercesLeft: Bool
    private let coercesRight: Bool

    init(_ comparison: FormatComparison) {
        self.comparison = comparison.comparison
        options = comparison.options
        coercesLeft = comparison.left.isConstant
        coercesRight = comparison.right.isConstant
    }

    /// Makes a test of two constants.
    init(_ comparison: FormatOperator, _ options: FormatOptions) {
        self.comparison = comparison
        self.options = options
        coercesLeft = true
        coercesRight = true
    }

    func passes(_ left: FormatConstant, _ right: FormatConstant) -> Bool {
        switch comparison {
        case .equal: return isEqual(left, right)
        case .notEqual: return !isEqual(left, right)
        case .less: return ordered(.less, left, right)
        case .lessOrEqual: return ordered(.lessOrEqual, left, right)
        case .greater: return ordered(.greater, left, right)
        case .greaterOrEqual: return ordered(.greaterOrEqual, left, right)
        case .between:
            guard case .list(let bounds) = right, bounds.count == 2 else { return false }
            return ordered(.greaterOrEqual, left, bounds[0]) && ordered(.lessOrEqual, left, bounds[1])
        case .isIn: return contains(right, left)
        case .contains: return contains(left, right)
        case .beginsWith: return text(.beginsWith, left, right)
        case .endsWith: return text(.endsWith, left, right)
        case .like: return text(.like, left, right)
        case .matches: return matches(left, right)
        case .conformsToType: return types(.conformsToType, left, right)
        case .equalsType: return types(.equalsType, left, right)
        }
    }

    // MARK: Values

    private func isEqual(_ left: FormatConstant, _ right: FormatConstant) -> Bool {
        let (left, right) = aligned(left, right)
        switch (left, right) {
        case (.list(let first), .list(let second)):
            return first.count == second.count && zip(first, second).allSatisfy { isEqual($0, $1) }
        case (.object(let first), .object(let second)) where first == second: return true
        default: break
        }
        if let name = left.entityName ?? right.entityName {
            return left.textOrEntityName == name && right.textOrEntityName == name
        }
        guard let first = left.storedValue, let second = right.storedValue else { return false }
        return ValueOrder.test(.equal, folded(first), folded(second))
    }

    private func ordered(_ order: ComparisonOperator, _ left: FormatConstant, _ right: FormatConstant) -> Bool {
        let (left, right) = aligned(left, right)
        guard let first = left.storedValue, let second = right.storedValue else { return false }
        return ValueOrder.test(order, folded(first), folded(second))
    }

    /// Converts a text constant to the type of the other constant.
    private func aligned(_ left: FormatConstant, _ right: FormatConstant) -> (FormatConstant, FormatConstant) {
        guard let leftType = left.type, let rightType = right.type, leftType != rightType else { return (left, right) }
        if coercesRight, !coercesLeft || rightType == .text { return (left, right.coerced(to: leftType) ?? right) }
        if coercesLeft, !coercesRight || leftType == .text { return (left.coerced(to: rightType) ?? left, right) }
        return (left, right)
    }

    /// Tests membership of a list, or of one text in another.
    private func contains(_ collection: FormatConstant, _ element: FormatConstant) -> Bool {
        switch collection {
        case .list(let members): members.contains { isEqual(element, $0) || isEqual($0, element) }
        case .text, .url: text(.contains, collection, element)
        default: false
        }
    }

    // MARK: Texts

    private func text(_ test: TextTest, _ left: FormatConstant, _ right: FormatConstant) -> Bool {
        guard case .text(let text)? = left.storedValue, case .text(let other)? = right.storedValue else { return false }
        return TextMatching.test(test, folded(text), folded(other))
    }

    private func matches(_ left: FormatConstant, _ right: FormatConstant) -> Bool {
        guard case .text(let text)? = left.storedValue, case .text(let pattern)? = right.storedValue else {
            return false
        }
        let folding = options.patternFolding
        return TextMatching.test(
            options.patternTest, folding?.apply(text) ?? text, folding?.apply(pattern) ?? pattern)
    }

    /// Options have no effect on type identifiers.
    private func types(_ test: TextTest, _ left: FormatConstant, _ right: FormatConstant) -> Bool {
        guard case .text(let type)? = left.storedValue, case .text(let other)? = right.storedValue else { return false }
        return TextMatching.test(test, type, other)
    }

    private func folded(_ value: Value) -> Value {
        if case .text(let text) = value { .text(folded(text)) } else { value }
    }

    private func folded(_ text: String) -> String { options.folding?.apply(text) ?? text }
}

extension FormatOptions {
    /// The folding of texts before they are compared; `nil` if they are compared unchanged.
    package var folding: TextFolding? {
        if contains(.normalized) { return nil }
        switch (contains(.caseInsensitive), contains(.diacriticInsensitive)) {
        case (true, true): return .caseAndDiacritics
        case (true, false): return .case
        case (false, true): return .diacritics
        case (false, false): return nil
        }
    }

    /// The folding for regular expressions: only diacritics, because case has a meaning in a pattern.
    package var patternFolding: TextFolding? {
        contains(.diacriticInsensitive) && !contains(.normalized) ? .diacritics : nil
    }

    package var patternTest: TextTest {
        contains(.caseInsensitive) && !contains(.normalized) ? .matchesPatternIgnoringCase : .matchesPattern
    }
}

extension FormatExpression {
    /// Whether the expression can be calculated without an object.
    var isConstant: Bool {
        switch self {
        case .constant: true
        case .aggregate(let parts), .function(_, let parts): parts.allSatisfy(\.isConstant)
        case .cast(let inner, _), .assignment(_, let inner), .keyPathOf(let inner, _): inner.isConstant
        case .set(_, let left, let right): left.isConstant && right.isConstant
        case .element(let base, .position(let position)): base.isConstant && position.isConstant
        case .element(let base, _): base.isConstant
        case .call(let target, _, let arguments): target.isConstant && arguments.allSatisfy(\.isConstant)
        default: false
        }
    }
}

extension FormatConstant {
    fileprivate var entityName: String? {
        if case .object(let object) = self { (object.base as? any EntityRepresentable)?.graphEntityName } else { nil }
    }

    fileprivate var textOrEntityName: String? {
        if case .text(let text) = self { text } else { entityName }
    }
}
