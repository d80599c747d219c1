import SwiftSyntax

// Closures, and the single statement that each may contain.
extension PredicateRewriter {
    /// - Parameter parameters: the number of parameters of a closure that does not name them.
    func closure(_ closure: ClosureExprSyntax, parameters: Int, in scope: PredicateScope) -> String {
        let signature = closure.signature
        if let captures = signature?.capture { _ = refuse(.captureList, at: captures) }
        let names = self.parameters(of: signature, count: parameters)
        let inner = scope.inner(names.filter { $0.source != "_" })
        return block(
            names.map(\.emitted).joined(separator: ", "), giving: body(closure.statements, in: inner), in: inner)
    }

    /// The source of a closure, including the statements collected in its scope.
    func block(_ parameters: String, giving result: PredicateTerm, in scope: PredicateScope) -> String {
        guard !scope.statements.isEmpty else { return "{ \(parameters) in \(result.argument) }" }
        let indentation = String(repeating: "    ", count: scope.depth)
        let lines = (scope.statements + ["return \(result.argument)"]).map { indentation + $0 }
        return (["{ \(parameters) in"] + lines + [indentation.dropLast(4) + "}"]).joined(separator: "\n")
    }

    /// The result of a closure or a branch.
    func body(_ statements: CodeBlockItemListSyntax, in scope: PredicateScope) -> PredicateTerm {
        guard let only = statements.first else { return refuse(.emptyBody, at: statements) }
        if let second = statements.dropFirst().first { return refuse(.severalStatements, at: second) }
        guard let expression = only.item.result else { return refuse(.statement, at: only) }
        return term(expression, in: scope)
    }

    private func parameters(
        of signature: ClosureSignatureSyntax?, count: Int
    ) -> [(source: String, emitted: String)] {
        guard let clause = signature?.parameterClause else {
            return (0..<count).map { ("$\($0)", newName("input")) }
        }
        if case .simpleInput(let names) = clause { return names.map { named($0.name) } }
        return clause.as(ClosureParameterClauseSyntax.self)?.parameters.map { named($0.secondName ?? $0.firstName) }
            ?? []
    }

    private func named(_ name: TokenSyntax) -> (source: String, emitted: String) { (name.text, name.text) }
}

extension CodeBlockItemSyntax.Item {
    /// The expression that is the statement, or that it returns.
    fileprivate var result: ExprSyntax? {
        if let expression = self.as(ExprSyntax.self) { return expression }
        return self.as(ReturnStmtSyntax.self)?.expression ?? self.as(ExpressionStmtSyntax.self)?.expression
    }
}
