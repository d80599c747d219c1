import Foundation
import ObjectGraph
import PredicateFormat

/// Converts model files to the engine's model without Core Data or SwiftData. Omits what only programs need (classes,
/// validation, fetch requests, default values). Everything that determines a store's layout and version hashes is
/// included.
extension DocumentModel {
    /// - Throws: `DocumentError` for a property that a store cannot have, `ModelError`.
    package func engineModel() throws -> Model {
        let composites = Dictionary(composites.map { ($0.name, $0.elements) }, uniquingKeysWith: { first, _ in first })
        let descriptions = try entities.map { try $0.description(composites) }
        return try Model(
            descriptions.sorted { $0.name.precedesByBytes($1.name) },
            versionIdentifiers: [versionIdentifier].compactMap { $0 })
    }
}

private typealias Composites = [String: [DocumentAttribute]]

extension DocumentEntity {
    fileprivate func description(_ composites: Composites) throws(DocumentError) -> EntityDescription {
        var description = EntityDescription(name, superentity: parentName)
        description.isAbstract = isAbstract
        description.versionHashModifier = versionHashModifier
        description.renamingIdentifier = renamingIdentifier
        for attribute in attributes {
            description.attributes.append(try attribute.engineAttribute(of: name, composites, depth: 0))
        }
        for relationship in relationships {
            guard let destination = relationship.destinationName else {
                throw .unsuitableProperty(entity: name, property: relationship.name)
            }
            description.relationships.append(relationship.engineRelationship(to: destination))
        }
        description.uniquenessConstraints = uniquenessConstraints.filter { !$0.isEmpty }
        description.indexes = indexes.compactMap(\.engineIndex)
        return description
    }
}

extension DocumentAttribute {
    /// Limits the nesting of composites, as a composite may contain itself.
    private static var depthLimit: Int { 16 }

    fileprivate func engineAttribute(
        of entity: String, _ composites: Composites, depth: Int
    ) throws(DocumentError) -> Attribute {
        // A transient attribute has no column, so its type does not matter.
        guard depth < Self.depthLimit, let type = type ?? (isTransient ? .transformable : nil) else {
            throw .unsuitableProperty(entity: entity, property: name)
        }
        var attribute = Attribute(name, type, optional: isOptional)
        attribute.isTransient = isTransient
        attribute.allowsExternalStorage = allowsExternalStorage
        attribute.preservesValueOnDeletion = preservesValueOnDeletion
        attribute.transformerName = transformerName
        attribute.renamingIdentifier = renamingIdentifier
        attribute.versionHashModifier = versionHashModifier
        attribute.isEnum = userInfo.contains { $0.key == "EnumType" }
        // Printed in canonical form, which the version hashes are computed from.
        attribute.derivation = derivation.map { (try? ExpressionFormat(parsing: $0))?.description ?? $0 }
        guard type == .composite else { return attribute }
        let parts = elements.isEmpty ? composites[compositeName ?? ""] ?? [] : elements
        for part in parts {
            attribute.elements.append(try part.engineAttribute(of: entity, composites, depth: depth + 1))
        }
        return attribute
    }
}

extension DocumentRelationship {
    fileprivate func engineRelationship(to destination: String) -> Relationship {
        var relationship = Relationship(
            name, to: destination, isToMany ? .toMany : .toOne, inverse: inverseName, deleteRule: deleteRule,
            optional: isOptional)
        relationship.isOrdered = isOrdered
        relationship.isTransient = isTransient
        relationship.minimumCount = minimumCount ?? 0
        relationship.maximumCount = isToMany ? maximumCount ?? 0 : 1
        relationship.versionHashModifier = versionHashModifier
        relationship.renamingIdentifier = renamingIdentifier
        return relationship
    }
}

extension DocumentIndex {
    /// `nil` for kinds of indexes that SQLite stores do not create.
    fileprivate var engineIndex: FetchIndex? {
        let parts = elements.compactMap { part -> FetchIndex.Element? in
            guard !part.isSpatial, let name = part.propertyName else { return nil }
            return FetchIndex.Element(name, ascending: part.isAscending)
        }
        guard !parts.isEmpty, parts.count == elements.count else { return nil }
        return FetchIndex(name: name, elements: parts, condition: partialPredicate)
    }
}
