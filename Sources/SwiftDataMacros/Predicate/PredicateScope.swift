import SwiftSyntax

/// The scope of a predicate's closure: its variables, and the statements that come before its result.
///
/// Parts that need nothing from around them to be typed are statements of their own. The type checker then solves many
/// small problems, where one expression takes time that doubles with each part.
final class PredicateScope {
    private let variables: [String: String]
    /// What stands for the value that was tested by `?`.
    private let unwrapped: [SyntaxIdentifier: String]
    let depth: Int
    private(set) var statements: [String] = []

    private init(_ variables: [String: String], _ unwrapped: [SyntaxIdentifier: String], _ depth: Int) {
        self.variables = variables
        self.unwrapped = unwrapped
        self.depth = depth
    }

    static var outermost: PredicateScope { PredicateScope([:], [:], 0) }

    /// A closure within.
    /// - Parameter parameters: the name in the source, or `$0`, and the name in the expansion.
    func inner(_ parameters: [(source: String, emitted: String)]) -> PredicateScope {
        let known = variables.merging(parameters.map { ($0.source, $0.emitted) }) { $1 }
        return PredicateScope(known, unwrapped, depth + 1)
    }

    /// A closure that gets the value of an optional chain up to and including `link`.
    func inner(after link: OptionalChainingExprSyntax, emitted: String) -> PredicateScope {
        PredicateScope(variables, unwrapped.merging([link.id: emitted]) { $1 }, depth + 1)
    }

    func variable(named name: String) -> String? { variables[name] }

    func variable(after link: OptionalChainingExprSyntax) -> String? { unwrapped[link.id] }

    func add(_ statement: String) { statements.append(statement) }

    /// Whether the source depends on the inputs, or on what closures around it have been given.
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
        // A member's name is in a reference of its own, and is no variable.
        let isMember = node.keyPathInParent == \MemberAccessExprSyntax.declName
        if !isMember, scope.variable(named: node.baseName.text) != nil { isFound = true }
        return .skipChildren
    }

    override func visit(_ node: OptionalChainingExprSyntax) -> SyntaxVisitorContinueKind {
        if scope.variable(after: node) != nil { isFound = true }
        return .visitChildren
    }
}
