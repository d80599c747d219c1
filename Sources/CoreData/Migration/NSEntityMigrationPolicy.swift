import Foundation
import ObjectGraph

// Names of the variables in the expressions of property mappings.

public let NSMigrationManagerKey = "manager"
public let NSMigrationSourceObjectKey = "source"
public let NSMigrationDestinationObjectKey = "destination"
public let NSMigrationEntityMappingKey = "entityMapping"
public let NSMigrationPropertyMappingKey = "propertyMapping"
public let NSMigrationEntityPolicyKey = "entityPolicy"

/// How the objects of one entity mapping are brought over. Subclasses change a part of it.
///
/// There are three rounds over all entity mappings. In the first, `begin`, then `createDestinationInstances` for each source
/// object, then `endInstanceCreation`. In the second, `createRelationships` for each new object, then
/// `endRelationshipCreation`. In the third, `performCustomValidation` and `end`.
nonisolated open class NSEntityMigrationPolicy: NSObject {
    public required override init() {
        super.init()
    }

    /// Makes the class known by its name, as is needed for classes that are nested in others or private.
    public class func register() {
        MigrationPolicyClasses.register(self)
    }

    /// Called before the first object of the mapping.
    open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

    /// Makes the new object, gives it the values of the attribute mappings, and associates it with the source object. A
    /// subclass that makes objects itself associates them, or their relationships are not brought.
    /// - Throws: `CocoaError` 134110 for a mapping of a property that one of the two does not have, for an expression that
    ///   cannot be used, and for an abstract destination.
    open func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        guard let name = mapping.destinationEntityName else { return }
        guard manager.destinationEntity(for: mapping)?.isAbstract != true else {
            throw CocoaError(
                .migration,
                text:
                    "Mapping '\(mapping.name ?? "")' makes objects of '\(name)', which is abstract; change the mapping."
            )
        }
        let made = NSEntityDescription.insertNewObject(forEntityName: name, into: manager.destinationContext)
        for property in mapping.attributeMappings ?? [] {
            guard let key = property.name, property.isUsable(for: sInstance) else { continue }
            try check(property, sInstance, made, isKnown: made.entity.attributesByName[key] != nil)
            if let (theirs, own) = property.copied(from: sInstance, to: made) {
                made.takeValues(of: theirs, from: sInstance, own)
                continue
            }
            made.setValue(try value(of: property, mapping, manager, sInstance, made), forKey: key)
        }
        manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
    }

    /// Called after the last object of the mapping was made.
    open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Gives a new object the destinations of the relationship mappings.
    /// - Throws: As `createDestinationInstances(forSource:in:manager:)`.
    open func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let source = manager.sourceInstances(
            forEntityMappingName: mapping.name, destinationInstances: [dInstance]
        ).first
        for property in mapping.relationshipMappings ?? [] {
            guard let key = property.name, let source, property.isUsable(for: source) else { continue }
            let relationship = dInstance.entity.relationshipsByName[key]
            try check(property, source, dInstance, isKnown: relationship != nil)
            guard let relationship else { continue }
            let found = try manager.destinationObjects(
                value(of: property, mapping, manager, source, dInstance), for: relationship)
            if !relationship.isToMany {
                dInstance.setValue(found.first, forKey: key)
            } else if relationship.isOrdered {
                dInstance.setValue(NSOrderedSet(array: found), forKey: key)
            } else {
                dInstance.setValue(Set(found), forKey: key)
            }
        }
    }

    /// Called after the relationships of the mapping's last object.
    open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Called when all objects of all mappings are whole.
    open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Called last.
    open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// What `FUNCTION($entityPolicy, "name", …)` in an expression of the mapping gives. There are no methods by name here: a
    /// subclass whose mapping model calls some overrides this.
    ///
    /// ```swift
    /// override func value(ofFunction name: String, arguments: [Any?]) throws -> Any? {
    ///     guard name == "yearsForAge:" else { return try super.value(ofFunction: name, arguments: arguments) }
    ///     return (arguments.first as? Int).map { "\($0) years" }
    /// }
    /// ```
    /// - Throws: `CocoaError` 134110 unless a subclass knows the function; the migration ends with it.
    open func value(ofFunction name: String, arguments: [Any?]) throws -> Any? {
        throw MappingFunctions.unknown(name, of: self)
    }

    final var functionFailure: (any Error)?

    /// What is asked by a name that is not the model's would end the process.
    private func check(
        _ property: NSPropertyMapping, _ source: NSManagedObject, _ destination: NSManagedObject, isKnown: Bool
    ) throws {
        if let malformation = property.valueExpression?.tree.malformation {
            throw CocoaError(
                .migration,
                text: "The expression of '\(destination.entity.name ?? "").\(property.name ?? "")' cannot be read: "
                    + "\(malformation)")
        }
        if let method = property.unknownMethod {
            throw CocoaError(
                .migration,
                text:
                    "The expression of '\(destination.entity.name ?? "").\(property.name ?? "")' calls '\(method)'; only "
                    + "$manager and $entityPolicy have functions by name. Change the mapping.")
        }
        if isKnown, property.isReadable(from: source) { return }
        throw CocoaError(
            .migration,
            text: "The mapping of '\(destination.entity.name ?? "").\(property.name ?? "")' from "
                + "'\(source.entity.name ?? "")' names a property that the models do not have; change the mapping.")
    }

    private func value(
        of property: NSPropertyMapping, _ mapping: NSEntityMapping, _ manager: NSMigrationManager,
        _ source: NSManagedObject, _ destination: NSManagedObject
    ) throws -> Any? {
        let variables: NSMutableDictionary = [:]
        variables[NSMigrationManagerKey] = manager
        variables[NSMigrationSourceObjectKey] = source
        variables[NSMigrationDestinationObjectKey] = destination
        variables[NSMigrationEntityMappingKey] = mapping
        variables[NSMigrationPropertyMappingKey] = property
        variables[NSMigrationEntityPolicyKey] = self
        manager.currentPropertyMapping = property
        defer { manager.currentPropertyMapping = nil }
        let value = property.valueExpression?.expressionValue(with: source, context: variables)
        try manager.throwFunctionFailure()
        try throwFunctionFailure()
        return value
    }
}

/// Policies by class name, as for managed objects.
enum MigrationPolicyClasses {
    private static let table = Locked<[String: NSEntityMigrationPolicy.Type]>([:])

    static func register(_ type: NSEntityMigrationPolicy.Type) {
        let name = String(reflecting: type)
        table.withLock { table in
            table[name] = type
            table[ManagedClasses.lastName(name)] = type
        }
    }

    /// - Parameter name: `nil` for the general policy.
    /// - Throws: `CocoaError` 134170 for a class that is not found.
    static func policy(named name: String?) throws -> NSEntityMigrationPolicy {
        guard let name, !name.isEmpty else { return NSEntityMigrationPolicy() }
        let known = table.withLock { $0[name] ?? $0[ManagedClasses.lastName(name)] }
        guard let type = known ?? (NSClassFromString(name) as? NSEntityMigrationPolicy.Type) else {
            throw CocoaError(
                .entityMigrationPolicy,
                text:
                    "No policy class '\(name)' was found; give its full name (Module.Class), or call register() on it.")
        }
        return type.init()
    }
}
