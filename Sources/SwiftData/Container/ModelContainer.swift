import Foundation
import ObjectGraph
import SQLiteStore

/// A schema and the stores its models live in. Contexts are made from it; it may be shared freely.
public class ModelContainer: Equatable, @unchecked Sendable {
    // Constants and values guarded by a mutex; the main context is only reached from the main actor.
    public final let schema: Schema
    public final let migrationPlan: (any SchemaMigrationPlan.Type)?
    /// One per store.
    public let configurations: Set<ModelConfiguration>
    /// One store, or a set of them.
    let store: any Store
    let contexts = ContextRegistry()
    /// Model classes, in the order of the model's entities.
    let modelTypes: [ModelType?]
    /// Whether any class has `let` properties to look after.
    let hasConstants: Bool
    @MainActor private var mainContextStorage: ModelContext?

    /// The context of the main actor; it saves by itself.
    @MainActor public var mainContext: ModelContext {
        if let mainContextStorage { return mainContextStorage }
        let context = ModelContext(self)
        context.autosave = MainActorAutosave(context)
        context.autosaveEnabled = true
        contexts.mergeOnMainActor(context)
        mainContextStorage = context
        return context
    }

    public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { lhs === rhs }

    /// A container for these model classes and all they lead to.
    /// - Throws: See `init(for:migrationPlan:configurations:)`.
    public convenience init(
        for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: Schema(forTypes), migrationPlan: migrationPlan, configurations: configurations)
    }

    public convenience init(
        for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: givenSchema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Opens the stores, or makes them: one per configuration. With several, each keeps the models of its schema, and
    /// one without a schema keeps the rest. A class is kept in one store, and relationships and subclasses stay in it.
    /// - Throws: `SwiftDataError.loadIssueModelContainer` when the schema cannot be, the configurations do not fit
    ///   together, a file does not match its models or cannot be opened (its description says which entity and
    ///   property), `duplicateConfiguration` and the `configuration…` errors for a configuration that does not fit.
    public init(
        for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [ModelConfiguration]
    ) throws {
        schema = givenSchema
        self.migrationPlan = migrationPlan
        let checked = try ContainerConfiguration.checked(configurations, for: givenSchema)
        self.configurations = Set(checked)
        do {
            store = try ContainerConfiguration.openStore(checked, model: givenSchema.compiled())
            let typesByName = givenSchema.modelTypesByName
            modelTypes = store.model.entities.map { typesByName[$0.name].map(ModelType.of) }
            hasConstants = modelTypes.contains { $0?.constants.isEmpty == false }
        } catch {
            throw ErrorMapping.opening(error)
        }
    }

    func modelType(named name: String) -> ModelType? {
        store.model.entity(named: name).flatMap { modelTypes[$0.index] }
    }
}
