import SwiftSyntax
import SwiftSyntaxMacros

/// `@Transient`: keeps a stored property out of the store. Such a property must be able to come into being when
/// the store creates the object, hence the default value.
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
