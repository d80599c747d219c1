import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The compiler plug-in: every macro that the faces declare is looked up here by type name.
@main
struct SwiftDataMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        PersistentModelMacro.self,
        PersistedPropertyMacro.self,
        TransformablePersistedPropertyMacro.self,
        ModelInitializerMacro.self,
        AttributePropertyMacro.self,
        RelationshipPropertyMacro.self,
        TransientPropertyMacro.self,
        UniqueConstraintsMacro.self,
        IndexMacro.self,
        PersistentModelActorMacro.self,
        ManagedPropertyMacro.self,
        ModelPredicateMacro.self,
        ModelExpressionMacro.self,
    ]
}
