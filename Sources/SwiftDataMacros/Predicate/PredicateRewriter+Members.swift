import SwiftSyntax

// Members, optional chains, `!` and subscripts.
extension PredicateRewriter {
    func member(_ access: MemberAccessExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        if access.declName.argumentNames != nil { return refuse(.functionReference, at: access.declName) }
        let name = access.declName.trimmedDescription
        guard let base = access.base else { return .capturedMember(".\(name)") }
        switch term(base, in: scope) {
        case .type(let type):
            return access.namesType ? .type("\(type).\(name)") : .capturedMember("\(type).\(name)")
        case .capturedMember(let value):
            return .capturedMember("\(value).\(name)")
        case let root:
            return .node(Build.call("KeyPath", "root: \(root.argument)", "keyPath: \\.\(name)"))
        }
    }

    /// The value unwrapped by `?`, in the closure that receives it.
    func unwrapped(_ link: OptionalChainingExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        scope.variable(after: link).map(PredicateTerm.variable) ?? term(link.expression, in: scope)
    }

    /// `a?.b.c` becomes `a` and a closure that returns `b.c` of its value.
    func chain(
        _ expression: ExprSyntax, after link: OptionalChainingExprSyntax, in scope: PredicateScope
    ) -> PredicateTerm {
        var wrapped = term(link.expression, in: scope)
        // Each function of a chain has two overloads, whose combinations would multiply.
        if case .chain = wrapped { wrapped = separate(wrapped, in: scope) }
        let name = newName("value")
        let inner = scope.inner(after: link, emitted: name)
        let rest = term(expression, in: inner)
        return .chain(Build.call("flatMap", wrapped.argument, block(name, giving: rest, in: inner)))
    }

    func forced(_ unwrap: ForceUnwrapExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        .node(Build.call("ForcedUnwrap", term(unwrap.expression, in: scope).argument))
    }

    func `subscript`(_ call: SubscriptCallExprSyntax, in scope: PredicateScope) -> PredicateTerm {
        let labels = call.arguments.map { $0.label?.text }
        guard call.trailingClosure == nil, labels == [nil] || labels == [nil, "default"] else {
            return refuse(.subscripting, at: call)
        }
        let root = term(call.calledExpression, in: scope).argument
        let arguments = call.arguments.map { argument in
            let value = term(argument.expression, in: scope).argument
            return argument.label == nil ? value : "default: \(value)"
        }
        return .node(Build.call("subscript", ([root] + arguments).joined(separator: ", ")))
    }
}

extension MemberAccessExprSyntax {
    /// Whether the member names a type within a type, or within a module.
    fileprivate var namesType: Bool {
        let name = declName.baseName
        return name.tokenKind != .keyword(.self) && (name.text.first?.isUppercase ?? false)
    }
}

extension ExprSyntax {
    /// The last `?` in a chain of members, calls, subscripts and `!`.
    var chainLink: OptionalChainingExprSyntax? {
        var base = chainBase
        while let next = base {
            if let link = next.as(OptionalChainingExprSyntax.self) { return link }
            base = next.chainBase
        }
        return nil
    }

    private var chainBase: ExprSyntax? {
        switch self.as(ExprSyntaxEnum.self) {
        case .memberAccessExpr(let access): access.base
        case .functionCallExpr(let call): call.calledExpression
        case .subscriptCallExpr(let call): call.calledExpression
        case .forceUnwrapExpr(let unwrap): unwrap.expression
        default: nil
        }
    }
}
