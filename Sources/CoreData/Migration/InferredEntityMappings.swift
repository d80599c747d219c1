import Foundation
import ObjectGraph

/// Converts an inferred mapping to the public classes.
struct InferredEntityMappings {
    let inferred: InferredMapping
    private let hashes: (source: [String: VersionHash], destination: [String: VersionHash])

    init(_ inferred: InferredMapping) {
        self.inferred = inferred
        hashes = (inferred.source.versionHashes, inferred.destination.versionHashes)
    }

    var all: [NSEntityMapping] {
        let kept = inferred.destination.entities.filter { !$0.isAbstract }.map { entity in
            inferred.entities[entity.index].map { mapping(entity, $0) } ?? addition(entity)
        }
        let gone = inferred.source.entities.filter { inferred.successors[$0.index] == nil && !$0.isAbstract }
        return kept + gone.map(removal)
    }

    private func empty(_ name: String, _ type: NSEntityMappingType, from: Entity?, to: Entity?) -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = "\(name)\((to ?? from)?.name ?? "")"
        mapping.mappingType = type
        mapping.sourceEntityName = from?.name
        mapping.sourceEntityVersionHash = from.flatMap { hashes.source[$0.name] }.map { Data($0.bytes) }
        mapping.destinationEntityName = to?.name
        mapping.destinationEntityVersionHash = to.flatMap { hashes.destination[$0.name] }.map { Data($0.bytes) }
        return mapping
    }

    private func addition(_ entity: Entity) -> NSEntityMapping {
        empty("IEM_Add_", .addEntityMappingType, from: nil, to: entity)
    }

    private func removal(_ entity: Entity) -> NSEntityMapping {
        empty("IEM_Remove_", .removeEntityMappingType, from: entity, to: nil)
    }

    private func mapping(_ entity: Entity, _ mapping: EntityMapping) -> NSEntityMapping {
        let former = inferred.source[mapping.sourceIndex]
        let isSame = hashes.source[former.name] == hashes.destination[entity.name]
        let made =
            isSame
            ? empty("IEM_Copy_", .copyEntityMappingType, from: former, to: entity)
            : empty("IEM_Transform_", .transformEntityMappingType, from: former, to: entity)
        made.attributeMappings = zip(entity.attributes, mapping.attributeOrigins).compactMap { attribute, origin in
            guard !attribute.attribute.isTransient, !attribute.attribute.isDerived else { return nil }
            return origin.map { NSPropertyMapping(attribute.name, from: former.attributes[$0].name) }
        }
        made.relationshipMappings = zip(entity.relationships, mapping.relationshipOrigins).compactMap {
            relationship, origin in
            guard !relationship.relationship.isTransient else { return nil }
            return origin.map { NSPropertyMapping(relationship.name, from: former.relationships[$0].name) }
        }
        made.userInfo = propertyNames(entity, former, mapping)
        return made
    }

    /// Names of the stored properties with an origin in the older entity, of added ones, and of removed ones.
    private func propertyNames(_ entity: Entity, _ former: Entity, _ mapping: EntityMapping) -> [AnyHashable: Any] {
        var (mapped, origins): (Set<String>, Set<String>) = ([], [])
        for (attribute, origin) in zip(entity.attributes, mapping.attributeOrigins) {
            guard let origin else { continue }
            mapped.insert(attribute.name)
            origins.insert(former.attributes[origin].name)
        }
        for (relationship, origin) in zip(entity.relationships, mapping.relationshipOrigins) {
            guard let origin else { continue }
            mapped.insert(relationship.name)
            origins.insert(former.relationships[origin].name)
        }
        let (stored, formerlyStored) = (Self.storedNames(of: entity), Self.storedNames(of: former))
        return [
            "mappedProperties": mapped.intersection(stored), "addedProperties": stored.subtracting(mapped),
            "removedProperties": formerlyStored.subtracting(origins),
        ]
    }

    private static func storedNames(of entity: Entity) -> Set<String> {
        Set(entity.attributes.filter { !$0.attribute.isTransient }.map(\.name))
            .union(entity.relationships.filter { !$0.relationship.isTransient }.map(\.name))
    }
}
