import Foundation
import ObjectGraph

/// Converts archived descriptions to `EntityDescription`s. Checks names, because they become part of SQL, and limits
/// depth and number, because references in an archive may form cycles.
struct ModelUnarchiver {
    static let entityLimit = 4096
    static let hierarchyLimit = 64
    private static let compositeLimit = 16
    private var propertyBudget = 1_000_000
    private let budget = TextBudget()

    mutating func entity(_ object: ArchivedObject) throws(ArchivedModelError) -> EntityDescription {
        let name = try checkedName(object, "NSEntityName")
        let superentity = object.object("NSSuperentity")
        var entity = EntityDescription(name, superentity: superentity?.string("NSEntityName"))
        entity.isAbstract = object.flag("NSIsAbstract")
        entity.versionHashModifier = object.string("NSVersionHashModifier")
        entity.renamingIdentifier = object.renamingIdentifier(unless: name)
        let inherited = try inheritedNames(superentity)
        for property in properties(of: object) {
            try spend()
            guard let propertyName = property.string("NSPropertyName"), !inherited.contains(propertyName) else {
                continue
            }
            switch property.className {
            case "NSAttributeDescription", "NSCompositeAttributeDescription", "NSDerivedAttributeDescription":
                entity.attributes.append(try attribute(property, entity: name, depth: 0))
            case "NSRelationshipDescription":
                entity.relationships.append(try relationship(property))
            default:
                continue
            }
        }
        entity.attributes.sort { $0.name.precedesByBytes($1.name) }
        entity.relationships.sort { $0.name.precedesByBytes($1.name) }
        entity.uniquenessConstraints = constraints(of: object)
        entity.indexes = indexes(of: object)
        return entity
    }

    private mutating func spend() throws(ArchivedModelError) {
        propertyBudget -= 1
        guard propertyBudget >= 0 else { throw .tooLarge }
    }

    private func checkedName(_ object: ArchivedObject, _ field: String) throws(ArchivedModelError) -> String {
        guard let name = object.string(field) else {
            throw .missingField(className: object.className, field: field)
        }
        guard PlainName.isValid(name) else { throw .unusableName(name) }
        return name
    }

    // MARK: Properties

    /// Returns the properties of an entity, with placeholders of inherited ones resolved.
    private func properties(of entity: ArchivedObject) -> [ArchivedObject] {
        entity.entries("NSProperties").compactMap { entity.archive.object($0.value) }.compactMap { property in
            property.className == "_NSPropertyDescriptionProxy" ? property.object("NSUnderlyingProperty") : property
        }
    }

    /// Returns inherited names, because archived subentities repeat inherited properties.
    private mutating func inheritedNames(
        _ superentity: ArchivedObject?
    ) throws(ArchivedModelError) -> Set<String> {
        var names: Set<String> = []
        var current = superentity
        for _ in 0..<Self.hierarchyLimit {
            guard let entity = current else { break }
            for property in properties(of: entity) {
                try spend()
                if let name = property.string("NSPropertyName") { names.insert(name) }
            }
            current = entity.object("NSSuperentity")
        }
        return names
    }

    private mutating func attribute(
        _ object: ArchivedObject, entity: String, depth: Int
    ) throws(ArchivedModelError) -> Attribute {
        try spend()
        guard depth < Self.compositeLimit else { throw .tooLarge }
        let name = try checkedName(object, "NSPropertyName")
        let flags = object.integer("NSFlagsKey") ?? 0
        var attribute = Attribute(
            name, try type(of: object, name, entity: entity), optional: object.flag("NSIsOptional"))
        attribute.isTransient = object.flag("NSIsTransient")
        attribute.allowsExternalStorage = flags & 4 != 0
        attribute.preservesValueOnDeletion = flags & 16 != 0
        attribute.versionHashModifier = object.string("NSVersionHashModifier")
        attribute.renamingIdentifier = object.renamingIdentifier(unless: name)
        attribute.transformerName = object.string("NSValueTransformerName")
        for element in attribute.type == .composite ? object.objects("NSCompositeElements") : [] {
            attribute.elements.append(try self.attribute(element, entity: entity, depth: depth + 1))
        }
        attribute.isEnum = object.entries("NSUserInfo").contains { object.archive.string($0.key) == "EnumType" }
        if object.className == "NSDerivedAttributeDescription" {
            attribute.derivation = DerivationText.text(of: object.object("NSDerivationExpression"), budget) ?? ""
            attribute.derivationFilter = DerivationText.text(of: object.object("NSFilteringPredicate"), budget)
        }
        attribute.defaultValue = ArchivedDefault.values(of: object, for: attribute)
        return attribute
    }

