import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Delete rules of relationships whose both ends one class shows, because the inverse is in the class itself. For all
/// others the other class would have to be seen; they are judged when a container is made. (A relationship cannot name
/// itself as its inverse: the compiler calls that circular.)
///
/// Nothing is guessed: a rule that is not written out plainly leaves the relationship alone, as does what `RelationshipEnds`
/// does not see. A comment above either end silences a warning, see `ModelProperty.silencedCodes`.
struct DeleteRuleChecks {
    /// The rules that the check tells apart.
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

    /// Whether the property is written as this class itself, neither optional nor a collection.
    private func isMandatoryModel(_ end: RelationshipEnd) -> Bool {
        end.property.annotatedType?.as(IdentifierTypeSyntax.self).map(ends.isThisClass) ?? false
    }

    /// Whether a model goes with the only one it belongs to. Unless a collection is written, it might.
    private func isPart(_ end: RelationshipEnd, rule: Rule) -> Bool {
        rule == .cascade && !end.isWrittenCollection
    }

    /// The owner's end is the one with the collection, so the rule to change is the other's.
    private func fixIts(for problem: ModelDiagnostic, _ end: RelationshipEnd, _ other: RelationshipEnd) -> [FixIt] {
        guard case .bothWays = problem, end.isWrittenCollection != other.isWrittenCollection else { return [] }
        let single = end.isWrittenCollection ? other : end
        guard isWrittenModel(single), let rule = single.writtenRule else { return [] }
        return [.usingNullify(insteadOf: rule)]
    }

    /// As `isMandatoryModel`, or optional.
    private func isWrittenModel(_ end: RelationshipEnd) -> Bool {
        let type = end.property.annotatedType
        let wrapped = type?.as(OptionalTypeSyntax.self)?.wrappedType ?? type
        return wrapped?.as(IdentifierTypeSyntax.self).map(ends.isThisClass) ?? false
    }
}

extension RelationshipEnd {
    /// `nil` when an expression gives it.
    fileprivate var rule: DeleteRuleChecks.Rule? {
        guard annotation?.argument(labeled: "deleteRule") != nil else { return .nullify }
        return writtenRule.flatMap { DeleteRuleChecks.Rule(rawValue: $0.declName.baseName.text) }
    }

    fileprivate var writtenRule: MemberAccessExprSyntax? {
        annotation?.argument(labeled: "deleteRule")?.as(MemberAccessExprSyntax.self)
    }
}
