import SwiftDiagnostics
import SwiftSyntax

/// Translates the closure of a predicate into calls that build its tree.
///
/// Extensions handle the syntax forms; this file dispatches to them. Unsupported code is recorded as a diagnostic and
/// the rest is still translated, so that one compilation reports all problems.
final class PredicateRewriter {
    private(set) var problems: [Diagnostic] = []
    private var numbers: [String: Int] = [:]

    /// A name that cannot occur in the source.
    func newName(_ kind: String) -> String {
        let number = numbers[kind, default: 0] + 1
        numbers[kind] = number
        return "_$\(kind)\(number)"
    }

    /// Records a diagnostic for unsupported code.
    func refuse(_ problem: PredicateDiagnostic, at node: some SyntaxProtocol) -> PredicateTerm {
        problems.append(Diagnostic(node: node, message: problem))
        return .placeholder
    }

    func term(_ expression: ExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        // As in Foundation, a `!` at the end applies to the whole chain's value.
        let isForced = expression.is(ForceUnwrapExprSyntax.self)
        if !isForced, let link = expression.chainLink, scope.variable(after: link) == nil {
            return chain(expression, after: link, in: scope)
        }
        switch expression.as(ExprSyntaxEnum.self) {
        case .tupleExpr(let tuple): return parentheses(tuple, in: scope)
        case .declReferenceExpr(let reference): return self.reference(reference, in: scope)
        case .optionalChainingExpr(let link): return unwrapped(link, in: scope)
        case .memberAccessExpr(let access): return member(access, in: scope)
        case .forceUnwrapExpr(let unwrap): return forced(unwrap, in: scope)
        case .functionCallExpr(let call): return self.call(call, in: scope)
        case .subscriptCallExpr(let call): return self.subscript(call, in: scope)
        case .infixOperatorExpr(let infix): return self.infix(infix, in: scope)
        case .prefixOperatorExpr(let prefix): return self.prefix(prefix, in: scope)
        case .postfixOperatorExpr(let postfix): return refuse(.operation(postfix.operator.text), at: postfix.operator)
        case .sequenceExpr(let sequence): return unfolded(sequence)
        case .ternaryExpr(let ternary): return self.ternary(ternary, in: scope)
        case .ifExpr(let branches): return condition(branches, in: scope)
        case .isExpr(let check): return typeCheck(check, in: scope)
        case .asExpr(let cast): return self.cast(cast, in: scope)
        default: return literal(expression, in: scope) ?? refuse(.syntax(expression), at: expression)
        }
    }

    /// Puts a term into a statement of its own, with all its type information, where the context does not determine its
    /// type.
    func separate(_ term: PredicateTerm, in scope: PredicateScope) -> PredicateTerm {
        switch term {
        case .captured, .capturedMember, .type, .nilLiteral, .variable: return term
        case .node(let text), .chain(let text), .test(let text):
            let name = newName("part")
            scope.add("let \(name) = \(text)")
            return .variable(name)
        }
    }

    private func parentheses(_ tuple: TupleExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        guard tuple.elements.count == 1, let element = tuple.elements.first, element.label == nil else {
            return refuse(.tuple, at: tuple)
        }
        return term(element.expression, in: scope)
    }
}

extension ExprSyntax {
    var withoutParentheses: ExprSyntax {
        guard let tuple = self.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first,
            only.label == nil
        else { return self }
        return only.expression.withoutParentheses
    }
}
