import SwiftSyntax

// `is`, `as?`, `as!` and `as`.
extension PredicateRewriter {
    func typeCheck(_ check: IsExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        let subject = term(check.expression, in: scope).argument
        return .test(Build.cast("TypeCheck", to: check.type.trimmedDescription, subject))
    }

    func cast(_ cast: AsExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        let type = cast.type.trimmedDescription
        let subject = term(cast.expression, in: scope)
        if cast.questionOrExclamationMark?.tokenKind == .postfixQuestionMark {
            return .node(Build.cast("ConditionalCast", to: type, subject.argument))
        }
        if cast.questionOrExclamationMark == nil, let value = typed(subject, cast) { return value }
        return .node(Build.cast("ForceCast", to: type, subject.argument))
    }

    /// `as` gives a literal or an implicit member the written type.
    private func typed(_ subject: PredicateTerm, _ cast: AsExprSyntax) -> PredicateTerm? {
        switch subject {
        case .capturedMember(let text): return .capturedMember("(\(text) as \(cast.type.trimmedDescription))")
        case .captured(let text) where !cast.expression.withoutParentheses.is(DeclReferenceExprSyntax.self):
            return .captured("\(text) as \(cast.type.trimmedDescription)")
        case .nilLiteral: return .captured("nil as \(cast.type.trimmedDescription)")
        default: return nil
        }
    }
}
