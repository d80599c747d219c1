import SwiftSyntax
import SwiftSyntaxMacros

/// `@_TransformablePersistedProperty`: as `@_PersistedProperty`, for values that a value transformer writes.
enum TransformablePersistedPropertyMacro: AccessorMacro, PeerMacro {
    /// Observers keep the line numbers of the author's file, so nothing may be moved between lines.
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
