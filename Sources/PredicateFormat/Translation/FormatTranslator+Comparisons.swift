import ObjectGraph

/// Translates comparisons.
extension FormatTranslator {
    func comparison(_ comparison: FormatComparison) throws(FormatTranslationError) -> QueryExpression {
        let left = try operand(comparison.left)
        let right = try operand(comparison.right)
        let whole = Comparison(comparison)
        if comparison.modifier == .direct { return try test(whole, left, right) }
        let isAny = comparison.modifier == .any
        switch left {
        case .collection(let collection):
            let test = try test(whole, collection.element, right)
            return isAny ? collection.exists(test) : collection.all(test)
        case .constant(.list(let members)):
            return try combined(members.map(FormatOperand.constant), isAny, whole, right)
        case .list(let members): return try combined(members, isAny, whole, right)
        default: throw .collectionWanted(expression: comparison.left.description)
        }
    }

    private func combined(
        _ members: [FormatOperand], _ isAny: Bool, _ comparison: Comparison, _ right: FormatOperand
    ) throws(FormatTranslationError) -> QueryExpression {
        var tests: [QueryExpression] = []
        for member in members { tests.append(try test(comparison, member, right)) }
        return isAny ? .or(tests) : .and(tests)
    }

    /// A comparison without its modifier.
    struct Comparison {
        var sign: FormatOperator
        let options: FormatOptions
        /// The operands' source, for messages.
        let left: FormatExpression
        let right: FormatExpression

        init(_ comparison: FormatComparison) {
            sign = comparison.comparison
            options = comparison.options
            left = comparison.left
            right = comparison.right
        }

        func with(_ sign: FormatOperator) -> Comparison {
            var copy = self
            copy.sign = sign
            return copy
        }

        var test: FormatTest { FormatTest(sign, options) }
    }

    func test(
        _ comparison: Comparison, _ left: FormatOperand, _ right: FormatOperand
    ) throws(FormatTranslationError) -> QueryExpression {
        if let first = left.constant, let second = right.constant {
            return .constant(comparison.test.passes(first, second))
        }
        if let test = try entityTest(comparison, left, right) { return test }
        switch comparison.sign {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            return try relation(comparison, left, right)
        case .between: return try between(comparison, left, right)
        case .isIn: return try membership(comparison, of: left, in: right, comparison.right)
        case .contains:
            switch left {
            case .collection, .list, .constant(.list):
                return try membership(comparison, of: right, in: left, comparison.left)
            default: return try textTest(comparison, .contains, left, right)
            }
        case .beginsWith: return try textTest(comparison, .beginsWith, left, right)
        case .endsWith: return try textTest(comparison, .endsWith, left, right)
        case .like: return try textTest(comparison, .like, left, right)
        case .matches: return try pattern(comparison, left, right)
        case .conformsToType: return try typeTest(comparison, .conformsToType, left, right)
        case .equalsType: return try typeTest(comparison, .equalsType, left, right)
        }
    }

    // MARK: Order and equality

    private func relation(
        _ comparison: Comparison, _ left: FormatOperand, _ right: FormatOperand
    ) throws(FormatTranslationError) -> QueryExpression {
        let isEquality = comparison.sign == .equal || comparison.sign == .notEqual
        switch (left, right) {
        case (.collection, _): throw .toManyNotAllowed(keyPath: comparison.left.description)
        case (_, .collection): throw .toManyNotAllowed(keyPath: comparison.right.description)
        case (.composite(let composite), .constant(.null)), (.constant(.null), .composite(let composite)):
            guard isEquality else { return .constant(false) }
            let absent = composite.leaves.map { QueryExpression.compare(.equal, $0, .literal(.null)) }
            return comparison.sign == .equal ? .and(absent) : .not(.and(absent))
        case (.object, .value), (.value, .object):
            throw .unsupported(
                construct: "'\(comparison.left)' beside '\(comparison.right)'",
                reason: "an object cannot be compared with a value")
        default: break
        }
        if !isEquality, left.type == .object || right.type == .object {
            throw .unsupported(construct: "an order of objects", reason: "compare one of their attributes")
        }
        let first = try comparable(left, with: right, comparison.left, comparison.right)
        let second = try comparable(right, with: left, comparison.right, comparison.left)
        if let test = presence(comparison.sign, first, second) { return test }
        let isFolded = left.type?.isText ?? true && right.type?.isText ?? true
        let folding = isFolded ? comparison.options.folding : nil
        return .compare(comparison.sign.comparison, first.folded(folding), second.folded(folding))
    }

