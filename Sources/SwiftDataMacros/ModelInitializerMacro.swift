import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@_ModelInitializer`: adds code to the end of a designated initializer that gives the engine the object to which the
/// storage belongs.
enum ModelInitializerMacro: BodyMacro {
    /// Lines are mapped to the author's file, so formatting must not move code between lines.
    static let formatMode: FormatMode = .disabled

    static func expansion(
        of node: AttributeSyntax,
        providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
        in context: some MacroExpansionContext
    ) throws -> [CodeBlockItemSyntax] {
        guard let written = declaration.body?.statements else { return [] }
        let adopting = AdoptingReturns()
        let statements = written.map { adopting.rewrite($0).as(CodeBlockItemSyntax.self) ?? $0 }
        let last = written.alwaysLeave ? [] : ["_$storage.borrowed.adopt(self)"]
        let text = written.mapped(to: context, emitting: statements) + last
        return text.map { "\n\(raw: $0)" }
    }
}

extension CodeBlockItemListSyntax {
    /// Whether control never reaches the end, judging by syntax. Code inserted after such statements would cause a
    /// warning.
    fileprivate var alwaysLeave: Bool {
        guard let last = last?.item else { return false }
        if last.is(ReturnStmtSyntax.self) || last.is(ThrowStmtSyntax.self) { return true }
        let expression = last.as(ExpressionStmtSyntax.self)?.expression ?? last.as(ExprSyntax.self)
        if let condition = expression?.as(IfExprSyntax.self) { return condition.alwaysLeaves }
        if let call = expression?.as(FunctionCallExprSyntax.self) {
            return ["fatalError", "preconditionFailure"].contains(call.calledExpression.trimmedDescription)
        }
        guard let choice = expression?.as(SwitchExprSyntax.self) else { return false }
        return choice.cases.allSatisfy { $0.as(SwitchCaseSyntax.self)?.statements.alwaysLeave == true }
    }
}

extension IfExprSyntax {
    fileprivate var alwaysLeaves: Bool {
        switch elseBody {
        case .codeBlock(let block): body.statements.alwaysLeave && block.statements.alwaysLeave
        case .ifExpr(let next): body.statements.alwaysLeave && next.alwaysLeaves
        case nil: false
        }
    }
}

/// Inserts the adoption before every `return` that completes the initializer, but not before `return nil`.
private final class AdoptingReturns: SyntaxRewriter {
    override func visit(_ node: CodeBlockItemSyntax) -> CodeBlockItemSyntax {
        guard let end = node.item.as(ReturnStmtSyntax.self), end.expression == nil else { return super.visit(node) }
        let adopting: CodeBlockItemSyntax = "_$storage.borrowed.adopt(self); return"
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
