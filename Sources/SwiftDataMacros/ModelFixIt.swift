import SwiftDiagnostics
import SwiftSyntax

/// The repairs offered where there is exactly one.
enum ModelFixIt: String, FixItMessage {
    case removeAttribute
    case addDefaultValue
    case makeVariable
    case splitBindings

    var message: String {
        switch self {
        case .removeAttribute: "remove the attribute"
        case .addDefaultValue: "add a default value"
        case .makeVariable: "replace 'let' with 'var'"
        case .splitBindings: "declare them one by one"
        }
    }

    var fixItID: MessageID { MessageID(domain: "SwiftDataMacros", id: rawValue) }
}

extension FixIt {
    static func removing(_ attribute: AttributeSyntax, from declaration: some DeclSyntaxProtocol) -> FixIt {
        guard let variable = declaration.as(VariableDeclSyntax.self) else {
            return FixIt(message: ModelFixIt.removeAttribute, changes: [.removing(attribute)])
        }
        let kept = variable.attributes.filter { $0.as(AttributeSyntax.self)?.id != attribute.id }
        var repaired = variable.with(\.attributes, kept)
        repaired.leadingTrivia = variable.leadingTrivia
        return FixIt(
            message: ModelFixIt.removeAttribute,
            changes: [.replace(oldNode: Syntax(variable), newNode: Syntax(repaired))])
    }

    static func addingDefault(to property: ModelProperty) -> FixIt {
        let value = InitializerClauseSyntax(
            equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
            value: ExprSyntax(EditorPlaceholderExprSyntax(placeholder: .identifier("<#default value#>"))))
        let binding = property.binding
        return FixIt(
            message: ModelFixIt.addDefaultValue,
            changes: [.replace(oldNode: Syntax(binding), newNode: Syntax(binding.with(\.initializer, value)))])
    }

    static func makingVariable(_ property: ModelProperty) -> FixIt {
        let specifier = property.declaration.bindingSpecifier
        return FixIt(
            message: ModelFixIt.makeVariable,
            changes: [
                .replace(
                    oldNode: Syntax(specifier),
                    newNode: Syntax(specifier.with(\.tokenKind, .keyword(.var))))
            ])
    }

    /// `var a, b: Int` gives `var a: Int` and `var b: Int`: a name without a type takes the next one written.
    static func splitting(_ variable: VariableDeclSyntax) -> FixIt {
        var type: TypeAnnotationSyntax?
        var single: [VariableDeclSyntax] = []
        for binding in variable.bindings.reversed() {
            if binding.typeAnnotation != nil || binding.initializer != nil { type = binding.typeAnnotation }
            let alone = binding.with(\.trailingComma, nil).with(\.typeAnnotation, type).trimmed
            single.append(variable.with(\.bindings, [alone]).trimmed)
        }
        let items = single.reversed().map { MemberBlockItemSyntax(decl: $0, trailingTrivia: .newline) }
        guard let item = variable.parent?.as(MemberBlockItemSyntax.self),
            let list = item.parent?.as(MemberBlockItemListSyntax.self)
        else { return FixIt(message: ModelFixIt.splitBindings, changes: []) }
        let replaced = list.flatMap { $0.id == item.id ? items.map { $0.with(\.leadingTrivia, item.leadingTrivia) } : [$0] }
        return FixIt(
            message: ModelFixIt.splitBindings,
            changes: [
                .replace(oldNode: Syntax(list), newNode: Syntax(MemberBlockItemListSyntax(replaced)))
            ])
    }
}

extension FixIt.Change {
    fileprivate static func removing(_ attribute: AttributeSyntax) -> Self {
        .replace(oldNode: Syntax(attribute), newNode: Syntax(MissingDeclSyntax(placeholder: .identifier(""))))
    }
}