    /// Returns the operand as a value; a constant is converted to the type of the other operand.
    private func comparable(
        _ operand: FormatOperand, with other: FormatOperand, _ source: FormatExpression, _ otherSource: FormatExpression
    ) throws(FormatTranslationError) -> QueryExpression {
        if case .object(let object, _) = operand { return object }
        guard case .constant(let constant) = operand else {
            if operand.type == .opaque, !(other.constant?.isNull ?? false) {
                throw .unsupported(construct: "'\(source)'", reason: "its values can only be compared with nil")
            }
            return try scalar(operand, source)
        }
        guard let type = other.type, !constant.isNull else { return try scalar(operand, source) }
        guard type != .opaque else {
            throw .unsupported(construct: "'\(otherSource)'", reason: "its values can only be compared with nil")
        }
        guard let value = constant.coerced(to: type)?.storedValue else {
            throw .wrongConstant(keyPath: otherSource.description, wanted: type.name, found: constant.kindName)
        }
        return .literal(value)
    }

    /// Translates a count compared with zero to a test for existence.
    private func presence(
        _ sign: FormatOperator, _ left: QueryExpression, _ right: QueryExpression
    ) -> QueryExpression? {
        switch (left, right) {
        case (.count(let collection), .literal(.integer(let bound))):
            switch (sign, bound) {
            case (.greater, 0), (.notEqual, 0), (.greaterOrEqual, 1): return isNotEmpty(collection)
            case (.equal, 0), (.lessOrEqual, 0), (.less, 1): return .not(isNotEmpty(collection))
            default: return nil
            }
        default: return nil
        }
    }

    private func isNotEmpty(_ collection: QueryCollection) -> QueryExpression {
        if case .filtered(let inner, let variable, let test) = collection { return .exists(inner, variable, test) }
        return .exists(collection, newVariable(), .constant(true))
    }

    private func between(
        _ comparison: Comparison, _ left: FormatOperand, _ right: FormatOperand
    ) throws(FormatTranslationError) -> QueryExpression {
        let bounds: [FormatOperand]
        switch right {
        case .constant(.list(let members)): bounds = members.map(FormatOperand.constant)
        case .list(let members): bounds = members
        default: bounds = []
        }
        guard bounds.count == 2 else {
            throw .unsupported(construct: "BETWEEN '\(comparison.right)'", reason: "it wants a list of two bounds")
        }
        return .and([
            try test(comparison.with(.greaterOrEqual), left, bounds[0]),
            try test(comparison.with(.lessOrEqual), left, bounds[1]),
        ])
    }

    // MARK: Membership

    /// - Parameter source: The collection's expression, for messages.
    private func membership(
        _ comparison: Comparison, of element: FormatOperand, in collection: FormatOperand, _ source: FormatExpression
    ) throws(FormatTranslationError) -> QueryExpression {
        switch collection {
        case .collection(let members):
            return members.exists(try test(comparison.with(.equal), members.element, element))
        case .list(let members):
            var tests: [QueryExpression] = []
            for member in members { tests.append(try test(comparison.with(.equal), element, member)) }
            return .or(tests)
        case .constant(.list(let members)): return try membership(comparison, of: element, in: members)
        case .constant(.null): return .constant(false)
        case .value where collection.type?.isText ?? true, .constant(.text), .constant(.url):
            return try textTest(comparison, .contains, collection, element)
        default:
            throw .unsupported(construct: "IN '\(source)'", reason: "it wants a list, a to-many key path or a text")
        }
    }

    private func membership(
        _ comparison: Comparison, of element: FormatOperand, in members: [FormatConstant]
    ) throws(FormatTranslationError) -> QueryExpression {
        let source = comparison.sign == .contains ? comparison.right : comparison.left
        if case .composite = element {
            throw .unsupported(construct: "'\(source)' in a list", reason: "name one of its elements instead")
        }
        if case .collection = element { throw .toManyNotAllowed(keyPath: source.description) }
        let folding = element.type?.isText ?? true ? comparison.options.folding : nil
        var values: [Value] = []
        values.reserveCapacity(members.count)
        for member in members {
            let value = try comparable(.constant(member), with: element, comparison.right, source).folded(folding)
            guard case .literal(let literal) = value else { continue }
            values.append(literal)
        }
        let operand: QueryExpression
        if case .object(let object, _) = element { operand = object } else { operand = try scalar(element, source) }
        return .isMember(operand.folded(folding), of: values)
    }

    // MARK: Texts

    private func textTest(
        _ comparison: Comparison, _ test: TextTest, _ left: FormatOperand, _ right: FormatOperand
    ) throws(FormatTranslationError) -> QueryExpression {
        let folding = comparison.options.folding
        let first = try textValue(left, comparison.left, comparison)
        let second = try textValue(right, comparison.right, comparison)
        return .text(test, first.folded(folding), second.folded(folding))
    }

    private func pattern(
        _ comparison: Comparison, _ left: FormatOperand, _ right: FormatOperand
    ) throws(FormatTranslationError) -> QueryExpression {
        let folding = comparison.options.patternFolding
        let first = try textValue(left, comparison.left, comparison)
        let second = try textValue(right, comparison.right, comparison).folded(folding)
        if case .literal(.text(let pattern)) = second, !TextMatching.isPattern(pattern) {
            throw .unsupported(construct: "MATCHES", reason: "the regular expression cannot be read")
        }
        return .text(comparison.options.patternTest, first.folded(folding), second)
    }

