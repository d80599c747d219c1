import SwiftSyntax
import SwiftSyntaxMacros

/// `@Attribute` and `@Relationship` mean something only on properties that are kept in the store.
struct AnnotationPlace<Declaration: DeclSyntaxProtocol> {
    let annotation: AttributeSyntax
    let declaration: Declaration

    func report(in context: some MacroExpansionContext) {
        guard let reason else { return }
        context.diagnose(
            .annotationNotPersisted(macro: annotation.name, reason: reason), at: annotation,
            fixIts: [.removing(annotation, from: declaration)])
    }

    private var reason: String? {
        guard let variable = declaration.as(VariableDeclSyntax.self) else { return "is not a property" }
        guard let property = ModelProperty(variable) else { return nil }
        return switch property.kind {
        case .computed: "is computed"
        case .typeLevel: "belongs to the type"
        case .lazy: "is lazy"
        case .persisted, .transient: nil
        }
    }
}

extension DeclSyntaxProtocol {
    func isAnnotated(_ name: String) -> Bool {
        self.as(VariableDeclSyntax.self)?.attributes.attribute(named: name) != nil
    }
}
