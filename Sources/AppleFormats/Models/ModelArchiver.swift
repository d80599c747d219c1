import Foundation
import ObjectGraph

/// Archives a model in the format of Apple's files, so that a file can be inspected without the app's classes.
///
/// 1. Entities are in a dictionary with a fixed set of keys, by name. Each refers to its model, its superentity and its
///    direct subentities.
/// 2. An entity has all of its properties: inherited ones are repeated as separate objects.
/// 3. A relationship refers to its destination and to the destination's own object for its inverse.
/// 4. Booleans that are false are left out, and so are empty lists of indexes. Null values are written explicitly.
struct ModelArchiver {
    let model: Model
    var writer = KeyedArchiveWriter()
    let root: KeyedArchiveWriter.Place
    /// By entity index.
    let entities: [KeyedArchiveWriter.Place]
    /// By entity index, then relationship index.
    let relationships: [[KeyedArchiveWriter.Place]]
    /// The expression of the object itself, shared by all derivations.
    var selfExpression: PropertyList?
    /// Whether a part of the model cannot be archived.
    var hasGap = false

    /// - Returns: `nil` for a model with a derivation that cannot be archived: a model with a different meaning would be
    ///   worse than none.
    static func archive(_ model: Model) -> PropertyList? {
        var archiver = ModelArchiver(model.numberedWithoutGaps)
        archiver.fillRoot()
        return archiver.hasGap ? nil : archiver.writer.finished(root: archiver.root)
    }

    /// Reserves positions for all objects that others refer to before they are filled in. In Apple's files the root is first.
    private init(_ model: Model) {
        self.model = model
        var writer = KeyedArchiveWriter()
        root = writer.reserve()
        entities = model.entities.map { _ in writer.reserve() }
        relationships = model.entities.map { entity in entity.relationships.map { _ in writer.reserve() } }
        self.writer = writer
    }

    // MARK: Model

    /// The content of an unused slot in a dictionary with a fixed set of keys.
    private static let emptySlotToken = "__empty_slot_token_4c24_98dc_ac1e_b773__"
    /// The configuration that contains all entities.
    private static let configurationName = "default"

    private mutating func fillRoot() {
        let userInfo = writer.add(.dictionary, of: [(key: String, value: PropertyList)]())
        for (entity, place) in zip(model.entities, entities) {
            let fields = self.fields(of: entity, userInfo: userInfo)
            writer.fill(place, .entity, fields)
        }
        let members = writer.add(.set, of: entities.map(\.reference))
        let identifiers = model.versionIdentifiers.map { writer.add($0) }
        let fields = [
            "NSEntities": entitiesByName(),
            "NSConfigurations": writer.add(.mutableDictionary, of: [(Self.configurationName, members)]),
            "NSVersionIdentifiers": writer.add(.set, of: identifiers),
            "NSFetchRequestTemplates": KeyedArchiveWriter.null,
        ]
        writer.fill(root, .managedObjectModel, fields)
    }

    private mutating func entitiesByName() -> PropertyList {
        let sorted = zip(model.entities, entities).sorted { $0.0.name.precedesByBytes($1.0.name) }
        let keys = sorted.map { writer.add($0.0.name) }
        let mapping = [
            "keys": writer.add(.array, of: keys), "length": PropertyList.integer(Int64(keys.count)),
            "version": .integer(1),
        ]
        let fields = [
            "searchMapping": writer.add(.knownKeysMapping, mapping),
            "values": writer.add(.array, of: sorted.map(\.1.reference)),
            "emptyToken": writer.add(Self.emptySlotToken), "version": .integer(1),
        ]
        return writer.add(.knownKeysDictionary, fields)
    }

    // MARK: Entities

    private mutating func fields(of entity: Entity, userInfo: PropertyList) -> [String: PropertyList] {
        let subentities = entity.subentityIndexes.map { (model[$0].name, entities[$0].reference) }
        var fields = [
            "NSEntityName": writer.add(entity.name),
            "NSClassNameForEntity": KeyedArchiveWriter.null,
            "NSManagedObjectModel": root.reference,
            "NSProperties": properties(of: entity),
            "NSRenamingIdentifier": writer.add(entity.renamingIdentifier ?? entity.name),
            "NSSubentities": writer.add(.mutableDictionary, of: subentities),
            "NSSuperentity": entity.superentityIndex.map { entities[$0].reference } ?? KeyedArchiveWriter.null,
            "NSUserInfo": userInfo,
            "NSVersionHashModifier": writer.add(entity.versionHashModifier),
        ]
        if entity.isAbstract { fields["NSIsAbstract"] = .boolean(true) }
        if entity.isRoot || !entity.uniquenessConstraints.isEmpty {
            fields["NSUniqueTuples"] = nameLists(entity.uniquenessConstraints)
        }
        if !entity.indexes.isEmpty {
            fields["NSFetchIndexDescriptions"] = fetchIndexes(of: entity)
            fields["NSCompoundIndexes"] = nameLists(entity.indexes.map(\.propertyNames).filter { $0.count > 1 })
        }
        return fields
    }

    private mutating func properties(of entity: Entity) -> PropertyList {
        let indexed = Set(entity.indexes.map(\.propertyNames).filter { $0.count == 1 }.joined())
        var entries: [(key: String, value: PropertyList)] = []
        for attribute in entity.attributes {
            let place = self.place(of: attribute.attribute, in: entity, isIndexed: indexed.contains(attribute.name))
            entries.append((attribute.name, place))
        }
        for (relationship, place) in zip(entity.relationships, relationships[entity.index]) {
            fill(place, with: relationship, in: entity)
            entries.append((relationship.name, place.reference))
        }
        return writer.add(.mutableDictionary, of: entries)
    }

    private mutating func nameLists(_ lists: [[String]]) -> PropertyList {
        var elements: [PropertyList] = []
        for list in lists {
            let names = list.map { writer.add($0) }
            elements.append(writer.add(.mutableArray, of: names))
        }
        return writer.add(.mutableArray, of: elements)
    }

    private mutating func fetchIndexes(of entity: Entity) -> PropertyList {
        var places: [PropertyList] = []
        for index in entity.indexes {
            let place = writer.reserve()
            let elements = index.elements.map { fetchIndexElement($0, index: place) }
            let fields = [
                "NSIndexName": writer.add(index.name), "NSEntity": entities[entity.index].reference,
                "NSIndexElements": writer.add(.array, of: elements),
                "NSPartialIndexPredicate": KeyedArchiveWriter.null,
            ]
            writer.fill(place, .fetchIndex, fields)
            places.append(place.reference)
        }
        return writer.add(.mutableArray, of: places)
    }

    private mutating func fetchIndexElement(
        _ element: FetchIndex.Element, index: KeyedArchiveWriter.Place
    ) -> PropertyList {
        let fields = [
            "NSPropertyName": writer.add(element.propertyName), "NSFetchIndexDescription": index.reference,
            "NSFetchIndexElementType": .integer(0), "NSAscending": .boolean(element.isAscending),
        ]
        return writer.add(.fetchIndexElement, fields)
    }
}
