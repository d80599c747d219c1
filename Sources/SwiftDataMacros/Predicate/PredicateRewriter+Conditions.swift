import SwiftSyntax

// `if`/`else` and the ternary operator.
extension PredicateRewriter {
    func ternary(_ ternary: TernaryExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        let test = separate(term(ternary.condition, in: scope), in: scope)
        let then = branch(term(ternary.thenExpression, in: scope), in: scope)
        return choice(test, then, branch(term(ternary.elseExpression, in: scope), in: scope))
    }

    func condition(_ branches: IfExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        guard let otherwise = branches.elseBody else { return refuse(.missingElse, at: branches.ifKeyword) }
        let bindings = branches.conditions.compactMap { $0.condition.as(OptionalBindingConditionSyntax.self) }
        let tests = branches.conditions.compactMap { $0.condition.as(ExprSyntax.self) }
        if bindings.count == branches.conditions.count {
            let found = unwrapping(bindings[...], branches.body, in: scope)
            let result = alternative(otherwise, in: scope)
            return .node(Build.call("NilCoalesce", "lhs: \(found.argument)", "rhs: \(result.argument)"))
        }
        guard tests.count == branches.conditions.count else { return mixed(branches) }
        let test = conjunction(tests, in: scope)
        let then = branch(body(branches.body.statements, in: scope), in: scope)
        return choice(test, then, branch(alternative(otherwise, in: scope), in: scope))
    }

    private func choice(_ test: PredicateTerm, _ then: PredicateTerm, _ otherwise: PredicateTerm) -> PredicateTerm {
        .node(Build.call("Conditional", test.argument, then.argument, otherwise.argument))
    }

    /// A literal in one branch takes its type from the other branch; a Boolean test needs no type.
    private func branch(_ term: PredicateTerm, in scope: PredicateScope) -> PredicateTerm {
        if case .test = term { separate(term, in: scope) } else { term }
    }

    private func alternative(_ otherwise: IfExprSyntax.ElseBody, in scope: PredicateScope) -> PredicateTerm {
        if case .ifExpr(let next) = otherwise { return condition(next, in: scope) }
        return otherwise.as(CodeBlockSyntax.self).map { body($0.statements, in: scope) } ?? .placeholder
    }

    private func conjunction(_ tests: [ExprSyntax], in scope: PredicateScope) -> PredicateTerm {
        let parts = tests.map { separate(term($0, in: scope), in: scope) }
        return parts.dropFirst().reduce(parts.first ?? .placeholder) { all, next in
            separate(.test(Build.call("Conjunction", "lhs: \(all.argument)", "rhs: \(next.argument)")), in: scope)
        }
    }

    /// `if let`: each further binding is nested in the closure of the previous one.
    private func unwrapping(
        _ bindings: ArraySlice<OptionalBindingConditionSyntax>, _ statements: CodeBlockSyntax,
        in scope: PredicateScope
    ) -> PredicateTerm {
        guard let binding = bindings.first else { return body(statements.statements, in: scope) }
        guard binding.bindingSpecifier.tokenKind == .keyword(.let), binding.typeAnnotation == nil,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
        else { return refuse(.binding, at: binding) }
        let subject = binding.initializer?.value ?? ExprSyntax(DeclReferenceExprSyntax(baseName: .identifier(name)))
        let wrapped = term(subject, in: scope)
        let inner = scope.inner([(name, name)])
        let result = unwrapping(bindings.dropFirst(), statements, in: inner)
        return .chain(Build.call("flatMap", wrapped.argument, block(name, giving: result, in: inner)))
    }

    private func mixed(_ branches: IfExprSyntax) -> PredicateTerm {
        let others = branches.conditions.filter {
            !$0.condition.is(OptionalBindingConditionSyntax.self) && !$0.condition.is(ExprSyntax.self)
        }
        guard let other = others.first else { return refuse(.mixedConditions, at: branches.conditions) }
        return refuse(.pattern, at: other)
    }
}
