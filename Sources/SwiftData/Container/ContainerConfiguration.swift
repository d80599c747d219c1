import Foundation
import ObjectGraph
import SQLiteStore

/// Checks configurations and opens their stores.
enum ContainerConfiguration {
    /// Returns the checked configurations, or the default one if there are none.
    /// - Throws: `duplicateConfiguration`, `configurationSchemaNotFoundInContainerSchema`, and the errors of
    ///   `ModelConfiguration.validate()`.
    static func checked(
        _ configurations: [any DataStoreConfiguration], for schema: Schema
    ) throws -> [any DataStoreConfiguration] {
        var names: Set<String> = []
        for configuration in configurations {
            guard names.insert(configuration.name).inserted else {
                throw SwiftDataError.duplicateConfiguration.explained("Its name is '\(configuration.name)'.")
            }
            try configuration.validate()
            let missing = (configuration.schema?.entities ?? []).filter { schema.entitiesByName[$0.name] == nil }
            guard missing.isEmpty else {
                throw SwiftDataError.configurationSchemaNotFoundInContainerSchema
                    .explained("Missing: \(missing.map(\.name).sorted().joined(separator: ", ")).")
            }
        }
        return configurations.isEmpty ? [ModelConfiguration(schema: schema)] : configurations
    }

    /// Opens the stores. A single configuration keeps the whole model, whatever its schema; several divide it among
    /// themselves. No store is opened or created unless the configurations are compatible.
    static func openStore(
        _ configurations: [any DataStoreConfiguration], schema: Schema, model: Model,
        plan: (any SchemaMigrationPlan.Type)?
    ) throws -> any Store {
        if configurations.count == 1, let only = configurations.first {
            guard let own = only as? ModelConfiguration else {
                return StoreView(try StoreGroup(model: model, stores: [open(only, schema, model, of: model)]))
            }
            return try openStore(own, model: model, plan: plan, share: nil)
        }
        let assignment = try StoreAssignment(configurations, model: model)
        let group = try StoreGroup(
            model: model,
            stores: assignment.shares.map { configuration, entityNames -> any Store in
                let part = try model.restricted(to: entityNames)
                guard let own = configuration as? ModelConfiguration else {
                    return try open(configuration, schema, part, of: model)
                }
                return try openStore(own, model: part, plan: plan, share: entityNames)
            })
        return StoreView(group)
    }

    /// Opens a store of a class of the program's own.
    /// - Parameter part: The part of the container's model that the store keeps.
    private static func open<Configuration: DataStoreConfiguration>(
        _ configuration: Configuration, _ schema: Schema, _ part: Model, of model: Model
    ) throws -> ObjectStore {
        let types = model.entities.map { entity in
            part.has(entity.index) ? schema.modelTypesByName[entity.name].map(ModelType.of) : nil
        }
        // A store may decode its snapshots as soon as it is opened.
        SnapshotTypes.register(types.compactMap { $0 })
        var configuration = configuration
        if configuration.schema == nil { configuration.schema = schema }
        let store = try Configuration.Store(configuration, migrationPlan: nil)
        let rows = DataStoreRows(store, model: part, types: types)
        return ObjectStore(identifier: store.identifier, model: part, isReadOnly: false, rows: rows)
    }

    private static func openStore(
        _ configuration: ModelConfiguration, model: Model, plan: (any SchemaMigrationPlan.Type)?, share: Set<String>?
    ) throws -> SQLiteStore {
        if configuration.isStoredInMemoryOnly {
            return try SQLiteStore(model: model, location: .memory, isReadOnly: !configuration.allowsSave)
        }
        let url = configuration.url
        let logFiles = LogFiles(of: url)
        do {
            if configuration.allowsSave {
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try StoreMigrating(url: url, model: model, plan: plan, share: share).run()
            }
            return try SQLiteStore(model: model, location: .file(url), isReadOnly: !configuration.allowsSave)
        } catch {
            if configuration.allowsSave { logFiles.removeIfMade() }
            throw ErrorMapping.opening(error, at: url)
        }
    }
}
