import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `#Predicate` for inputs that are models.
enum ModelPredicateMacro: ExpressionMacro {
    /// The expansion is generated with its layout; formatting would change the lines of multi-line strings.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        try PredicateTree(of: node).construction(of: "Foundation.Predicate")
    }
}

/// `#Expression` for inputs that are models.
enum ModelExpressionMacro: ExpressionMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        try PredicateTree(of: node).construction(of: "Foundation.Expression")
    }
}

/// One use of the macros: a closure, and the types in the source.
private struct PredicateTree {
    private let types: String
    private let closure: ClosureExprSyntax

    init(of node: some FreestandingMacroExpansionSyntax) throws {
        types = node.genericArgumentClause?.trimmedDescription ?? ""
        guard
            let closure = node.trailingClosure
                ?? node.arguments.first?.expression.withoutParentheses.as(ClosureExprSyntax.self)
        else {
            throw DiagnosticsError(diagnostics: [Diagnostic(node: node, message: PredicateDiagnostic.closureLiteral)])
        }
        self.closure = closure
    }

    /// - Throws: `DiagnosticsError` with everything in the closure that is not supported.
    func construction(of type: String) throws -> ExprSyntax {
        let rewriter = PredicateRewriter()
        let builder = rewriter.closure(closure, parameters: closure.anonymousParameterCount, in: .outermost)
        guard rewriter.problems.isEmpty else { throw DiagnosticsError(diagnostics: rewriter.problems) }
        return "\(raw: type)\(raw: types)(\(raw: builder))"
    }
}

extension ClosureExprSyntax {
    /// The number of anonymous parameters `$0`, `$1`, … that the closure itself uses, at least one.
    fileprivate var anonymousParameterCount: Int {
        let visitor = AnonymousParameters(viewMode: .sourceAccurate)
        visitor.walk(statements)
        return visitor.count
    }
}

/// Finds the highest of `$0`, `$1`, …, excluding nested closures that have their own.
private final class AnonymousParameters: SyntaxVisitor {
    private(set) var count = 1

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        if case .dollarIdentifier(let name) = node.baseName.tokenKind, let index = Int(name.dropFirst()) {
            count = max(count, index + 1)
        }
        return .skipChildren
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
