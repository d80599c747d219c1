import SwiftSyntax
import SwiftSyntaxMacros

/// `@Relationship`: read by `@Model`; by itself it checks where it stands, its company and its counts.
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
    /// The argument's value when it is written as a plain number.
    fileprivate func count(_ label: String) -> Int? {
        argument(labeled: label)?.as(IntegerLiteralExprSyntax.self)?.representedLiteralValue
    }
}
