import SwiftIfConfig
import SwiftSyntax
import SwiftSyntaxMacros

/// A class with `@Model`, as the macro sees it.
struct ModelClass {
    /// Whether the class begins an inheritance chain of models or continues one.
    enum Position {
        case root
        case subclass
    }

    let declaration: ClassDeclSyntax
    let position: Position
    /// Members that may be compiled, with their conditions.
    let possibleMembers: [ConditionalMember]

    /// - Parameters:
    ///   - conformances: the protocols that the class does not conform to yet. If `PersistentModel` is not among them
    ///     and not in the source, the class inherits it from its superclass.
    ///   - build: the build configuration, if the compiler provides it.
    init(_ declaration: ClassDeclSyntax, missing conformances: [TypeSyntax], in build: (any BuildConfiguration)?) {
        self.declaration = declaration
        possibleMembers = declaration.memberBlock.members.conditional(in: build)
        let isMissing = conformances.contains { $0.lastName == "PersistentModel" }
        let isWritten = declaration.inheritanceClause?.inheritedTypes.contains { $0.type.lastName == "PersistentModel" }
        position = isMissing || isWritten == true ? .root : .subclass
    }

    var name: String { declaration.name.text }

    var isFinal: Bool { declaration.modifiers.contains(.final) }

    var members: MemberBlockItemListSyntax { declaration.memberBlock.members }

    /// Members that are certainly compiled. Errors are reported for these only, as the others may belong to another
    /// build.
    var certainMembers: [DeclSyntax] { possibleMembers.filter { $0.condition == .always }.map(\.declaration) }

    var possibleProperties: [ModelProperty] { possibleMembers.compactMap { ModelProperty($0.declaration) } }

    /// The condition under which at least one member passes the test.
    func hasMember(where test: (DeclSyntax) -> Bool) -> BuildCondition {
        possibleMembers.filter { test($0.declaration) }.reduce(.never) { $0 || $1.condition }
    }

    var hasDesignatedInitializer: BuildCondition {
        hasMember { $0.as(InitializerDeclSyntax.self)?.isDesignated == true }
    }

    /// The access level of protocol requirements, followed by a space, or an empty text.
    var access: String {
        if declaration.modifiers.contains(.public) || declaration.modifiers.contains(.open) { return "public " }
        return declaration.modifiers.contains(.package) ? "package " : ""
    }

    /// Like `access`, but for members that subclasses in other modules must be able to override.
    var overridableAccess: String { declaration.modifiers.contains(.open) ? "open " : access }
}

extension InitializerDeclSyntax {
    var isDesignated: Bool { !modifiers.contains(.convenience) }
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
