import Foundation
import ObjectGraph
import PredicateFormat

/// Converts values by name, which stores of a program's own class use, to the engine's rows.
enum RowCoding {
    /// The values of a row, in slot order.
    /// - Parameters:
    ///   - value: the value of an attribute; `nil` for none.
    ///   - destination: the destination of a to-one relationship.
    /// - Throws: `CocoaError` 134060 for a value that is not of its attribute's type.
    static func values(
        of entity: Entity, attribute value: (String) throws -> Any?,
        destination: (EntityRelationship) throws -> ObjectID?
    ) throws -> SlotValues {
        var values = SlotValues(nulls: entity.slots.count)
        for attribute in entity.attributes where !attribute.attribute.isTransient {
            guard let own = AttributeCoding.values(try value(attribute.name), of: attribute.attribute) else {
                throw CocoaError(
                    .coreData,
                    text: "The store gave a value for '\(entity.name).\(attribute.name)' that is not of its type.")
            }
            for (slot, value) in zip(attribute.slots, own) { values[slot] = value }
        }
        for relationship in entity.toOneRelationships {
            guard let slot = relationship.slot, let id = try destination(relationship) else { continue }
            values[slot] = .reference(id)
        }
        return values
    }

    /// The destinations of a relationship, in any form that a store may return.
    /// - Throws: `CocoaError` 134060 for a value that is not an identifier: ignoring it would hide a destination.
    static func destinations(_ any: Any?, of relationship: EntityRelationship, _ owner: String) throws -> [ObjectID] {
        try elements(any).filter { !FormatConstant($0).isNull }.map { element in
            guard let id = identifier(element) else {
                throw CocoaError(
                    .coreData,
                    text: "The store gave something for '\(owner).\(relationship.name)' that identifies no object.")
            }
            return id
        }
    }

    /// Identifiers in any collection that a store may return.
    static func identifiers(_ any: Any?) -> [ObjectID] { elements(any).compactMap(identifier) }

    private static func elements(_ any: Any?) -> [Any] {
        switch any {
        case nil: []
        case let array as [Any]: array
        case let set as Set<NSManagedObjectID>: Array(set)
        case let set as Set<NSManagedObject>: Array(set)
        case let set as Set<NSAtomicStoreCacheNode>: Array(set)
        case let set as NSSet: set.allObjects
        case let set as NSOrderedSet: set.array
        case let array as NSArray: array.map { $0 }
        case let one?: [one]
        }
    }

    private static func identifier(_ element: Any) -> ObjectID? {
        switch element {
        case let id as NSManagedObjectID: id.id
        case let object as NSManagedObject: object.record.id
        case let node as NSAtomicStoreCacheNode: node.objectID.id
        default: nil
        }
    }
}
