import SwiftSyntax
import SwiftSyntaxMacros

/// `#Index`: read by `@Model` from the class body; its own expansion is empty.
enum IndexMacro: DeclarationMacro {
    static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}
