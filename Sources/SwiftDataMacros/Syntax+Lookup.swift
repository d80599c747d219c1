import SwiftSyntax

extension AttributeListSyntax {
    /// The first attribute with that name, with or without a module prefix.
    func attribute(named name: String) -> AttributeSyntax? {
        for case .attribute(let attribute) in self where attribute.name == name { return attribute }
        return nil
    }
}

extension AttributeSyntax {
    /// The last component of the attribute's name.
    var name: String {
        if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
        return attributeName.as(IdentifierTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
    }

    /// The arguments in parentheses; empty if there are none.
    var argumentList: LabeledExprListSyntax {
        if case .argumentList(let list) = arguments { return list }
        return []
    }

    /// Whether an unlabelled argument is `.option`, `Type.option` or a call of either.
    func mentionsOption(_ option: String) -> Bool {
        argumentList.contains { argument in
            guard argument.label == nil else { return false }
            let callee = argument.expression.as(FunctionCallExprSyntax.self)?.calledExpression ?? argument.expression
            return callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text == option
        }
    }

    func argument(labeled label: String) -> ExprSyntax? {
        argumentList.first { $0.label?.text == label }?.expression
    }
}

extension DeclModifierListSyntax {
    func contains(_ keyword: Keyword) -> Bool {
        contains { $0.name.tokenKind == .keyword(keyword) }
    }
}

extension MemberBlockItemListSyntax {
    /// One text for each member for which `render` returns one. Members in `#if` clauses stay in the same clauses.
    func rendered(_ render: (DeclSyntax) -> String?) -> [String] {
        flatMap { item -> [String] in
            guard let condition = item.decl.as(IfConfigDeclSyntax.self) else {
                return render(item.decl).map { [$0] } ?? []
            }
            let clauses = condition.clauses.map { ($0, $0.memberItems?.rendered(render) ?? []) }
            guard clauses.contains(where: { !$0.1.isEmpty }) else { return [] }
            return clauses.flatMap { clause, lines in [clause.head] + lines } + ["#endif"]
        }
    }
}

extension IfConfigClauseSyntax {
    var memberItems: MemberBlockItemListSyntax? {
        if case .decls(let items) = elements { return items }
        return nil
    }

    /// The directive line, such as `#elseif os(Linux)`.
    fileprivate var head: String {
        [poundKeyword.text, condition?.trimmedDescription].compactMap(\.self).joined(separator: " ")
    }
}
