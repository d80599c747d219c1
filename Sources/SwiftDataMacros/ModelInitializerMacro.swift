import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@_ModelInitializer`: a designated initializer tells the engine at its end which object the storage belongs to.
enum ModelInitializerMacro: BodyMacro {
    static let formatMode: FormatMode = .disabled

    static func expansion(
        of node: AttributeSyntax,
        providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
        in context: some MacroExpansionContext
    ) throws -> [CodeBlockItemSyntax] {
        guard let body = declaration.body else { return [] }
        let statements = AdoptingReturns().rewrite(body.statements)
        guard let statements = statements.as(CodeBlockItemListSyntax.self) else { return Array(body.statements) }
        var result = Array(statements)
        if let first = body.statements.first, let location = context.location(of: first, at: .beforeLeadingTrivia, filePathMode: .filePath) {
            result.insert("\n#sourceLocation(file: \(location.file), line: \(location.line))", at: 0)
        }
        if statements.last?.item.is(ReturnStmtSyntax.self) == true { return result }
        return result + ["\n#sourceLocation()", "\n_$storage.adopt(self)"]
    }
}

/// Puts the adoption in front of every `return` that ends the initializer well; `return nil` makes no object.
private final class AdoptingReturns: SyntaxRewriter {
    override func visit(_ node: CodeBlockItemListSyntax) -> CodeBlockItemListSyntax {
        let items = super.visit(node).flatMap { item -> [CodeBlockItemSyntax] in
            guard let end = item.item.as(ReturnStmtSyntax.self), end.expression == nil else { return [item] }
            let adoption: CodeBlockItemSyntax = "_$storage.adopt(self)"
            return [
                adoption.with(\.leadingTrivia, item.leadingTrivia).with(\.trailingTrivia, .newline),
                item.with(\.leadingTrivia, []),
            ]
        }
        return CodeBlockItemListSyntax(items)
    }

    override func visit(_ node: ClosureExprSyntax) -> ExprSyntax { ExprSyntax(node) }
    override func visit(_ node: FunctionDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
    override func visit(_ node: VariableDeclSyntax) -> DeclSyntax {
        node.bindings.contains { $0.accessorBlock != nil } ? DeclSyntax(node) : super.visit(node)
    }
    override func visit(_ node: ClassDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
    override func visit(_ node: StructDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
    override func visit(_ node: EnumDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
    override func visit(_ node: ActorDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
}
