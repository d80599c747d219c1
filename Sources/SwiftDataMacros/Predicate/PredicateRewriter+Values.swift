import SwiftSyntax

// Expressions that do not depend on the inputs: literals, captured names, members of types.
extension PredicateRewriter {
    /// `nil` if the expression is no literal.
    func literal(_ expression: ExprSyntax, in scope: PredicateScope) -> PredicateTerm? {
        switch expression.kind {
        case .nilLiteralExpr:
            return .nilLiteral
        case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .regexLiteralExpr:
            return .captured(expression.trimmedDescription)
        case .stringLiteralExpr, .arrayExpr, .dictionaryExpr:
            return wholeValue(expression, in: scope)
        case .genericSpecializationExpr, .typeExpr:
            return .type(expression.trimmedDescription)
        default:
            return nil
        }
    }

    /// Captures the whole expression as a value.
    func wholeValue(_ expression: some ExprSyntaxProtocol, in scope: PredicateScope) -> PredicateTerm {
        guard !scope.isMentioned(in: expression) else {
            return refuse(.dependentLiteral(ExprSyntax(expression)), at: expression)
        }
        return .captured(expression.trimmedDescription)
    }

    func reference(_ reference: DeclReferenceExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        let name = reference.baseName.text
        if let variable = scope.variable(named: name) { return .variable(variable) }
        if reference.argumentNames != nil { return refuse(.functionReference, at: reference) }
        if reference.baseName.tokenKind == .keyword(.super) {
            return refuse(.syntax(ExprSyntax(reference)), at: reference)
        }
        return reference.baseName.namesType ? .type(name) : .captured(name)
    }
}

extension TokenSyntax {
    /// Whether the name is that of a type, judging by its capital letter.
    fileprivate var namesType: Bool {
        let name = text.first == "`" ? text.dropFirst() : text[...]
        return name.first { $0 != "_" }?.isUppercase ?? false
    }
}
