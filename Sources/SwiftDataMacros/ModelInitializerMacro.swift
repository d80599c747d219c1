import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@_ModelInitializer`: a designated initializer tells the engine at its end which object the storage belongs to.
enum ModelInitializerMacro: BodyMacro {
    /// Lines are mapped to the author's file, so nothing may be moved between them.
    static let formatMode: FormatMode = .disabled

    static func expansion(
        of node: AttributeSyntax,
        providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
        in context: some MacroExpansionContext
    ) throws -> [CodeBlockItemSyntax] {
        guard let written = declaration.body?.statements else { return [] }
        let adopting = AdoptingReturns()
        let statements = written.map { adopting.rewrite($0).as(CodeBlockItemSyntax.self) ?? $0 }
        let endsInReturn = written.last?.item.is(ReturnStmtSyntax.self) == true
        let last = endsInReturn ? [] : ["_$storage = _$storage.adopted(by: self)"]
        let text = written.mapped(to: context, emitting: statements) + last
        return text.map { "\n\(raw: $0)" }
    }
}

/// Puts the adoption in front of every `return` that ends the initializer well; `return nil` makes no object.
private final class AdoptingReturns: SyntaxRewriter {
    override func visit(_ node: CodeBlockItemSyntax) -> CodeBlockItemSyntax {
        guard let end = node.item.as(ReturnStmtSyntax.self), end.expression == nil else { return super.visit(node) }
        let adopting: CodeBlockItemSyntax = "_$storage = _$storage.adopted(by: self); return"
        return adopting.with(\.leadingTrivia, node.leadingTrivia).with(\.trailingTrivia, node.trailingTrivia)
    }

    override func visit(_ node: ClosureExprSyntax) -> ExprSyntax { ExprSyntax(node) }
    override func visit(_ node: AccessorBlockSyntax) -> AccessorBlockSyntax { node }
    override func visit(_ node: FunctionDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
    override func visit(_ node: ClassDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
    override func visit(_ node: StructDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
    override func visit(_ node: EnumDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
    override func visit(_ node: ActorDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
}
