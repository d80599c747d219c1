import SwiftSyntax
import SwiftSyntaxMacros

/// `@_PersistedProperty`: accessors that use the model's storage, through a slot that is looked up once for each class.
enum PersistedPropertyMacro: AccessorMacro, PeerMacro {
    /// Observers keep the line numbers of the author's file, so formatting must not move code between lines.
    static let formatMode: FormatMode = .disabled

    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        PersistedAccessors(declaration, in: context, calls: .plain)?.accessors ?? []
    }

    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        PersistedAccessors(declaration, in: context, calls: .plain)?.peers ?? []
    }
}
