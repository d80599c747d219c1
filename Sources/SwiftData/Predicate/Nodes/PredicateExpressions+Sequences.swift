import Foundation
import ObjectGraph

/// `contains(where:)`
extension PredicateExpressions.SequenceContainsWhere: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        switch try translation.operand(sequence) {
        case .collection(let collection, let type):
            let (member, inner) = translation.binding(variable, toMemberOf: type)
            return .test(.exists(collection, member, try inner.test(test)))
        case .constant(let elements as LHS.Output):
            return .test(.any(try translation.tests(test, for: variable, each: elements, in: "SequenceContainsWhere")))
        default:
            throw PredicateTranslationError.notACollection("SequenceContainsWhere")
        }
    }
}

/// `allSatisfy`
extension PredicateExpressions.SequenceAllSatisfy: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        switch try translation.operand(sequence) {
        case .collection(let collection, let type):
            let (member, inner) = translation.binding(variable, toMemberOf: type)
            return .test(.all(collection, member, try inner.test(test)))
        case .constant(let elements as LHS.Output):
            return .test(.every(try translation.tests(test, for: variable, each: elements, in: "SequenceAllSatisfy")))
        default:
            throw PredicateTranslationError.notACollection("SequenceAllSatisfy")
        }
    }
}

extension PredicateExpressions.Filter: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        switch try translation.operand(sequence) {
        case .collection(let collection, let type):
            let (member, inner) = translation.binding(variable, toMemberOf: type)
            return .collection(.filtered(collection, member, try inner.test(filter)), type)
        case .constant:
            if let constant = try? translation.constant(self) { return constant }
            fallthrough
        default:
            throw PredicateTranslationError.notACollection("Filter")
        }
    }
}

/// `contains(_:)` of a captured list, of a to-many relationship, of a range, or of a character in a text.
extension PredicateExpressions.SequenceContains: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        let name = "SequenceContains"
        let (all, member) = (try translation.operand(sequence), try translation.operand(element))
        if all.isConstant, member.isConstant { return try translation.constant(self) }
        if let test = try translation.isWithin(all, member, as: RHS.Output.self, in: name) { return .test(test) }
        switch all {
        case .collection(let collection, _):
            let variable = translation.newVariable()
            let same = QueryExpression.compare(
                .equal, .identity(.variable(variable)), try translation.scalar(element))
            return .test(.exists(collection, variable, same))
        case .constant(let list as LHS.Output) where !(list is String):
            return .test(try translation.isMember(member, of: list.map { $0 }, as: RHS.Output.self, in: name))
        default:
            guard LHS.Output.self == String.self else { throw PredicateTranslationError.notACollection(name) }
            return .test(.text(.contains, try translation.scalar(sequence), try translation.scalar(element)))
        }
    }
}

extension PredicateExpressions.SequenceMinimum: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        guard try translation.operand(elements).isConstant else {
            throw PredicateTranslationError.notACollection("SequenceMinimum")
        }
        return try translation.constant(self)
    }
}

extension PredicateExpressions.SequenceMaximum: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        guard try translation.operand(elements).isConstant else {
            throw PredicateTranslationError.notACollection("SequenceMaximum")
        }
        return try translation.constant(self)
    }
}

extension PredicateTranslation {
    /// The maximum number of elements of a captured list whose test is repeated for each element.
    private static let longestWrittenOut = 500

    fileprivate func binding<T>(
        _ variable: PredicateExpressions.Variable<T>, toMemberOf type: ModelType
    ) -> (QueryVariable, PredicateTranslation) {
        let member = newVariable()
        return (member, binding(variable, to: .object(.variable(member), type)))
    }

    /// The test of each element of a captured list.
    fileprivate func tests<Elements: Sequence, Test: PredicateExpression>(
        _ test: Test, for variable: PredicateExpressions.Variable<Elements.Element>, each elements: Elements,
        in construct: String
    ) throws -> [QueryExpression] {
        var tests: [QueryExpression] = []
        for element in elements {
            guard tests.count < Self.longestWrittenOut else {
                throw PredicateTranslationError.needsMemory(
                    construct: construct, reason: "the captured list has more than \(Self.longestWrittenOut) elements")
            }
            tests.append(try binding(variable, to: .constant(PredicateConstant.flattened(element))).test(test))
        }
        return tests
    }

    fileprivate func isMember(
        _ member: PredicateOperand, of list: [Any], as type: any Any.Type, in construct: String
    ) throws -> QueryExpression {
        if list.isEmpty { return .constant(false) }
        if member.isOpaque {
            throw PredicateTranslationError.needsMemory(
                construct: construct, reason: "\(type) is stored as an archive, which only Swift can compare")
        }
        let leaves = try leaves(member, as: type, in: construct)
        let constants = list.map(PredicateConstant.flattened)
        if leaves.count == 1, let leaf = leaves.first {
            let values = constants.compactMap { PredicateConstant.value(of: $0, as: type, like: member.codec) }
            if values.count == constants.count { return .isMember(leaf, of: values) }
        }
        guard list.count <= Self.longestWrittenOut else {
            throw PredicateTranslationError.needsMemory(
                construct: construct, reason: "the captured list has more than \(Self.longestWrittenOut) elements")
        }
        return .any(try constants.map { try equal(member, .constant($0), as: type, in: construct) })
    }
}

extension PredicateTranslationError {
    fileprivate static func notACollection(_ construct: String) -> PredicateTranslationError {
        .needsMemory(construct: construct, reason: "it applies to relationships and captured lists only")
    }
}
