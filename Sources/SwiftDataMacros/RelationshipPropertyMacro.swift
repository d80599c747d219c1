import SwiftSyntax
import SwiftSyntaxMacros

/// `@Relationship`: read by `@Model`. Its own expansion checks its position, other attributes and member counts.
enum RelationshipPropertyMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        AnnotationPlace(annotation: node, declaration: declaration).report(in: context)
        if declaration.isAnnotated("Attribute") {
            context.diagnose(.relationshipAndAttribute, at: node)
        }
        if let minimum = node.count("minimumModelCount"), let maximum = node.count("maximumModelCount"),
            maximum != 0, minimum > maximum
        {
            context.diagnose(.countsInverted(minimum: minimum, maximum: maximum), at: node)
        }
        return []
    }
}

extension AttributeSyntax {
    /// The argument's value, if it is an integer literal.
    fileprivate func count(_ label: String) -> Int? {
        argument(labeled: label)?.as(IntegerLiteralExprSyntax.self)?.representedLiteralValue
    }
}
