import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Checks delete rules of relationships whose both ends are in one class, as the inverse belongs to the class itself.
/// Other relationships would need the other class; they are checked when a container is created. (A relationship cannot
/// name itself as its inverse: the compiler reports a circular reference.)
///
/// The checks do not guess: they skip a relationship whose rule is not a literal member, or that `RelationshipEnds`
/// skips. A comment above either end silences a warning, see `ModelProperty.silencedCodes`.
struct DeleteRuleChecks {
    /// The rules that the checks distinguish.
    enum Rule: String {
        case nullify, cascade, deny, noAction
    }

    let ends: RelationshipEnds

    func report(in context: some MacroExpansionContext) {
        for end in ends.all {
            guard let name = ends.inverseName(of: end), name != end.name, let other = ends.end(named: name),
                let annotation = end.annotation, let problem = problem(end, other),
                !(end.property.silencedCodes + other.property.silencedCodes).contains(problem.code)
            else { continue }
            context.diagnose(problem, at: annotation, fixIts: fixIts(for: problem, end, other))
        }
    }

    private func problem(_ end: RelationshipEnd, _ other: RelationshipEnd) -> ModelDiagnostic? {
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

    /// Whether the property's type is this class, neither optional nor a collection.
    private func isMandatoryModel(_ end: RelationshipEnd) -> Bool {
        end.property.annotatedType?.as(IdentifierTypeSyntax.self).map(ends.isThisClass) ?? false
    }

    /// Whether a model may be deleted with its only owner. Only a type written as a collection excludes it.
    private func isPart(_ end: RelationshipEnd, rule: Rule) -> Bool {
        rule == .cascade && !end.isWrittenCollection
    }

    /// The end with the collection is the owner's, so the fix-it changes the rule of the other end.
    private func fixIts(for problem: ModelDiagnostic, _ end: RelationshipEnd, _ other: RelationshipEnd) -> [FixIt] {
        guard case .bothWays = problem, end.isWrittenCollection != other.isWrittenCollection else { return [] }
        let single = end.isWrittenCollection ? other : end
        guard isWrittenModel(single), let rule = single.writtenRule else { return [] }
        return [.usingNullify(insteadOf: rule)]
    }

    /// Like `isMandatoryModel`, but the type may be optional.
    private func isWrittenModel(_ end: RelationshipEnd) -> Bool {
        let type = end.property.annotatedType
        let wrapped = type?.as(OptionalTypeSyntax.self)?.wrappedType ?? type
        return wrapped?.as(IdentifierTypeSyntax.self).map(ends.isThisClass) ?? false
    }
}

extension RelationshipEnd {
    /// `nil` if the rule is given by an expression.
    fileprivate var rule: DeleteRuleChecks.Rule? {
        guard annotation?.argument(labeled: "deleteRule") != nil else { return .nullify }
        return writtenRule.flatMap { DeleteRuleChecks.Rule(rawValue: $0.declName.baseName.text) }
    }

    fileprivate var writtenRule: MemberAccessExprSyntax? {
        annotation?.argument(labeled: "deleteRule")?.as(MemberAccessExprSyntax.self)
    }
}
