import SwiftSyntax
import SwiftSyntaxMacros

/// `@Transient`: excludes a stored property from the store. It needs a default value, as the store creates objects
/// without calling the program's initializers.
enum TransientPropertyMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let property = ModelProperty(declaration) else { return [] }
        switch property.kind {
        case .computed, .typeLevel:
            context.diagnose(.needlessTransient(property.name), at: node, fixIts: [.removing(node)])
        case .transient where property.needsInitializer:
            context.diagnose(
                .transientNeedsDefault(property.name), at: property.binding, fixIts: [.addingDefault(to: property)])
        case .transient, .persisted, .lazy, .wrapped:
            break
        }
        return []
    }
}
