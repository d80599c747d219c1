import Foundation
import ObjectGraph

extension PredicateExpressions.Value: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        .constant(PredicateConstant.flattened(value))
    }
}

extension PredicateExpressions.Variable: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        try translation.operand(of: key)
    }
}

/// A property of a model, a part of a composite attribute, or a known property of values and collections.
extension PredicateExpressions.KeyPath: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        let subject = try translation.operand(root)
        switch subject {
        case .constant(nil):
            return .constant(nil)
        case .constant:
            return try translation.constant(self)
        case .object(let object, let type):
            return try translation.property(at: keyPath, of: object, type)
        case .leaves(let leaves, let codec):
            if let part = try part(of: leaves, codec) { return part }
        case .collection(let collection, _):
            if let result = size(of: collection, translation) { return result }
        case .test, .range:
            break
        }
        throw PredicateTranslationError.needsMemory(
            construct: "\(keyPath)", reason: "this property of \(Root.Output.self) is not stored")
    }

    private func part(of leaves: [QueryExpression], _ codec: (any AttributeCodec)?) throws -> PredicateOperand? {
        if let codec, let member = codec.member(at: keyPath), member.leaves.upperBound <= leaves.count {
            return .leaves(Array(leaves[member.leaves]), member.codec)
        }
        guard leaves.count == 1, let leaf = leaves.first else { return nil }
        let path: AnyKeyPath = keyPath
        if EnumCases.isRawValue(path, of: Root.Output.self) {
            return .leaves([leaf], CodecSelection.codec(for: Output.self, in: .member))
        }
        switch path {
        case \String.count: return .value(.textLength(leaf))
        case \String.isEmpty: return .test(.compare(.equal, leaf, .literal(.text(""))))
        case \URL.absoluteString: return .value(leaf)
        case \Date.timeIntervalSinceReferenceDate: return .value(leaf)
        case \PersistentIdentifier.self, \PersistentIdentifier.id: return .leaves(leaves, codec)
        default: return nil
        }
    }

    private func size(of collection: QueryCollection, _ translation: PredicateTranslation) -> PredicateOperand? {
        switch kind {
        case .collectionCount:
            return .value(.count(collection))
        case .collectionIsEmpty:
            return .test(.not(.exists(collection, translation.newVariable(), .constant(true))))
        case .collectionFirst, .bidirectionalCollectionLast, nil:
            return nil
        @unknown default:
            return nil
        }
    }
}

extension PredicateTranslation {
    /// The property at a key path from an object, through any number of to-one relationships.
    func property(at keyPath: AnyKeyPath, of object: QueryExpression, _ type: ModelType) throws -> PredicateOperand {
        guard let steps = KeyPathSteps.find(keyPath, from: type) else {
            throw PredicateTranslationError.unknownProperty(entity: type.entityName, keyPath: "\(keyPath)")
        }
        var operand = PredicateOperand.object(object, type)
        for step in steps { operand = try take(step, from: operand) }
        return operand
    }

    private func take(_ step: KeyPathSteps.Step, from operand: PredicateOperand) throws -> PredicateOperand {
        switch (step, operand) {
        case (.identity, .object(let object, _)):
            return .leaves([.identity(object)], nil)
        case (.property(let property), .object(let object, let type)):
            return try take(property, of: object, type)
        case (.part(let range, let codec), .leaves(let leaves, _)) where range.upperBound <= leaves.count:
            return .leaves(Array(leaves[range]), codec)
        default:
            throw PredicateTranslationError.needsMemory(
                construct: "KeyPath", reason: "its parts do not follow each other")
        }
    }

    private func take(
        _ property: ModelProperty, of object: QueryExpression, _ type: ModelType
    ) throws -> PredicateOperand {
        let entity = try entity(of: type)
        switch property.kind {
        case .attribute(let codec):
            if entity.attribute(named: property.name)?.attribute.isTransient ?? false {
                throw PredicateTranslationError.needsMemory(
                    construct: "\(entity.name).\(property.name)", reason: "the property is not stored")
            }
            let names = codec.attribute(named: property.name, isOptional: true).leaves.map(\.name)
            let leaves = zip(property.slots, names).map { slot, name in
                let path = names.count == 1 ? property.name : "\(property.name).\(name)"
                return QueryExpression.attribute(
                    object, AttributeReference(entityIndex: entity.index, slot: slot, path: path))
            }
            return .leaves(leaves, codec)
        case .relationship(let destination, let cardinality):
            let reference = RelationshipReference(
                entityIndex: entity.index, index: property.relationshipIndex ?? 0, name: property.name)
            let destination = ModelType.of(destination)
            switch cardinality {
            case .toOne: return .object(.toOne(object, reference), destination)
            case .toMany: return .collection(.toMany(object, reference), destination)
            }
        }
    }
}
