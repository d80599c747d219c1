import Foundation
import ObjectGraph

/// `is`
extension PredicateExpressions.TypeCheck: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        switch try translation.operand(input) {
        case .constant:
            return try translation.constant(self)
        case .object(let object, _):
            let entity = try translation.entity(castTo: Desired.self, in: "TypeCheck")
            return .test(.isKind(object, entityIndex: entity.index))
        case .leaves, .test, .collection, .range:
            throw PredicateTranslationError.notAnObject("TypeCheck")
        }
    }
}

/// `as?`
extension PredicateExpressions.ConditionalCast: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        let subject = try translation.operand(input)
        if subject.isConstant { return try translation.constant(self) }
        return try translation.cast(subject, from: Input.Output.self, to: Desired.self, in: "ConditionalCast")
    }
}

/// `as!`: an object of another class is nil, where Swift would trap.
extension PredicateExpressions.ForceCast: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        let subject = try translation.operand(input)
        if subject.isConstant { return try translation.constant(self) }
        return try translation.cast(subject, from: Input.Output.self, to: Desired.self, in: "ForceCast")
    }
}

extension PredicateTranslation {
    fileprivate func entity(castTo type: any Any.Type, in construct: String) throws -> Entity {
        let type = (type as? any OptionalType.Type)?.wrappedType ?? type
        guard let model = type as? any PersistentModel.Type else {
            throw PredicateTranslationError.notAnObject(construct)
        }
        return try entity(of: ModelType.of(model))
    }

    fileprivate func cast(
        _ subject: PredicateOperand, from source: any Any.Type, to target: any Any.Type, in construct: String
    ) throws -> PredicateOperand {
        if source == target { return subject }
        let target = (target as? any OptionalType.Type)?.wrappedType ?? target
        guard case .object(let object, let type) = subject, let class_ = target as? any PersistentModel.Type else {
            throw PredicateTranslationError.notAnObject(construct)
        }
        let entity = try entity(castTo: target, in: construct)
        let isUpcast = model.isKind(try self.entity(of: type).index, of: entity.index)
        return .object(isUpcast ? object : .cast(object, entityIndex: entity.index), ModelType.of(class_))
    }
}

extension PredicateTranslationError {
    fileprivate static func notAnObject(_ construct: String) -> PredicateTranslationError {
        .needsMemory(construct: construct, reason: "only the class of a model can be asked for")
    }
}
