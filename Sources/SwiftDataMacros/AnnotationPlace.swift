import SwiftSyntax
import SwiftSyntaxMacros

/// `@Attribute` and `@Relationship` mean something only on properties that are kept in the store.
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

    /// `nil` when all is well; several bindings are reported by `@Model`.
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
