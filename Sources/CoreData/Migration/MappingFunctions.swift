import Foundation
import ObjectGraph
import PredicateFormat

/// Evaluates `FUNCTION(…)` in the expressions of a mapping. Expressions cannot throw, so the first error is kept until it is
/// checked.
protocol MappingFunctionOwner: AnyObject, FormatCallable {
    func value(ofFunction name: String, arguments: [Any?]) throws -> Any?
    var functionFailure: (any Error)? { get set }
}

extension MappingFunctionOwner {
    package func call(_ selector: String, _ arguments: [Any?]) -> Any? {
        do {
            return try value(ofFunction: selector, arguments: arguments)
        } catch {
            if functionFailure == nil { functionFailure = error }
            return nil
        }
    }

    func throwFunctionFailure() throws {
        guard let failure = functionFailure else { return }
        functionFailure = nil
        throw failure
    }
}

extension NSMigrationManager: MappingFunctionOwner {}
extension NSEntityMigrationPolicy: MappingFunctionOwner {}

extension NSMigrationManager: KeyValueReadable {
    package func readValue(forKey key: String) -> Any? {
        switch key {
        case "sourceModel": sourceModel
        case "destinationModel": destinationModel
        case "mappingModel": mappingModel
        case "sourceContext": sourceContext
        case "destinationContext": destinationContext
        case "currentEntityMapping": currentEntityMapping
        case "userInfo": userInfo
        default: nil
        }
    }
}

extension NSRelationshipDescription {
    func takes(_ object: NSManagedObject) -> Bool {
        destinationEntity.map { object.entity.isKindOf(entity: $0) } ?? false
    }
}

/// The functions of a manager that expressions may call, by the names of Apple's methods.
struct MappingFunctions {
    let manager: NSMigrationManager

    static let byMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    static let byRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
    static let request = "fetchRequestForSourceEntityNamed:predicateString:"
    private static let fullRequest = request + "includesSubentities:"

    static func unknown(_ name: String, of owner: AnyObject) -> CocoaError {
        CocoaError(
            .migration,
            text:
                "\(type(of: owner)) has no function '\(name)'; override value(ofFunction:arguments:), or change the mapping."
        )
    }

    func value(of name: String, _ arguments: [Any?]) throws -> Any? {
        switch (name, arguments.count) {
        case (Self.byMapping, 2):
            let mapping = try text(arguments[0], name)
            guard manager.mappingModel.entityMappingsByName[mapping] != nil else {
                throw CocoaError(.migration, text: "There is no mapping '\(mapping)' in the mapping model; change it.")
            }
            return manager.destinationInstances(
                forEntityMappingName: mapping, sourceInstances: NSMigrationManager.objects(in: arguments[1]))
        case (Self.byRelationship, 2):
            return manager.destinations(
                of: NSMigrationManager.objects(in: arguments[1]), fitting: currentRelationship)
        case (Self.request, 2): return try request(arguments, name, includesSubentities: false)
        case (Self.fullRequest, 3):
            return try request(arguments, name, includesSubentities: arguments[2] as? Bool ?? false)
        case (_, 0):
            if let value = manager.readValue(forKey: name) { return value }
            throw Self.unknown(name, of: manager)
        default: throw Self.unknown(name, of: manager)
        }
    }

    /// The destination's relationship whose value is being computed.
    private var currentRelationship: NSRelationshipDescription? {
        guard let name = manager.currentPropertyMapping?.name else { return nil }
        return manager.destinationEntity(for: manager.currentEntityMapping)?.relationshipsByName[name]
    }

    private func text(_ argument: Any?, _ name: String) throws -> String {
        guard let text = argument as? String else {
            throw CocoaError(.migration, text: "'\(name)' takes a text first; change the mapping.")
        }
        return text
    }

    private func request(
        _ arguments: [Any?], _ name: String, includesSubentities: Bool
    ) throws -> NSFetchRequest<NSManagedObject> {
        let entity = try text(arguments[0], name)
        guard manager.sourceModel.entitiesByName[entity] != nil else {
            throw CocoaError(.migration, text: "The source model has no entity '\(entity)'; change the mapping.")
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.includesSubentities = includesSubentities
        if let format = arguments[1] as? String, !format.isEmpty {
            request.predicate = try NSPredicate(validating: format)
        }
        return request
    }
}
