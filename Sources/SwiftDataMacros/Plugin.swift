import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The compiler plug-in, which lists every macro that CoreData and SwiftData declare.
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
