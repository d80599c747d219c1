import Foundation
import ObjectGraph

// Names of the variables in the expressions of property mappings.

/// The name of the variable of the migration manager in expressions of a mapping.
public let NSMigrationManagerKey = "manager"
/// The name of the variable of the source object in expressions of a mapping.
public let NSMigrationSourceObjectKey = "source"
/// The name of the variable of the destination object in expressions of a mapping.
public let NSMigrationDestinationObjectKey = "destination"
/// The name of the variable of the entity mapping in expressions of a mapping.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The name of the variable of the property mapping in expressions of a mapping.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The name of the variable of the migration policy in expressions of a mapping.
public let NSMigrationEntityPolicyKey = "entityPolicy"

/// A policy that migrates the objects of one entity mapping. Subclasses override a part of it.
///
/// All entity mappings are run in three rounds. In the first, `begin`, then `createDestinationInstances` for each source
/// object, then `endInstanceCreation`. In the second, `createRelationships` for each new object, then
/// `endRelationshipCreation`. In the third, `performCustomValidation` and `end`.
nonisolated open class NSEntityMigrationPolicy: NSObject {
    /// Creates a policy.
    public required override init() {
        super.init()
    }

    /// Registers the class, which is necessary for classes that are nested in others or private.
    public class func register() {
        MigrationPolicyClasses.register(self)
    }

    /// Called before the first object of the mapping.
    /// - Parameters:
    ///   - mapping: the entity mapping.
    ///   - manager: the migration manager.
    /// - Throws: Any error, to end the migration.
    open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

    /// Creates the new object of a source object, sets the values of the attribute mappings, and associates the two.
    ///
    /// A subclass that creates objects itself must associate them, or their relationships are not migrated.
    /// - Parameters:
    ///   - sInstance: the source object.
    ///   - mapping: the entity mapping.
    ///   - manager: the migration manager.
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
                made.copyValues(of: theirs, from: sInstance, own)
                continue
            }
            made.setValue(try value(of: property, mapping, manager, sInstance, made), forKey: key)
        }
        manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
    }

    /// Called after the last object of the mapping was created.
    /// - Parameters:
    ///   - mapping: the entity mapping.
    ///   - manager: the migration manager.
    /// - Throws: Any error, to end the migration.
    open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Sets the relationships of a new object by the relationship mappings.
    /// - Parameters:
    ///   - dInstance: the new object.
    ///   - mapping: the entity mapping.
    ///   - manager: the migration manager.
    /// - Throws: `CocoaError` 134110 for a mapping of a property that one of the two does not have, for an expression that
    ///   cannot be used, and for an object that the relationship cannot refer to.
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

    /// Called after the relationships of the mapping's last object were set.
    /// - Parameters:
    ///   - mapping: the entity mapping.
    ///   - manager: the migration manager.
    /// - Throws: Any error, to end the migration.
    open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Called when all objects of all mappings and their relationships are complete.
    /// - Parameters:
    ///   - mapping: the entity mapping.
    ///   - manager: the migration manager.
    /// - Throws: Any error, to end the migration.
    open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Called last for the mapping.
    /// - Parameters:
    ///   - mapping: the entity mapping.
    ///   - manager: the migration manager.
    /// - Throws: Any error, to end the migration.
    open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Returns the value of `FUNCTION($entityPolicy, "name", …)` in an expression of the mapping.
    ///
    /// Methods cannot be called by name here: a subclass whose mapping model calls functions overrides this.
    ///
    /// ```swift
    /// override func value(ofFunction name: String, arguments: [Any?]) throws -> Any? {
    ///     guard name == "yearsForAge:" else { return try super.value(ofFunction: name, arguments: arguments) }
    ///     return (arguments.first as? Int).map { "\($0) years" }
    /// }
    /// ```
    /// - Parameters:
    ///   - name: the name of the function.
    ///   - arguments: the values of its arguments.
    /// - Throws: `CocoaError` 134110 for an unknown function; the migration ends with it.
    open func value(ofFunction name: String, arguments: [Any?]) throws -> Any? {
        throw MappingFunctions.unknown(name, of: self)
    }

    final var functionFailure: (any Error)?

    /// Checks the names first, because reading an unknown property would end the process.
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

/// Policies by class name, looked up like the classes of managed objects.
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
