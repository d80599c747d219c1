import ObjectGraph

/// Translates key paths.
extension FormatTranslator {
    /// Returns the value at a key path of an operand.
    func value(at path: String, of base: FormatOperand) throws(FormatTranslationError) -> FormatOperand {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.count <= Self.depthLimit / 2 else { throw .tooDeep(limit: Self.depthLimit / 2) }
        return try value(at: keys[...], of: base, path)
    }

    private func value(
        at keys: ArraySlice<String>, of base: FormatOperand, _ path: String
    ) throws(FormatTranslationError) -> FormatOperand {
        var current = base
        var rest = keys
        while let key = rest.popFirst() {
            guard key.hasPrefix("@") else {
                current = try step(key, from: current, path)
                continue
            }
            // The path after an operator applies to the members, up to the next operator.
            let inner = rest.prefix { !$0.hasPrefix("@") }
            rest = rest.dropFirst(inner.count)
            let collection = try value(at: inner, of: current, path)
            current = try collected(String(key.dropFirst()), collection, path)
        }
        return current.rawValueOfEnum
    }

    private func step(
        _ key: String, from base: FormatOperand, _ path: String
    ) throws(FormatTranslationError) -> FormatOperand {
        if key == "self" || key == "SELF" { return base }
        switch base {
        case .object(let object, let entityIndex): return try property(key, of: object, entityIndex, path)
        case .collection(var collection):
            let inner = try step(key, from: collection.element, path)
            if case .collection(let next) = inner {
                collection.hops += next.hops
                collection.element = next.element
            } else {
                collection.element = inner
            }
            return .collection(collection)
        case .composite(let composite):
            guard let element = composite.element(named: key) else { throw unknown(path) }
            return element
        case .entity(let object, let entityIndex):
            if key == "name" { return .entityName(object, entityIndex: entityIndex) }
            throw unknown(path)
        case .constant(let constant): return .constant(constant.value(at: key))
        case .value(let value, let type):
            guard type?.isText ?? false else { throw unknown(path) }
            switch key {
            case "length": return .value(.textLength(value), .integer)
            case "uppercaseString": return .value(.function(.uppercase, [value]), .text)
            case "lowercaseString": return .value(.function(.lowercase, [value]), .text)
            default: throw unknown(path)
            }
        case .list, .entityName: throw unknown(path)
        }
    }

    private func unknown(_ path: String) -> FormatTranslationError {
        .unknownKeyPath(entity: entity.name, keyPath: path)
    }

    private func property(
        _ key: String, of object: QueryExpression, _ entityIndex: Int, _ path: String
    ) throws(FormatTranslationError) -> FormatOperand {
        let owner = model[entityIndex]
        if let attribute = owner.attribute(named: key) {
            guard !attribute.attribute.isTransient else { throw .notStored(entity: owner.name, keyPath: path) }
            return value(of: attribute, of: object, entityIndex)
        }
        if let relationship = owner.relationship(named: key) {
            guard !relationship.relationship.isTransient else { throw .notStored(entity: owner.name, keyPath: path) }
            let reference = RelationshipReference(entityIndex: entityIndex, index: relationship.index, name: key)
            if relationship.isToOne {
                return .object(.toOne(object, reference), entityIndex: relationship.destinationIndex)
            }
            let variable = newVariable()
            let hop = FormatCollection.Hop(collection: .toMany(object, reference), variable: variable)
            let member = FormatOperand.object(.variable(variable), entityIndex: relationship.destinationIndex)
            return .collection(FormatCollection(hops: [hop], element: member))
        }
        switch key {
        case "objectID": return .object(object, entityIndex: entityIndex)
        case "entity": return .entity(object, entityIndex: entityIndex)
        default: throw .unknownKeyPath(entity: entity.name, keyPath: path)
        }
    }

    private func value(
        of attribute: EntityAttribute, of object: QueryExpression, _ entityIndex: Int
    ) -> FormatOperand {
        let (slot, name) = (attribute.slots.lowerBound, attribute.name)
        if attribute.attribute.type == .composite {
            return .composite(
                FormatComposite(
                    object: object, entityIndex: entityIndex, attribute: attribute.attribute, slot: slot, path: name))
        }
        let reference = AttributeReference(entityIndex: entityIndex, slot: slot, path: name)
        return .value(.attribute(object, reference), FormatType(attribute.attribute.type))
    }

    // MARK: Operators of collections

    /// Applies `@count`, `@sum` and other operators to the rest of the key path.
    func collected(
        _ name: String, _ operand: FormatOperand, _ path: String
    ) throws(FormatTranslationError) -> FormatOperand {
        if case .constant(let constant) = operand { return .constant(constant.value(at: "@" + name)) }
        guard case .collection(var collection) = operand else {
            throw .unsupported(construct: "'@\(name)' in '\(path)'", reason: "it wants a to-many key path")
        }
        switch name {
        case "unionOfObjects", "unionOfArrays", "unionOfSets": return operand
        case "distinctUnionOfObjects", "distinctUnionOfArrays", "distinctUnionOfSets":
            collection.isDistinct = true
            return .collection(collection)
        default:
            guard let function = FormatFunction(collectionOperator: name) else {
                throw .unsupported(construct: "'@\(name)' in '\(path)'", reason: "there is no such operator")
            }
            return try aggregate(function, collection, path)
        }
    }

    /// Translates an aggregate. Across several to-many relationships, every path to a member counts.
    /// - Parameter function: A function of a collection.
    /// - Parameter source: The key path, for messages.
    func aggregate(
        _ function: FormatFunction, _ collection: FormatCollection, _ source: String
    ) throws(FormatTranslationError) -> FormatOperand {
        guard let members = collection.joined else { throw .collectionWanted(expression: source) }
        if function == .count, !collection.isDistinct { return .value(.count(members.collection), .integer) }
        guard let plain = function.aggregate,
            let aggregate = collection.isDistinct ? plain.distinct : plain
        else { throw .unsupported(construct: "'\(source)'", reason: "a store has no such function") }
        let element = try scalar(collection.element, .keyPath(source))
        let type = collection.element.type
        if aggregate.isCalculated, !(type?.isNumber ?? true) {
            throw .unsupported(construct: "'\(source)'", reason: "only numbers have a sum and an average")
        }
        if plain != .count, type == .opaque || type == .object {
            throw .unsupported(construct: "'\(source)'", reason: "it wants an attribute of the members")
        }
        let result: FormatType? =
            switch plain {
            case .count: .integer
            case .minimum, .maximum: type
            case .sum: type == .boolean ? .integer : type
            default: .real
            }
        return .value(.aggregate(aggregate, members.collection, members.variable, element), result)
    }
}
