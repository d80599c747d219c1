import SwiftDiagnostics
import SwiftSyntax

/// Turns the closure of a predicate into the calls that build its tree.
///
/// Each form of syntax has a function in an extension of its own; this file has the way to them. What cannot be said is
/// noted, and the rest is looked at all the same, so that one compilation names everything.
final class PredicateRewriter {
    private(set) var problems: [Diagnostic] = []
    private var numbers: [String: Int] = [:]

    /// A name that the source cannot have.
    func newName(_ kind: String) -> String {
        let number = numbers[kind, default: 0] + 1
        numbers[kind] = number
        return "_$\(kind)\(number)"
    }

    /// Notes what cannot be said.
    func refuse(_ problem: PredicateDiagnostic, at node: some SyntaxProtocol) -> PredicateTerm {
        problems.append(Diagnostic(node: node, message: problem))
        return .placeholder
    }

    func term(_ expression: ExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        // A `!` at the end forces the chain's value, as Foundation has it.
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

    /// In a place where the types around do not tell the part's own: with all it needs, in a statement of its own.
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