    /// Options have no effect on type identifiers.
    private func typeTest(
        _ comparison: Comparison, _ test: TextTest, _ left: FormatOperand, _ right: FormatOperand
    ) throws(FormatTranslationError) -> QueryExpression {
        .text(
            test, try textValue(left, comparison.left, comparison), try textValue(right, comparison.right, comparison))
    }

    private func textValue(
        _ operand: FormatOperand, _ source: FormatExpression, _ comparison: Comparison
    ) throws(FormatTranslationError) -> QueryExpression {
        switch operand {
        case .constant(.null), .constant(.text), .constant(.url): return try scalar(operand, source)
        case .constant(let constant):
            throw .wrongConstant(
                keyPath: comparison.left.description, wanted: "a text", found: constant.kindName)
        case .collection: throw .toManyNotAllowed(keyPath: source.description)
        default:
            guard operand.type?.isText ?? true else {
                throw .unsupported(
                    construct: "\(comparison.sign.sign) beside '\(source)'", reason: "it wants a text")
            }
            return try scalar(operand, source)
        }
    }

    // MARK: Entities

    /// Translates a test of an object's entity; `nil` if the comparison is about something else. The names of all
    /// entities are tested here, so that the query only tests which of them the object belongs to.
    private func entityTest(
        _ comparison: Comparison, _ left: FormatOperand, _ right: FormatOperand
    ) throws(FormatTranslationError) -> QueryExpression? {
        let (object, entityIndex, other, isLeft): (QueryExpression, Int, FormatOperand, Bool)
        switch (left, right) {
        case (.entity(let base, let index), _): (object, entityIndex, other, isLeft) = (base, index, right, true)
        case (.entityName(let base, let index), _): (object, entityIndex, other, isLeft) = (base, index, right, true)
        case (_, .entity(let base, let index)): (object, entityIndex, other, isLeft) = (base, index, left, false)
        case (_, .entityName(let base, let index)): (object, entityIndex, other, isLeft) = (base, index, left, false)
        default: return nil
        }
        guard case .constant(let constant) = other else {
            throw .unsupported(
                construct: "'\(isLeft ? comparison.left : comparison.right)'",
                reason: "an entity can be compared with constants only")
        }
        let names = constant.entityNames
        let isWhole = if case .entity = isLeft ? left : right { true } else { false }
        if isWhole { try checkNames(names) }
        let test = comparison.test
        func passes(_ name: FormatConstant) -> Bool { isLeft ? test.passes(name, names) : test.passes(names, name) }
        var tests: [QueryExpression] = []
        for index in model[entityIndex].familyIndexes where passes(.text(model[index].name)) {
            tests.append(exactly(object, index))
        }
        if passes(.null) { tests.append(.compare(.equal, object, .literal(.null))) }
        return .or(tests)
    }

    /// Throws an error for an entity name that is not in the model.
    private func checkNames(_ names: FormatConstant) throws(FormatTranslationError) {
        switch names {
        case .text(let name): if model.entity(named: name) == nil { throw .unknownEntity(name) }
        case .list(let members): for member in members { try checkNames(member) }
        default: break
        }
    }

    /// Tests whether the object is of the entity itself and not of a subentity.
    private func exactly(_ object: QueryExpression, _ entityIndex: Int) -> QueryExpression {
        let below = model[entityIndex].subentityIndexes.map { QueryExpression.isKind(object, entityIndex: $0) }
        let isKind = QueryExpression.isKind(object, entityIndex: entityIndex)
        return below.isEmpty ? isKind : .and([isKind] + below.map { .not($0) })
    }
}

extension FormatConstant {
    /// The constant with names in place of entity descriptions.
    fileprivate var entityNames: FormatConstant {
        switch self {
        case .object(let object): .init((object.base as? any EntityRepresentable)?.graphEntityName)
        case .list(let members): .list(members.map(\.entityNames))
        default: self
        }
    }
}

extension QueryExpression {
    /// Returns the folded text; a literal is folded immediately.
    fileprivate func folded(_ folding: TextFolding?) -> QueryExpression {
        guard let folding else { return self }
        switch self {
        case .literal(.text(let text)): return .literal(.text(folding.apply(text)))
        case .literal: return self
        default: return .function(folding.function, [self])
        }
    }
}

extension TextFolding {
    fileprivate var function: ScalarFunction {
        switch self {
        case .case: .foldCase
        case .diacritics: .foldDiacritics
        case .caseAndDiacritics: .foldCaseAndDiacritics
        }
    }
}

extension FormatOperator {
    /// The operator of the six ordering comparisons.
    fileprivate var comparison: ComparisonOperator {
        switch self {
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .notEqual: .notEqual
        default: .equal
        }
    }
}
