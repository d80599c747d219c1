import Foundation
import ObjectGraph

/// A schema and the stores its models live in. Contexts are made from it; it may be shared freely.
public class ModelContainer: Equatable, @unchecked Sendable {
    // A constant; the main context is only reached from the main actor.
    let core: ContainerCore
    public var schema: Schema { core.schema }
    public var migrationPlan: (any SchemaMigrationPlan.Type)? { core.migrationPlan }
    /// One per store, those of a program's own left out: what the stores were opened with. Setting it changes nothing and is
    /// logged; make a container with other configurations instead.
    public var configurations: Set<ModelConfiguration> {
        get { core.configurations }
        set { core.refuseConfigurations() }
    }
    var store: any Store { core.store }
    var contexts: ContextRegistry { core.contexts }
    var modelTypes: [ModelType?] { core.modelTypes }
    @MainActor private var mainContextStorage: ModelContext?

    /// The context of the main actor; it saves by itself.
    @MainActor public var mainContext: ModelContext {
        if let mainContextStorage { return mainContextStorage }
        let context = ModelContext(mainOf: self)
        context.autosave = MainActorAutosave(context)
        context.autosaveEnabled = true
        contexts.mergeOnMainActor(context)
        mainContextStorage = context
        return context
    }

    public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { lhs.core === rhs.core }

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
    ///
    /// A file of an older schema is migrated first: as the two schemas tell, or along the plan. One that cannot be migrated
    /// is as it was.
    /// - Throws: `SwiftDataError.loadIssueModelContainer` when the schema cannot be, the configurations do not fit
    ///   together, a file cannot be opened or migrated (its description says which entity and property),
    ///   `unknownSchema` and `backwardMigration` for a file that the plan does not bring to the schema,
    ///   `duplicateConfiguration` and the `configuration…` errors for a configuration that does not fit.
    public init(
        for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [ModelConfiguration]
    ) throws {
        core = try ContainerCore(schema: givenSchema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// A container with stores of the program's own, beside others or alone.
    /// - Throws: See `init(for:migrationPlan:configurations:)`; what opening the stores throws.
    @_disfavoredOverload
    public convenience init(
        for forTypes: any PersistentModel.Type..., configurations: any DataStoreConfiguration...
    ) throws {
        try self.init(for: Schema(forTypes), configurations: configurations)
    }

    /// A container with stores of the program's own, beside others or alone.
    /// - Throws: See `init(for:migrationPlan:configurations:)`; what opening the stores throws.
    @_disfavoredOverload
    public init(for givenSchema: Schema, configurations: [any DataStoreConfiguration]) throws {
        core = try ContainerCore(schema: givenSchema, migrationPlan: nil, configurations: configurations)
    }

    /// Another handle on the same stores.
    init(_ core: ContainerCore) {
        self.core = core
    }
}
