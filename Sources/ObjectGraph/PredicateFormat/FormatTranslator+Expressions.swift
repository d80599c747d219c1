/// Functions, subqueries and the other expressions with parts.
extension FormatTranslator {
    // MARK: Functions

    /// - Parameter source: for messages.
    func call(
        _ function: FormatFunction, _ arguments: [FormatOperand], _ source: FormatExpression
    ) throws(FormatTranslationError) -> FormatOperand {
        switch function {
        case .now: return .constant(now)
        case .random, .randomBelow:
            throw .unsupported(construct: "'\(source)'", reason: "it gives another value every time")
        default: break
        }
        if let arity = function.arity, arity != arguments.count {
            throw .unsupported(construct: "'\(source)'", reason: "it takes \(arity) arguments")
        }
        let constants = arguments.compactMap(\.constant)
        if constants.count == arguments.count, function != .distance { return .constant(function.apply(constants)) }
        switch function {
        case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation:
            guard arguments.count == 1, case .collection(let collection)? = arguments.first else {
                throw .unsupported(construct: "'\(source)'", reason: "it wants a to-many key path")
            }
            return try aggregate(function, collection, source.description)
        case .noIndex:
            guard let only = arguments.first else { return .constant(.null) }
            return only
        case .length: return .value(.textLength(try text(arguments, source)), .integer)
        case .uppercase: return .value(.function(.uppercase, [try text(arguments, source)]), .text)
        case .lowercase: return .value(.function(.lowercase, [try text(arguments, source)]), .text)
        case .canonical: return .value(.function(.foldCaseAndDiacritics, [try text(arguments, source)]), .text)
        default: return try calculation(function, arguments, source)
        }
    }

    private func text(
        _ arguments: [FormatOperand], _ source: FormatExpression
    ) throws(FormatTranslationError) -> QueryExpression {
        guard let only = arguments.first, only.type?.isText ?? true else {
            throw .unsupported(construct: "'\(source)'", reason: "it wants a text")
        }
        return try scalar(only, source)
    }

    private func calculation(
        _ function: FormatFunction, _ arguments: [FormatOperand], _ source: FormatExpression
    ) throws(FormatTranslationError) -> FormatOperand {
        var values: [QueryExpression] = []
        for argument in arguments {
            guard argument.constant?.isNull ?? false || argument.type.map({ $0.isNumber || $0 == .date }) ?? true else {
                throw .unsupported(construct: "'\(source)'", reason: "only numbers and dates can be calculated with")
            }
            values.append(try scalar(argument, source))
        }
        let (left, right) = (arguments.first?.type, arguments.last?.type)
        if let arithmetic = function.arithmetic, values.count == 2 {
            let isInteger = [left, right].allSatisfy { $0 == .integer || $0 == .boolean }
            let type: FormatType =
                FormatFunction.givesDate(function, left, right) ? .date : isInteger ? .integer : .real
            return .value(.arithmetic(arithmetic, values[0], values[1]), type)
        }
        guard let scalar = function.scalar else {
            throw .unsupported(construct: "'\(source)'", reason: "a store has no such function")
        }
        let type: FormatType =
            switch scalar.result {
            case .integer: .integer
            case .sameNumber: left == .integer || left == .boolean ? .integer : .real
            case .real, .text: .real
            }
        return .value(.function(scalar, values), type)
    }

    // MARK: Collections

    func subquery(
        _ collection: FormatExpression, _ variable: String, _ predicate: FormatPredicate
    ) throws(FormatTranslationError) -> FormatOperand {
        guard case .collection(var members) = try operand(collection), members.hops.count == 1,
            let hop = members.hops.first
        else {
            throw .unsupported(
                construct: "a subquery of '\(collection)'", reason: "it wants a key path through one to-many relationship")
        }
        // The filter names the member by a variable of its own, as the elements' is bound later.
        let own = newVariable()
        let inner = members.element.replacing(hop.variable, by: own)
        let condition = try binding(variable, to: inner).test(predicate)
        members.hops = [
            FormatCollection.Hop(collection: .filtered(hop.collection, own, condition), variable: hop.variable)
        ]
        return .collection(members)
    }

