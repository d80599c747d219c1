import Foundation
import ObjectGraph

/// A schema and the open stores of its models. Contexts are created from it. It may be shared between threads and tasks.
public class ModelContainer: Equatable, @unchecked Sendable {
    // Constant; the main context is accessed on the main actor only.
    let core: ContainerCore
    /// The schema that the container was created with.
    public var schema: Schema { core.schema }
    /// The migration plan that the container was created with; `nil` for none.
    public var migrationPlan: (any SchemaMigrationPlan.Type)? { core.migrationPlan }
    /// The configurations that the stores were opened with, one for each store; those of stores of the program's own
    /// classes are left out. Setting this property has no effect and is logged once; create another container instead.
    public var configurations: Set<ModelConfiguration> {
        get { core.configurations }
        set { core.refuseConfigurations() }
    }
    var store: any Store { core.store }
    var modelTypes: [ModelType?] { core.modelTypes }
    @MainActor private var mainContextStorage: ModelContext?

    /// The context of the main actor. It saves by itself, and merges changes of others as they arrive.
    @MainActor public var mainContext: ModelContext {
        if let mainContextStorage { return mainContextStorage }
        let context = ModelContext(mainOf: self)
        context.autosaveEnabled = true
        context.waking.wakeOnMainActor(context)
        mainContextStorage = context
        return context
    }

    /// Returns whether two containers are handles on the same open stores.
    public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { lhs.core === rhs.core }

    /// Creates a container for model classes and the classes that relationships reach from them.
    /// - Parameters:
    ///   - forTypes: The model classes.
    ///   - migrationPlan: The plan by which older files are migrated; `nil` to infer migrations from the schemas.
    ///   - configurations: One for each store; none for a store at the default place.
    /// - Throws: `SwiftDataError`; see `init(for:migrationPlan:configurations:)` for its values.
    public convenience init(
        for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: Schema(forTypes), migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Creates a container for a schema.
    /// - Parameters:
    ///   - givenSchema: The schema.
    ///   - migrationPlan: The plan by which older files are migrated; `nil` to infer migrations from the schemas.
    ///   - configurations: One for each store; none for a store at the default place.
    /// - Throws: `SwiftDataError`; see `init(for:migrationPlan:configurations:)` for its values.
    public convenience init(
        for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: givenSchema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Creates a container for a schema: opens the stores, or creates them, one for each configuration.
    ///
    /// With several configurations, each store keeps the models of its configuration's schema, and the one without a schema
    /// keeps the rest. A class is kept in one store, together with its subclasses and the classes that its relationships
    /// refer to.
    ///
    /// A file of an older schema is migrated first, by the plan or, without one, as inferred from the two schemas. A file
    /// that cannot be migrated is left unchanged.
    /// - Parameters:
    ///   - givenSchema: The schema.
    ///   - migrationPlan: The plan by which older files are migrated; `nil` to infer migrations from the schemas.
    ///   - configurations: One for each store; none for a store at the default place.
    /// - Throws: `SwiftDataError.loadIssueModelContainer` if the schema is invalid, the configurations do not fit together,
    ///   or a file cannot be opened or migrated (the description names the entity and property); `unknownDataStoreSchema` or
    ///   `backwardMigration` if no stages of the plan go from the file's version to the schema; `duplicateConfiguration` or
    ///   an error whose name begins with `configuration` for an invalid configuration.
    public init(
        for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [ModelConfiguration]
    ) throws {
        core = try ContainerCore(schema: givenSchema, migrationPlan: migrationPlan, configurations: configurations)
        core.owner.withLock { $0.container = self }
    }

    /// Creates a container for model classes, with stores of the program's own classes, alone or beside others.
    /// - Parameters:
    ///   - forTypes: The model classes.
    ///   - configurations: One for each store.
    /// - Throws: `SwiftDataError.loadIssueModelContainer` if the schema is invalid, the configurations do not fit together,
    ///   or a store cannot be opened (the description has the store's error); `duplicateConfiguration` or an error whose
    ///   name begins with `configuration` for an invalid configuration; or the error of a configuration's `validate()`.
    @_disfavoredOverload
    public convenience init(
        for forTypes: any PersistentModel.Type..., configurations: any DataStoreConfiguration...
    ) throws {
        try self.init(for: Schema(forTypes), configurations: configurations)
    }

    /// Creates a container for a schema, with stores of the program's own classes, alone or beside others.
    /// - Parameters:
    ///   - givenSchema: The schema.
    ///   - configurations: One for each store.
    /// - Throws: `SwiftDataError.loadIssueModelContainer` if the schema is invalid, the configurations do not fit together,
    ///   or a store cannot be opened (the description has the store's error); `duplicateConfiguration` or an error whose
    ///   name begins with `configuration` for an invalid configuration; or the error of a configuration's `validate()`.
    @_disfavoredOverload
    public init(for givenSchema: Schema, configurations: [any DataStoreConfiguration]) throws {
        core = try ContainerCore(schema: givenSchema, migrationPlan: nil, configurations: configurations)
        core.owner.withLock { $0.container = self }
    }

    /// Creates another handle on the same stores.
    init(_ core: ContainerCore) {
        self.core = core
    }
}
