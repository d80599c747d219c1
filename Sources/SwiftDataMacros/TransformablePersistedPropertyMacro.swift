import SwiftSyntax
import SwiftSyntaxMacros

/// `@_TransformablePersistedProperty`: like `@_PersistedProperty`, for values stored by a value transformer.
enum TransformablePersistedPropertyMacro: AccessorMacro, PeerMacro {
    /// Observers keep the line numbers of the author's file, so formatting must not move code between lines.
    static let formatMode: FormatMode = .disabled

    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        PersistedAccessors(declaration, in: context, calls: .transformable)?.accessors ?? []
    }

    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        PersistedAccessors(declaration, in: context, calls: .transformable)?.peers ?? []
    }
}
