import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Model`: storage, schema description, the store's initializer, observation and conformances.
///
/// `ModelMembers` generates the members, `ModelChecks` reports errors.
enum PersistentModelMacro {
    /// The expansion is generated with its layout; formatting it again would take a fifth of the plug-in's time.
    static let formatMode: FormatMode = .disabled
}

extension PersistentModelMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let declaration = declaration.as(ClassDeclSyntax.self) else {
            context.diagnose(.notAClass(declaration), at: node)
            return []
        }
        let model = ModelClass(declaration, missing: protocols, in: context.buildConfiguration)
        ModelChecks(model: model).report(in: context)
        return ModelMembers(model: model).declarations
    }
}

extension PersistentModelMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        guard declaration.is(ClassDeclSyntax.self) else { return [] }
        if let initializer = member.as(InitializerDeclSyntax.self) {
            return initializer.wantsAdoption ? ["@_ModelInitializer"] : []
        }
        guard let property = ModelProperty(member), property.kind == .persisted, !property.isConstant,
            property.declaration.attributes.attribute(named: "_PersistedProperty") == nil,
            property.declaration.attributes.attribute(named: "_TransformablePersistedProperty") == nil
        else { return [] }
        return [property.isTransformable ? "@_TransformablePersistedProperty" : "@_PersistedProperty"]
    }
}

extension PersistentModelMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard declaration.is(ClassDeclSyntax.self) else { return [] }
        return try protocols.compactMap { missing in
            switch missing.lastName {
            case "PersistentModel":
                try ExtensionDeclSyntax("extension \(type): nonisolated SwiftData.PersistentModel {}")
            case "Observable":
                try ExtensionDeclSyntax("extension \(type): nonisolated Observation.Observable {}")
            case "Sendable":
                try ExtensionDeclSyntax(
                    """
                    @available(*, unavailable, message: "a model belongs to its context: hand over its \
                    persistentModelID, or work inside a ModelActor")
                    extension \(type): Sendable {}
                    """)
            default: nil
            }
        }
    }
}

extension InitializerDeclSyntax {
    /// Excluded are convenience initializers, which call a designated one, the store's own initializer, which does this
    /// itself, and overrides, which belong to a subclass whose root has done it.
    fileprivate var wantsAdoption: Bool {
        body != nil && !modifiers.contains(.convenience) && !modifiers.contains(.override) && !isBackingDataInitializer
            && attributes.attribute(named: "_ModelInitializer") == nil
    }

    var isBackingDataInitializer: Bool {
        let parameters = signature.parameterClause.parameters
        return parameters.count == 1 && parameters.first?.firstName.text == "backingData"
    }
}
