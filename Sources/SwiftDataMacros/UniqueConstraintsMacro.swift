import SwiftSyntax
import SwiftSyntaxMacros

/// `#Unique`: read by `@Model` from the class body; its own expansion is empty.
enum UniqueConstraintsMacro: DeclarationMacro {
    static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}