    func element(of base: FormatExpression, _ index: FormatIndex) throws(FormatTranslationError) -> FormatOperand {
        let operand = try operand(base)
        if case .constant = operand, case .element = FormatExpression.element(base, index) {
            if case .position(let position) = index, !position.isConstant {
                throw .unsupported(construct: "an index that depends on the object", reason: "give a number")
            }
            return .constant(FormatEvaluator().constant(.element(constantTree(operand), index), of: nil))
        }
        if case .size = index, case .collection(let collection) = operand {
            return try aggregate(.count, collection, "\(base)[SIZE]")
        }
        throw .unsupported(
            construct: "'\(FormatExpression.element(base, index))'", reason: "only [SIZE] can be asked of a relationship")
    }

    private func constantTree(_ operand: FormatOperand) -> FormatExpression { .constant(operand.constant ?? .null) }

    func set(
        _ operation: FormatSetOperation, _ left: FormatExpression, _ right: FormatExpression
    ) throws(FormatTranslationError) -> FormatOperand {
        guard let first = try operand(left).constant?.members, let second = try operand(right).constant?.members else {
            throw .unsupported(construct: operation.rawValue, reason: "it wants lists of constants")
        }
        return .constant(.list(operation.apply(first, second)))
    }

    // MARK: Choices and casts

    func conditional(
        _ predicate: FormatPredicate, _ then: FormatExpression, _ otherwise: FormatExpression
    ) throws(FormatTranslationError) -> FormatOperand {
        let test = try test(predicate)
        let (first, second) = (try operand(then), try operand(otherwise))
        let type = first.type == nil ? second.type : first.type
        let isOneType = first.type == nil || second.type == nil || first.type == second.type
        let values = (
            try scalar(coerced(first, to: second.type), then), try scalar(coerced(second, to: first.type), otherwise)
        )
        return .value(.conditional(test: test, then: values.0, otherwise: values.1), isOneType ? type : nil)
    }

    /// A constant as the type it meets, where it can be.
    private func coerced(_ operand: FormatOperand, to type: FormatType?) -> FormatOperand {
        guard case .constant(let constant) = operand, let type else { return operand }
        return .constant(constant.coerced(to: type) ?? constant)
    }

    func cast(_ expression: FormatExpression, _ name: String) throws(FormatTranslationError) -> FormatOperand {
        let operand = try operand(expression)
        if case .constant(let constant) = operand {
            guard let value = FormatCast.apply(constant, to: name) else {
                throw .unsupported(construct: "a cast of \(constant.kindName) to \(name)", reason: "it has no such value")
            }
            return .constant(value)
        }
        guard case .value(let value, let type) = operand else {
            throw .unsupported(construct: "a cast of '\(expression)'", reason: "one value is wanted")
        }
        switch (name, type) {
        case ("NSDate", .some(let type)) where type.isNumber || type == .date: return .value(value, .date)
        case ("NSNumber", .date), ("NSDecimalNumber", .date): return .value(value, .real)
        case ("NSNumber", .some(let type)) where type.isNumber: return operand
        case ("NSDecimalNumber", .some(let type)) where type.isNumber: return operand
        case ("NSString", .text), ("NSUUID", .uuid), ("NSURL", .url), ("NSData", .bytes): return operand
        default:
            throw .unsupported(
                construct: "a cast of '\(expression)' to \(name)", reason: "only dates and numbers can be cast")
        }
    }
}

extension FormatOperand {
    /// The same about another variable's object.
    fileprivate func replacing(_ variable: QueryVariable, by other: QueryVariable) -> FormatOperand {
        switch self {
        case .object(let object, let index): .object(object.replacing(variable, by: other), entityIndex: index)
        case .value(let value, let type): .value(value.replacing(variable, by: other), type)
        case .entity(let object, let index): .entity(object.replacing(variable, by: other), entityIndex: index)
        case .entityName(let object, let index): .entityName(object.replacing(variable, by: other), entityIndex: index)
        case .composite(let composite):
            .composite(
                FormatComposite(
                    object: composite.object.replacing(variable, by: other), entityIndex: composite.entityIndex,
                    attribute: composite.attribute, slot: composite.slot, path: composite.path))
        case .constant, .collection, .list: self
        }
    }
}

extension QueryExpression {
    /// Key paths through to-one relationships only, which is all that an element is made of.
    fileprivate func replacing(_ variable: QueryVariable, by other: QueryVariable) -> QueryExpression {
        switch self {
        case .variable(variable): .variable(other)
        case .toOne(let base, let reference): .toOne(base.replacing(variable, by: other), reference)
        case .attribute(let base, let reference): .attribute(base.replacing(variable, by: other), reference)
        default: self
        }
    }
}
