import SwiftSyntax
import SwiftSyntaxMacros

/// A class that carries `@Model`, as the macro sees it.
struct ModelClass {
    /// Whether the class begins an inheritance chain of models or continues one.
    enum Position {
        case root
        case subclass
    }

    let declaration: ClassDeclSyntax
    let position: Position

    /// - Parameter conformances: the protocols the compiler still misses on the class. A class that already has
    ///   `PersistentModel` without spelling it got it from its superclass.
    init(_ declaration: ClassDeclSyntax, missing conformances: [TypeSyntax]) {
        self.declaration = declaration
        let isMissing = conformances.contains { $0.lastName == "PersistentModel" }
        let isWritten = declaration.inheritanceClause?.inheritedTypes.contains { $0.type.lastName == "PersistentModel" }
        position = isMissing || isWritten == true ? .root : .subclass
    }

    var name: String { declaration.name.text }

    var isFinal: Bool { declaration.modifiers.contains(.final) }

    var members: MemberBlockItemListSyntax { declaration.memberBlock.members }

    var properties: [ModelProperty] { members.flattened.compactMap { ModelProperty($0) } }

    var initializers: [InitializerDeclSyntax] {
        members.flattened.compactMap { $0.as(InitializerDeclSyntax.self) }
    }

    var designatedInitializers: [InitializerDeclSyntax] {
        initializers.filter { !$0.modifiers.contains(.convenience) }
    }

    /// The access level of what a protocol asks for, with a space behind, or nothing.
    var access: String {
        if declaration.modifiers.contains(.public) || declaration.modifiers.contains(.open) { return "public " }
        return declaration.modifiers.contains(.package) ? "package " : ""
    }

    /// As `access`, for members that a subclass in another module must be able to override.
    var overridableAccess: String { declaration.modifiers.contains(.open) ? "open " : access }
}

extension TypeSyntax {
    /// The name without module, attributes and specifiers.
    var lastName: String? {
        if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.lastName }
        if let member = self.as(MemberTypeSyntax.self) { return member.name.text }
        return self.as(IdentifierTypeSyntax.self)?.name.text
    }
}

extension MacroExpansionContext {
    /// The name of the innermost class around the expanded property.
    var enclosingClassName: String? {
        for scope in lexicalContext {
            if let declaration = scope.as(ClassDeclSyntax.self) { return declaration.name.text }
        }
        return nil
    }
}
