import ObjectGraph

/// Translates functions, subqueries and other compound expressions.
extension FormatTranslator {
    // MARK: Functions

    /// - Parameter source: The expression, for messages.
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
        guard case .collection(let members) = try operand(collection) else {
            throw .unsupported(construct: "a subquery of '\(collection)'", reason: "it wants a to-many key path")
        }
        let chosen = try members.filtered(by: newVariable()) { (element) throws(FormatTranslationError) in
            try binding(variable, to: element).test(predicate)
        }
        return .collection(chosen)
    }

    func element(of base: FormatExpression, _ index: FormatIndex) throws(FormatTranslationError) -> FormatOperand {
        let operand = try operand(base)
        switch (operand, index) {
        case (.constant(let constant), _):
            if case .position(let position) = index, !position.isConstant {
                throw .unsupported(construct: "an index that depends on the object", reason: "give a number")
            }
            return .constant(FormatEvaluator().constant(.element(.constant(constant), index), of: nil))
        case (.collection(let collection), .size): return try aggregate(.count, collection, "\(base)[SIZE]")
        case (.collection(let collection), _): return try member(of: collection, index, .element(base, index))
        default:
            throw .unsupported(
                construct: "'\(FormatExpression.element(base, index))'", reason: "it wants an ordered relationship")
        }
    }

    /// Returns the member at an index of an ordered relationship; nil if the index is out of range.
    private func member(
        of collection: FormatCollection, _ index: FormatIndex, _ source: FormatExpression
    ) throws(FormatTranslationError) -> FormatOperand {
        guard collection.hops.count == 1, let hop = collection.hops.first, !collection.isDistinct,
            isOrdered(hop.collection)
        else {
            throw .unsupported(
                construct: "'\(source)'", reason: "only the members of one ordered relationship have places")
        }
        guard let place = try place(index) else { return .constant(.null) }
        return collection.element.replacing(hop.variable, by: .member(hop.collection, at: place))
    }

    private func isOrdered(_ collection: QueryCollection) -> Bool {
        guard let reference = collection.source?.relationship else { return false }
        return model[reference.entityIndex].relationships[reference.index].relationship.isOrdered
    }

    /// Returns `nil` for a negative number.
    private func place(_ index: FormatIndex) throws(FormatTranslationError) -> QueryPlace? {
        switch index {
        case .first: return .index(0)
        case .last: return .last
        case .size: return nil
        case .position(let position):
            guard case .integer(let number)? = try operand(position).constant else {
                throw .unsupported(construct: "the index '\(position)'", reason: "it wants a whole number")
            }
            return Int(exactly: number).flatMap { $0 < 0 ? nil : .index($0) }
        }
    }

    // MARK: Sets

    /// Translates set operations: any of two constant lists; for a collection, intersection and difference with a list or
    /// another collection.
    func set(
        _ operation: FormatSetOperation, _ left: FormatExpression, _ right: FormatExpression
    ) throws(FormatTranslationError) -> FormatOperand {
        let (first, second) = (try operand(left), try operand(right))
        if let members = first.constant?.members, let others = second.constant?.members {
            return .constant(.list(operation.apply(members, others)))
        }
        switch (operation, first, second) {
        case (.intersect, .collection(let members), .collection), (.intersect, .collection(let members), .constant),
            (.minus, .collection(let members), .collection), (.minus, .collection(let members), .constant):
            return try chosen(members, operation, left, second, right)
        case (.intersect, .constant, .collection(let members)):
            return try chosen(members, operation, right, first, left)
        default:
            throw .unsupported(
                construct: "'\(FormatExpression.set(operation, left, right))'",
                reason: "a store has the INTERSECT and MINUS of a to-many key path and another one or constants")
        }
    }

    private func chosen(
        _ members: FormatCollection, _ operation: FormatSetOperation, _ source: FormatExpression,
        _ others: FormatOperand, _ otherSource: FormatExpression
    ) throws(FormatTranslationError) -> FormatOperand {
        let isIn = Comparison(FormatComparison(source, .isIn, otherSource))
        var chosen = try members.filtered(by: newVariable()) { (element) throws(FormatTranslationError) in
            let isOther = try test(isIn, element, others)
            let isThere = QueryExpression.compare(.notEqual, try scalar(element, source), .literal(.null))
            return .and([isThere, operation == .minus ? .not(isOther) : isOther])
        }
        chosen.isDistinct = chosen.isDistinct || !members.isSetOfObjects
        return .collection(chosen)
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

    /// Converts a constant to the type of the other operand, if possible.
    private func coerced(_ operand: FormatOperand, to type: FormatType?) -> FormatOperand {
        guard case .constant(let constant) = operand, let type else { return operand }
        return .constant(constant.coerced(to: type) ?? constant)
    }

    func cast(_ expression: FormatExpression, _ name: String) throws(FormatTranslationError) -> FormatOperand {
        let operand = try operand(expression)
        if case .constant(let constant) = operand {
            guard let value = FormatCast.apply(constant, to: name) else {
                throw .unsupported(
                    construct: "a cast of \(constant.kindName) to \(name)", reason: "it has no such value")
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
