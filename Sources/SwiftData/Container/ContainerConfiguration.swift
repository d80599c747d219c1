import Foundation
import ObjectGraph
import SQLiteStore

/// From configurations to an open store.
enum ContainerConfiguration {
    static func single(of configurations: [ModelConfiguration], for schema: Schema) throws -> ModelConfiguration {
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
        guard configurations.count < 2 else {
            throw SwiftDataError.loadIssueModelContainer.explained(
                "A container keeps its models in one store; make one container per configuration.")
        }
        return configurations.first ?? ModelConfiguration(schema: schema)
    }

    static func openStore(_ configuration: ModelConfiguration, model: Model) throws -> SQLiteStore {
        if configuration.isStoredInMemoryOnly { return try SQLiteStore(model: model, location: .memory) }
        if configuration.allowsSave {
            try FileManager.default.createDirectory(
                at: configuration.url.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        return try SQLiteStore(
            model: model, location: .file(configuration.url), isReadOnly: !configuration.allowsSave)
    }
}
