import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Fix-its for diagnostics that have exactly one solution.
enum ModelFixIt: String, FixItMessage {
    case removeAttribute
    case addDefaultValue
    case makeVariable
    case makeFileprivate
    case callSuperInit
    case splitBindings
    case useNullify

    var message: String {
        switch self {
        case .removeAttribute: "remove the attribute"
        case .addDefaultValue: "add a default value"
        case .makeVariable: "replace 'let' with 'var'"
        case .makeFileprivate: "replace 'private' with 'fileprivate'"
        case .callSuperInit: "add 'super.init()'"
        case .splitBindings: "declare them one by one"
        case .useNullify: "use '.nullify'"
        }
    }

    var fixItID: MessageID { MessageID(domain: "SwiftDataMacros", id: rawValue) }
}

extension FixIt {
    /// Keeps the trivia before the attribute.
    static func removing(_ attribute: AttributeSyntax) -> FixIt {
        let nothing = TokenSyntax.identifier("", leadingTrivia: attribute.leadingTrivia)
        return FixIt(
            message: ModelFixIt.removeAttribute,
            changes: [.replace(oldNode: Syntax(attribute), newNode: Syntax(nothing))])
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
        FixIt(.makeVariable, replacing: property.declaration.bindingSpecifier, by: .var)
    }

    static func makingFileprivate(_ modifier: DeclModifierSyntax) -> FixIt {
        FixIt(.makeFileprivate, replacing: modifier.name, by: .fileprivate)
    }

    static func callingSuperInit(in body: CodeBlockSyntax) -> FixIt {
        let call: CodeBlockItemSyntax = "super.init()"
        let separator = body.statements.last?.leadingTrivia ?? .space
        let statements = body.statements + [call.with(\.leadingTrivia, separator)]
        return FixIt(
            message: ModelFixIt.callSuperInit,
            changes: [.replace(oldNode: Syntax(body), newNode: Syntax(body.with(\.statements, statements)))])
    }

    /// - Parameter rule: a member access such as `.cascade`.
    static func usingNullify(insteadOf rule: MemberAccessExprSyntax) -> FixIt {
        let name = rule.declName.baseName
        return FixIt(
            message: ModelFixIt.useNullify,
            changes: [
                .replace(
                    oldNode: Syntax(name), newNode: Syntax(name.with(\.tokenKind, .identifier("nullify"))))
            ])
    }

    private init(_ message: ModelFixIt, replacing token: TokenSyntax, by keyword: Keyword) {
        let repaired = token.with(\.tokenKind, .keyword(keyword))
        self.init(message: message, changes: [.replace(oldNode: Syntax(token), newNode: Syntax(repaired))])
    }

    /// Splits `var a, b: Int` into `var a: Int` and `var b: Int`: a name without a type takes the next type in the
    /// list.
    static func splitting(_ variable: VariableDeclSyntax) -> FixIt {
        var type: TypeAnnotationSyntax?
        var single: [VariableDeclSyntax] = []
        for binding in variable.bindings.reversed() {
            if binding.typeAnnotation != nil || binding.initializer != nil { type = binding.typeAnnotation }
            let alone = binding.with(\.trailingComma, nil).with(\.typeAnnotation, type).trimmed
            single.append(variable.with(\.bindings, [alone]).trimmed)
        }
        guard let item = variable.parent?.as(MemberBlockItemSyntax.self),
            let list = item.parent?.as(MemberBlockItemListSyntax.self)
        else { return FixIt(message: ModelFixIt.splitBindings, changes: []) }
        let items = single.reversed().map { MemberBlockItemSyntax(leadingTrivia: item.leadingTrivia, decl: $0) }
        let replaced = list.flatMap { $0.id == item.id ? items : [$0] }
        return FixIt(
            message: ModelFixIt.splitBindings,
            changes: [
                .replace(oldNode: Syntax(list), newNode: Syntax(MemberBlockItemListSyntax(replaced)))
            ])
    }
}
