import SwiftSyntax

extension PredicateRewriter {
    func call(_ call: FunctionCallExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        guard let access = call.calledExpression.as(MemberAccessExprSyntax.self) else {
            return unknownCallee(call, in: scope)
        }
        guard let base = access.base else { return caseWithValues(call, in: scope) }
        let form = PredicateCall(call, name: access.declName.baseName.text)
        // A capitalized name may also be a captured value. It is one if a predicate function is called with arguments
        // that depend on the inputs.
        if let type = typeName(base, in: scope), form.function == nil || !scope.isMentioned(in: call) {
            return caseWithValues(call, named: "\(type).\(access.declName.trimmedDescription)", in: scope)
        }
        switch form.function {
        case .contains(let argument): return contains(base, argument, in: scope)
        case .evaluate: return evaluate(base, call, in: scope)
        case .closure(let name, let closure): return overElements(base, name, closure, in: scope)
        case .values(let name, let isTest):
            let arguments = call.arguments.map { argument in
                (argument.label.map { "\($0.text): " } ?? "") + term(argument.expression, in: scope).argument
            }
            let subject = term(base, in: scope).argument
            let text = Build.call(name, ([subject] + arguments).joined(separator: ", "))
            return isTest ? .test(text) : .node(text)
        case nil:
            return unknownFunction(form, base, at: access.declName, in: scope)
        }
    }

    // MARK: Functions

    private func contains(_ base: ExprSyntax, _ argument: ExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        let (all, wanted) = (term(base, in: scope), term(argument, in: scope))
        return .test(Build.call("contains", all.argument, wanted.containedArgument(argument)))
    }

    /// `contains(where:)`, `allSatisfy`, `filter`, `flatMap`
    private func overElements(
        _ base: ExprSyntax, _ name: String, _ closure: ExprSyntax?, in scope: PredicateScope
    ) -> PredicateTerm {
        let subject = term(base, in: scope).argument
        guard let closure = closure?.withoutParentheses.as(ClosureExprSyntax.self) else {
            return refuse(.closureLiteral, at: closure ?? base)
        }
        let block = self.closure(closure, parameters: 1, in: scope)
        switch name {
        case "contains": return .test(Build.call(name, subject, "where: \(block)"))
        case "allSatisfy": return .test(Build.call(name, subject, block))
        case "flatMap": return .chain(Build.call(name, subject, block))
        default: return .node(Build.call(name, subject, block))
        }
    }

    /// Evaluates a captured predicate or expression.
    private func evaluate(
        _ base: ExprSyntax, _ call: FunctionCallExprSyntax, in scope: PredicateScope
    ) -> PredicateTerm {
        guard !scope.isMentioned(in: base) else { return refuse(.dependentEvaluate, at: base) }
        let arguments = call.arguments.map { term($0.expression, in: scope).argument }
        let tree = Build.captured(base.trimmedDescription)
        return .node(Build.call("evaluate", ([tree] + arguments).joined(separator: ", ")))
    }

    // MARK: Other calls

    /// An enum case with associated values: `.tagged("x")` or `Kind.tagged("x")`.
    private func caseWithValues(
        _ call: FunctionCallExprSyntax, named name: String? = nil, in scope: PredicateScope
    ) -> PredicateTerm {
        guard call.trailingClosure == nil, !scope.isMentioned(in: call.arguments) else {
            return refuse(.dependentCase, at: call)
        }
        let callee = name ?? call.calledExpression.trimmedDescription
        return .capturedMember("\(callee)(\(call.arguments.trimmedDescription))")
    }

    private func typeName(_ base: ExprSyntax, in scope: PredicateScope) -> String? {
        guard
            base.is(DeclReferenceExprSyntax.self) || base.is(MemberAccessExprSyntax.self)
                || base.is(GenericSpecializationExprSyntax.self)
        else { return nil }
        guard !scope.isMentioned(in: base), base.chainLink == nil, base.isPath else { return nil }
        guard case .type(let name) = term(base, in: scope) else { return nil }
        return name
    }

    private func unknownCallee(_ call: FunctionCallExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        let callee = call.calledExpression.trimmedDescription
        if call.calledExpression.is(ClosureExprSyntax.self) { return refuse(.calledClosure, at: call) }
        return refuse(
            scope.isMentioned(in: call) ? .function(callee) : .capturedCall(callee), at: call.calledExpression)
    }

    private func unknownFunction(
        _ form: PredicateCall, _ base: ExprSyntax, at name: DeclReferenceExprSyntax, in scope: PredicateScope
    ) -> PredicateTerm {
        if scope.isMentioned(in: form.call) { return refuse(.function(form.name), at: name) }
        return refuse(.capturedCall("\(base.trimmedDescription).\(form.name)"), at: name)
    }
}

extension PredicateTerm {
    /// The argument may be a regular expression unless it is a literal of another kind.
    fileprivate func containedArgument(_ source: ExprSyntax) -> String {
        switch source.withoutParentheses.kind {
        case .stringLiteralExpr, .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .arrayExpr: argument
        default: overloadedArgument
        }
    }
}

extension ExprSyntax {
    /// Whether the expression is names separated by dots.
    fileprivate var isPath: Bool {
        guard let access = self.as(MemberAccessExprSyntax.self) else { return true }
        return access.base?.isPath ?? false
    }
}
