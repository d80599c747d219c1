import SwiftSyntax
import SwiftSyntaxMacros

/// Checks the position of `@Attribute` and `@Relationship`, which apply only to persisted properties.
struct AnnotationPlace<Declaration: DeclSyntaxProtocol> {
    let annotation: AttributeSyntax
    let declaration: Declaration

    func report(in context: some MacroExpansionContext) {
        guard let variable = declaration.as(VariableDeclSyntax.self) else {
            context.diagnose(problem("is not a property"), at: annotation)
            return
        }
        guard let reason = reason(variable) else { return }
        context.diagnose(problem(reason), at: annotation, fixIts: [.removing(annotation)])
    }

    private func problem(_ reason: String) -> ModelDiagnostic {
        .annotationNotPersisted(macro: annotation.name, reason: reason)
    }

    /// `nil` if the position is valid. `@Model` reports variables with several bindings.
    private func reason(_ variable: VariableDeclSyntax) -> String? {
        switch ModelProperty(variable)?.kind {
        case .computed: "is computed"
        case .typeLevel: "belongs to the type"
        case .lazy: "is lazy"
        case .persisted, .transient, .wrapped, nil: nil
        }
    }
}

extension DeclSyntaxProtocol {
    func isAnnotated(_ name: String) -> Bool {
        self.as(VariableDeclSyntax.self)?.attributes.attribute(named: name) != nil
    }
}
