import Foundation
import ObjectGraph

/// The assignment of entities to the configurations of a container that has several.
///
/// 1. A configuration keeps the entities of its schema; the one without a schema keeps those that no other configuration
///    names.
/// 2. Every entity of the container is kept by exactly one configuration.
/// 3. Relationships and class hierarchies stay within one store.
/// 4. Two configurations never share a file.
struct StoreAssignment {
    /// In the order of the configurations.
    let shares: [(configuration: any DataStoreConfiguration, entityNames: Set<String>)]

    /// - Throws: `StoreAssignmentError` for the first broken rule.
    init(_ configurations: [any DataStoreConfiguration], model: Model) throws {
        try Self.checkFiles(configurations.compactMap { $0 as? ModelConfiguration })
        let owners = try Self.owners(configurations, model)
        try Self.checkHierarchies(model, owners)
        try Self.checkRelationships(model, owners)
        shares = configurations.map { configuration in
            (configuration, Set(owners.filter { $0.value == configuration.name }.keys))
        }
    }

    private static func checkFiles(_ configurations: [ModelConfiguration]) throws {
        var names: [String: String] = [:]
        for configuration in configurations where !configuration.isStoredInMemoryOnly {
            let path = OpenStoreRegistry.name(of: configuration.url)
            if let other = names.updateValue(configuration.name, forKey: path) {
                throw StoreAssignmentError.sameFile(path, configurations: [other, configuration.name])
            }
        }
    }

    /// The name of the configuration that keeps each entity, by entity name.
    private static func owners(
        _ configurations: [any DataStoreConfiguration], _ model: Model
    ) throws -> [String: String] {
        var owners: [String: String] = [:]
        for configuration in configurations {
            for entity in configuration.schema?.entities ?? [] {
                if let other = owners.updateValue(configuration.name, forKey: entity.name) {
                    throw StoreAssignmentError.entityInSeveral(
                        entity.name, configurations: [other, configuration.name])
                }
            }
        }
        let open = configurations.filter { $0.schema == nil }.map(\.name)
        guard open.count < 2 else { throw StoreAssignmentError.severalWithoutSchema(open) }
        let rest = model.entities.map(\.name).filter { owners[$0] == nil }
        guard let name = open.first else {
            guard rest.isEmpty else { throw StoreAssignmentError.entitiesInNone(rest.sorted()) }
            return owners
        }
        for entity in rest { owners[entity] = name }
        return owners
    }

    private static func checkHierarchies(_ model: Model, _ owners: [String: String]) throws {
        for entity in model.entities {
            guard let parent = entity.superentityIndex.map({ model[$0] }), owners[parent.name] != owners[entity.name]
            else { continue }
            throw StoreAssignmentError.hierarchyAcrossStores(entity: entity.name, superentity: parent.name)
        }
    }

    private static func checkRelationships(_ model: Model, _ owners: [String: String]) throws {
        for entity in model.entities {
            for relationship in entity.relationships {
                let destination = model.destination(of: relationship)
                guard owners[destination.name] != owners[entity.name] else { continue }
                throw StoreAssignmentError.relationshipAcrossStores(
                    entity: entity.name, relationship: relationship.name, destination: destination.name,
                    configurations: [entity.name, destination.name].compactMap { owners[$0] })
            }
        }
    }
}

/// Configurations that are incompatible within one container.
enum StoreAssignmentError: Error, Hashable {
    case sameFile(String, configurations: [String])
    case entityInSeveral(String, configurations: [String])
    case entitiesInNone([String])
    case severalWithoutSchema([String])
    case hierarchyAcrossStores(entity: String, superentity: String)
    case relationshipAcrossStores(entity: String, relationship: String, destination: String, configurations: [String])
}

extension StoreAssignmentError: CustomStringConvertible {
    var description: String {
        switch self {
        case .sameFile(let path, let names):
            "Configurations \(Self.list(names)) have the same file, \(path); give each its own."
        case .entityInSeveral(let entity, let names):
            "Entity '\(entity)' is in the schemas of configurations \(Self.list(names)); leave it in one. A schema "
                + "includes the destinations of its relationships, so classes that are related belong to one configuration."
        case .entitiesInNone(let entities):
            "No configuration keeps \(Self.list(entities)); add each to the schema of one, or give a configuration "
                + "without a schema, which keeps the rest."
        case .severalWithoutSchema(let names):
            "Configurations \(Self.list(names)) have no schema; only one can keep the entities no other names."
        case .hierarchyAcrossStores(let entity, let superentity):
            "'\(entity)' and its superclass '\(superentity)' are kept in different stores; name both in the schema of "
                + "one configuration."
        case .relationshipAcrossStores(let entity, let relationship, let destination, let names):
            "Relationship '\(entity).\(relationship)' has the destination '\(destination)' in another store "
                + "(configurations \(Self.list(names))); keep both in one, or keep an identifier in place of the relationship."
        }
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
            + (names.count > 5 ? " and \(names.count - 5) more" : "")
    }
}
