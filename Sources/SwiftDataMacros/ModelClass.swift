import SwiftIfConfig
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
    /// The members that may be compiled.
    let possibleMembers: [ConditionalMember]

    /// - Parameters:
    ///   - conformances: the protocols the compiler still misses on the class. A class that already has
    ///     `PersistentModel` without spelling it got it from its superclass.
    ///   - build: what the compiler tells of the build, if it does.
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

    /// Those that are compiled for certain. What is wrong with a member is told of these only: the others may be for
    /// another build.
    var certainMembers: [DeclSyntax] { possibleMembers.filter { $0.condition == .always }.map(\.declaration) }

    var possibleProperties: [ModelProperty] { possibleMembers.compactMap { ModelProperty($0.declaration) } }

    /// When at least one member passes the test.
    func hasMember(where test: (DeclSyntax) -> Bool) -> BuildCondition {
        possibleMembers.filter { test($0.declaration) }.reduce(.never) { $0 || $1.condition }
    }

    var hasDesignatedInitializer: BuildCondition {
        hasMember { $0.as(InitializerDeclSyntax.self)?.isDesignated == true }
    }

    /// The access level of what a protocol asks for, with a space behind, or nothing.
    var access: String {
        if declaration.modifiers.contains(.public) || declaration.modifiers.contains(.open) { return "public " }
        return declaration.modifiers.contains(.package) ? "package " : ""
    }

    /// As `access`, for members that a subclass in another module must be able to override.
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
