import SwiftSyntax
import SwiftSyntaxMacros

/// `#Unique`: read by `@Model` from the class body; expands to nothing.
enum UniqueConstraintsMacro: DeclarationMacro {
    static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}
