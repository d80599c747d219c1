import Foundation
import ObjectGraph
import SQLiteStore

/// From configurations to open stores.
enum ContainerConfiguration {
    /// The configurations, or the default one when there are none.
    /// - Throws: `duplicateConfiguration`, `configurationSchemaNotFoundInContainerSchema`, and what
    ///   `ModelConfiguration.validate()` throws.
    static func checked(_ configurations: [ModelConfiguration], for schema: Schema) throws -> [ModelConfiguration] {
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

    /// One configuration keeps the whole model, whatever its schema; several share it out. Nothing is opened or made
    /// unless they fit together.
    static func openStore(_ configurations: [ModelConfiguration], model: Model) throws -> any Store {
        if configurations.count == 1, let only = configurations.first { return try openStore(only, model: model) }
        let assignment = try StoreAssignment(configurations, model: model)
        return try StoreSet(
            model: model,
            stores: assignment.shares.map { configuration, entityNames in
                try openStore(configuration, model: model.restricted(to: entityNames))
            })
    }

    private static func openStore(_ configuration: ModelConfiguration, model: Model) throws -> SQLiteStore {
        if configuration.isStoredInMemoryOnly { return try SQLiteStore(model: model, location: .memory) }
        if configuration.allowsSave {
            try FileManager.default.createDirectory(
                at: configuration.url.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        return try SQLiteStore(
            model: model, location: .file(configuration.url), isReadOnly: !configuration.allowsSave)
    }
}
