import SwiftSyntax
import SwiftSyntaxMacros

/// Reports errors in a model class that are visible in its syntax.
///
/// Ignores code that may not be compiled in the current build (`ModelClass.certainMembers`): missing an error there is
/// better than rejecting valid code.
struct ModelChecks {
    let model: ModelClass

    /// Names of members that the expansion declares. Members that `PersistentModel` adds in an extension, such as `id`
    /// and `isDeleted`, may be redeclared.
    private static let reservedNames: Set<String> = ["persistentBackingData", "schemaMetadata"]

    func report(in context: some MacroExpansionContext) {
        reportMainActor(in: context)
        reportKindOfClass(in: context)
        reportMissingInitializer(in: context)
        reportImplicitSuperInit(in: context)
        reportSecondUnique(in: context)
        let ends = RelationshipEnds(of: model)
        InverseChecks(ends: ends).report(in: context)
        DeleteRuleChecks(ends: ends).report(in: context)
        for member in model.certainMembers {
            guard let variable = member.as(VariableDeclSyntax.self) else { continue }
            if let property = ModelProperty(variable) {
                report(property, in: context)
            } else if !variable.isTypeLevel {
                reportUnreadable(variable, in: context)
            }
        }
    }

    private func reportMainActor(in context: some MacroExpansionContext) {
        guard let attribute = model.declaration.attributes.attribute(named: "MainActor") else { return }
        context.diagnose(.mainActorModel(model.name), at: attribute, fixIts: [.removing(attribute)])
    }

    private func reportKindOfClass(in context: some MacroExpansionContext) {
        if let parameters = model.declaration.genericParameterClause {
            context.diagnose(.genericModel, at: parameters)
        }
        let hiding = model.declaration.modifiers.first { $0.name.tokenKind == .keyword(.private) }
        if let hiding, !context.lexicalContext.isEmpty {
            context.diagnose(.privateNestedModel(model.name), at: hiding, fixIts: [.makingFileprivate(hiding)])
        }
    }

    private func reportMissingInitializer(in context: some MacroExpansionContext) {
        guard model.hasDesignatedInitializer == .never,
            let property = model.certainMembers.lazy.compactMap({ ModelProperty($0) })
                .first(where: \.blocksPlainInit)
        else { return }
        context.diagnose(
            .requiresInitializer(className: model.name, property: property.name), at: model.declaration.name)
    }

    /// The compiler adds an implicit call of `super.init` only if the superclass has a single designated initializer,
    /// and every model has at least two.
    private func reportImplicitSuperInit(in context: some MacroExpansionContext) {
        guard model.position == .subclass else { return }
        for initializer in model.certainMembers.compactMap({ $0.as(InitializerDeclSyntax.self) }) {
            guard initializer.isDesignated, let body = initializer.body, !body.mentionsSuperInit else { continue }
            context.diagnose(.implicitSuperInit, at: initializer.initKeyword, fixIts: [.callingSuperInit(in: body)])
        }
    }

    private func reportSecondUnique(in context: some MacroExpansionContext) {
        let constraints = model.certainMembers.compactMap { $0.as(MacroExpansionDeclSyntax.self) }
            .filter { $0.macroName.text == "Unique" }
        for extra in constraints.dropFirst() { context.diagnose(.secondUnique, at: extra) }
    }

    private func report(_ property: ModelProperty, in context: some MacroExpansionContext) {
        if property.kind == .wrapped, let wrapper = property.declaration.wrapper {
            context.diagnose(.wrappedProperty(property.name, wrapper: wrapper.name), at: wrapper)
        }
        guard property.kind == .persisted || property.kind == .transient else { return }
        if Self.reservedNames.contains(property.name)
            || property.kind == .persisted && property.name == "description"
        {
            context.diagnose(.reservedName(property.name), at: property.binding.pattern)
        }
        if property.isConstant, property.declaration.isAnnotated("Relationship") {
            context.diagnose(
                .constantRelationship(property.name), at: property.declaration.bindingSpecifier,
                fixIts: [.makingVariable(property)])
        }
    }

    private func reportUnreadable(_ variable: VariableDeclSyntax, in context: some MacroExpansionContext) {
        if variable.bindings.contains(where: { $0.pattern.is(TuplePatternSyntax.self) }) {
            context.diagnose(.destructuring, at: variable.bindings)
        } else if variable.attributes.attribute(named: "Transient") == nil {
            context.diagnose(.severalBindings, at: variable.bindings, fixIts: [.splitting(variable)])
        }
    }
}

extension VariableDeclSyntax {
    fileprivate var isTypeLevel: Bool { modifiers.contains(.static) || modifiers.contains(.class) }
}

extension CodeBlockSyntax {
    /// A body that never returns does not need the call either.
    fileprivate var mentionsSuperInit: Bool {
        tokens(viewMode: .sourceAccurate).contains {
            $0.tokenKind == .keyword(.super) || $0.text == "fatalError"
        }
    }
}
