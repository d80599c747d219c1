import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Delete rules of relationships whose both ends one class shows, because the inverse is in the class itself. For all
/// others the other class would have to be seen; they are judged when a container is made. (A relationship cannot name
/// itself as its inverse: the compiler calls that circular.)
///
/// Nothing is guessed: a rule or an inverse that is not written out plainly, or an end that other builds may not have,
/// leaves the relationship alone. A comment above either end silences a warning, see `ModelProperty.silencedCodes`.
struct DeleteRuleChecks {
    /// The rules that the check tells apart.
    enum Rule: String {
        case nullify, cascade, deny, noAction
    }

    let model: ModelClass

    func report(in context: some MacroExpansionContext) {
        let candidates = model.certainMembers.compactMap { ModelProperty($0) }.filter { $0.kind == .persisted }
        let ends = Dictionary(grouping: candidates.map(End.init), by: \.property.name)
        for property in candidates {
            guard let end = only(ends[property.name]), let name = inverseName(of: end), name != property.name,
                let other = only(ends[name]),
                let annotation = end.annotation, let problem = problem(end, other),
                !(end.property.silencedCodes + other.property.silencedCodes).contains(problem.code)
            else { continue }
            context.diagnose(problem, at: annotation, fixIts: fixIts(for: problem, end, other))
        }
    }

    private func only(_ ends: [End]?) -> End? {
        ends?.count == 1 ? ends?.first : nil
    }

    /// The property that `inverse: \ThisClass.property` names.
    private func inverseName(of end: End) -> String? {
        guard let keyPath = end.annotation?.argument(labeled: "inverse")?.as(KeyPathExprSyntax.self),
            let root = keyPath.root?.as(IdentifierTypeSyntax.self), isThisClass(root),
            keyPath.components.count == 1,
            let component = keyPath.components.first?.component.as(KeyPathPropertyComponentSyntax.self)
        else { return nil }
        let name = component.declName.baseName
        return name.identifier?.name ?? name.text
    }

    private func isThisClass(_ type: IdentifierTypeSyntax) -> Bool {
        type.name.text == model.name && type.genericArgumentClause == nil && !hasNestedType(named: model.name)
    }

    private func hasNestedType(named name: String) -> Bool {
        model.possibleMembers.map(\.declaration).contains {
            $0.asProtocol((any NamedDeclSyntax).self)?.name.text == name && !$0.is(FunctionDeclSyntax.self)
        }
    }

    private func problem(_ end: End, _ other: End) -> ModelDiagnostic? {
        guard let rule = end.rule, let otherRule = other.rule else { return nil }
        let (name, inverse) = (end.property.name, other.property.name)
        switch (rule, otherRule) {
        case (.cascade, .cascade), (.deny, .deny): return .bothWays(rule, name, inverse: inverse)
        case (.nullify, _) where isMandatoryModel(other) && !isPart(end, rule: otherRule):
            return .nullifyMandatory(name, inverse: inverse)
        case (_, .nullify) where isMandatoryModel(end) && !isPart(other, rule: rule):
            return .nullifyMandatory(inverse, inverse: name)
        default: return nil
        }
    }

    /// Whether the property is written as this class itself, neither optional nor a collection.
    private func isMandatoryModel(_ end: End) -> Bool {
        end.property.annotatedType?.as(IdentifierTypeSyntax.self).map(isThisClass) ?? false
    }

    /// Whether a model goes with the only one it belongs to. Unless a collection is written, it might.
    private func isPart(_ end: End, rule: Rule) -> Bool {
        rule == .cascade && !end.isWrittenCollection
    }

    /// The owner's end is the one with the collection, so the rule to change is the other's.
    private func fixIts(for problem: ModelDiagnostic, _ end: End, _ other: End) -> [FixIt] {
        guard case .bothWays = problem, end.isWrittenCollection != other.isWrittenCollection else { return [] }
        let single = end.isWrittenCollection ? other : end
        guard isWrittenModel(single), let rule = single.writtenRule else { return [] }
        return [.usingNullify(insteadOf: rule)]
    }

    /// As `isMandatoryModel`, or optional.
    private func isWrittenModel(_ end: End) -> Bool {
        let type = end.property.annotatedType
        let wrapped = type?.as(OptionalTypeSyntax.self)?.wrappedType ?? type
        return wrapped?.as(IdentifierTypeSyntax.self).map(isThisClass) ?? false
    }
}

/// One end of a relationship, as it is written.
private struct End {
    let property: ModelProperty
    let annotation: AttributeSyntax?

    init(_ property: ModelProperty) {
        self.property = property
        annotation = property.declaration.attributes.attribute(named: "Relationship")
    }

    /// `nil` when an expression gives it.
    var rule: DeleteRuleChecks.Rule? {
        guard annotation?.argument(labeled: "deleteRule") != nil else { return .nullify }
        return writtenRule.flatMap { DeleteRuleChecks.Rule(rawValue: $0.declName.baseName.text) }
    }

    var writtenRule: MemberAccessExprSyntax? {
        annotation?.argument(labeled: "deleteRule")?.as(MemberAccessExprSyntax.self)
    }

    var isWrittenCollection: Bool {
        guard let type = property.annotatedType else { return false }
        return (type.as(OptionalTypeSyntax.self)?.wrappedType ?? type).is(ArrayTypeSyntax.self)
    }
}