    /// Returns the type of an attribute. A transient attribute may have none; it has no column, so any type will do.
    private func type(
        of object: ArchivedObject, _ name: String, entity: String
    ) throws(ArchivedModelError) -> AttributeType {
        let number = object.integer("NSAttributeType") ?? 0
        if let type = Int32(exactly: number).flatMap(AttributeType.init(rawValue:)) { return type }
        guard object.flag("NSIsTransient") else {
            throw .unknownAttributeType(entity: entity, attribute: name, number: number)
        }
        return .transformable
    }

    private func relationship(_ object: ArchivedObject) throws(ArchivedModelError) -> Relationship {
        let name = try checkedName(object, "NSPropertyName")
        let destination =
            object.string("_NSDestinationEntityName") ?? object.object("NSDestinationEntity")?.string("NSEntityName")
        guard let destination else {
            throw .missingField(className: object.className, field: "_NSDestinationEntityName")
        }
        let maximum = object.integer("NSMaxCount") ?? 0
        var relationship = Relationship(
            name, to: destination, maximum == 1 ? .toOne : .toMany,
            inverse: object.string("_NSInverseRelationshipName")
                ?? object.object("NSInverseRelationship")?.string("NSPropertyName"),
            deleteRule: Int32(exactly: object.integer("NSDeleteRule") ?? 1).flatMap(DeleteRule.init) ?? .nullify,
            optional: object.flag("NSIsOptional"))
        relationship.isOrdered = object.flag("NSIsOrdered")
        relationship.isTransient = object.flag("NSIsTransient")
        relationship.minimumCount = Int(clamping: object.integer("NSMinCount") ?? 0)
        relationship.maximumCount = Int(clamping: maximum)
        relationship.versionHashModifier = object.string("NSVersionHashModifier")
        relationship.renamingIdentifier = object.renamingIdentifier(unless: name)
        return relationship
    }

    // MARK: Constraints and indexes

    /// Elements are names, or the properties themselves.
    private func constraints(of entity: ArchivedObject) -> [[String]] {
        (entity.elements("NSUniqueTuples") ?? []).compactMap { tuple in
            let names = (entity.archive.elements(tuple) ?? []).compactMap { element in
                entity.archive.string(element) ?? entity.archive.object(element)?.string("NSPropertyName")
            }
            return names.isEmpty ? nil : names
        }
    }

    /// Skips spatial indexes (element type 1), which are a different kind of table.
    private func indexes(of entity: ArchivedObject) -> [FetchIndex] {
        entity.objects("NSFetchIndexDescriptions").compactMap { index in
            let parts = index.objects("NSIndexElements")
            let elements = parts.compactMap { part -> FetchIndex.Element? in
                guard part.integer("NSFetchIndexElementType") ?? 0 == 0 else { return nil }
                let isAscending = part.value("NSAscending") == nil || part.flag("NSAscending")
                return part.string("NSPropertyName").map { FetchIndex.Element($0, ascending: isAscending) }
            }
            guard let name = index.string("NSIndexName"), !elements.isEmpty, elements.count == parts.count else {
                return nil
            }
            let condition = index.object("NSPartialIndexPredicate").map { PredicateText.text(of: $0, budget) }
            return FetchIndex(name: name, elements: elements, condition: condition)
        }
    }
}

extension ArchivedObject {
    /// The renaming identifier; archives repeat the name itself if there is none.
    fileprivate func renamingIdentifier(unless name: String) -> String? {
        string("NSRenamingIdentifier").flatMap { $0 == name ? nil : $0 }
    }
}
