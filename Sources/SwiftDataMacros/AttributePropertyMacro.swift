import SwiftSyntax
import SwiftSyntaxMacros

/// `@Attribute`: read by `@Model`. Its own expansion only checks its position.
enum AttributePropertyMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        AnnotationPlace(annotation: node, declaration: declaration).report(in: context)
        if node.mentionsOption("unique"), declaration.isAnnotated("Transient") {
            context.diagnose(.uniqueTransient, at: node)
        }
        return []
    }
}
