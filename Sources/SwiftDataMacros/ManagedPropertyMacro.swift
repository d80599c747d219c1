import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Managed`: accessors that read and write a managed object's values by name.
///
/// Reports problems that are visible without type information. For an invalid declaration it generates nothing, so that
/// the compiler sees a plain property and the diagnostic.
enum ManagedPropertyMacro: AccessorMacro {
    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let variable = declaration.as(VariableDeclSyntax.self),
            variable.bindingSpecifier.tokenKind == .keyword(.var),
            let binding = variable.bindings.first, variable.bindings.count == 1,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
        else { throw MacroExpansionErrorMessage("@Managed belongs to a single 'var'.") }
        guard binding.typeAnnotation != nil else {
            throw MacroExpansionErrorMessage("A managed property needs its type: write ': Type' after its name.")
        }
        guard binding.initializer == nil else {
            throw MacroExpansionErrorMessage("A managed property has its default value in the model.")
        }
        guard binding.accessorBlock == nil else {
            throw MacroExpansionErrorMessage("A managed property has no accessors of its own.")
        }
        let key = name.identifier?.name ?? name.text
        return [
            "get { managedValue(forKey: \(literal: key)) }",
            "set { setManagedValue(newValue, forKey: \(literal: key)) }",
        ]
    }
}
