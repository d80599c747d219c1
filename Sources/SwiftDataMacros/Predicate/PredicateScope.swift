import SwiftSyntax

/// The scope of a predicate's closure: its variables, and the statements before its result.
///
/// Terms whose type does not depend on their context become separate statements. The type checker then solves many
/// small problems; a single expression would take time exponential in the number of its parts.
final class PredicateScope {
    private let variables: [String: String]
    /// The variables for values unwrapped by `?`.
    private let unwrapped: [SyntaxIdentifier: String]
    let depth: Int
    private(set) var statements: [String] = []

    private init(_ variables: [String: String], _ unwrapped: [SyntaxIdentifier: String], _ depth: Int) {
        self.variables = variables
        self.unwrapped = unwrapped
        self.depth = depth
    }

    static var outermost: PredicateScope { PredicateScope([:], [:], 0) }

    /// Returns the scope of a nested closure.
    /// - Parameter parameters: the names in the source, or `$0`, with the names in the expansion.
    func inner(_ parameters: [(source: String, emitted: String)]) -> PredicateScope {
        let known = variables.merging(parameters.map { ($0.source, $0.emitted) }) { $1 }
        return PredicateScope(known, unwrapped, depth + 1)
    }

    /// Returns the scope of a closure that receives the value of an optional chain up to and including `link`.
    func inner(after link: OptionalChainingExprSyntax, emitted: String) -> PredicateScope {
        PredicateScope(variables, unwrapped.merging([link.id: emitted]) { $1 }, depth + 1)
    }

    func variable(named name: String) -> String? { variables[name] }

    func variable(after link: OptionalChainingExprSyntax) -> String? { unwrapped[link.id] }

    func add(_ statement: String) { statements.append(statement) }

    /// Whether the source depends on the inputs, or on parameters of enclosing closures.
    func isMentioned(in node: some SyntaxProtocol) -> Bool {
        let visitor = MentionedVariables(self)
        visitor.walk(node)
        return visitor.isFound
    }
}

private final class MentionedVariables: SyntaxVisitor {
    private let scope: PredicateScope
    private(set) var isFound = false

    init(_ scope: PredicateScope) {
        self.scope = scope
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        // A member's name is a reference expression of its own, but no variable.
        let isMember = node.keyPathInParent == \MemberAccessExprSyntax.declName
        if !isMember, scope.variable(named: node.baseName.text) != nil { isFound = true }
        return .skipChildren
    }

    override func visit(_ node: OptionalChainingExprSyntax) -> SyntaxVisitorContinueKind {
        if scope.variable(after: node) != nil { isFound = true }
        return .visitChildren
    }
}
