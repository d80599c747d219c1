import Foundation
import ObjectGraph
import Synchronization

/// The frequently used data of an entity's managed objects: the place of each property, and the class. Made once per coordinator.
final class EntityTable: @unchecked Sendable {
    // Constants, and a class that is set atomically by the first thread that finds it; the descriptions are those of a model in
    // use, which never change. A table with a recorder is used only by the thread that evaluates the key path.
    let entity: Entity
    let description: NSEntityDescription
    private let places: NameTable<PropertyPlace>
    /// Parallel to `places`: the places of attributes whose values need no conversion.
    private let plainPlaces: [PlainPlace?]
    /// The default values of new objects, by slot.
    let defaults: [(slot: Int, value: Value)]
    /// The default values of attributes whose values are objects of the program.
    let objectDefaults: [ObjectDefault]
    /// Attributes, then relationships, by name, with their validation rules.
    let properties: [(name: String, place: PropertyPlace, predicates: [NSPredicate], warnings: [Any])]
    /// The recorder of a temporary object that records which properties a key path reads; `nil` for all other objects.
    let recorder: KeyPathRecorder?
    /// The class, once it was found.
    private let foundClass = Atomic<UnsafeRawPointer?>(nil)

    init(_ entity: Entity, _ description: NSEntityDescription, recorder: KeyPathRecorder? = nil) {
        self.entity = entity
        self.recorder = recorder
        self.description = description
        var places: [String: PropertyPlace] = [:]
        var defaults: [(Int, Value)] = []
        var objectDefaults: [ObjectDefault] = []
        for (name, property) in description.propertiesByName {
            if let attribute = entity.attribute(named: name), let own = property as? NSAttributeDescription {
                let isOutsideSlot = own.attributeType.engineType == nil
                let place = AttributePlace(attribute, own, isOutsideSlot: isOutsideSlot)
                places[name] = .attribute(place)
                defaults += zip(attribute.slots, attribute.attribute.defaultValue ?? [])
                objectDefaults += ObjectDefault(of: place).map { [$0] } ?? []
            } else if let relationship = entity.relationship(named: name) {
                places[name] = relationship.isToOne ? .toOne(relationship) : .toMany(relationship)
            } else if let fetched = property as? NSFetchedPropertyDescription {
                places[name] = .fetched(fetched)
            }
        }
        self.places = NameTable(places)
        plainPlaces = self.places.all.map(\.plain)
        self.defaults = defaults
        self.objectDefaults = objectDefaults
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        let byName = description.propertiesByName
        properties = names.compactMap { name in
            places[name].map { ($0, byName[name]) }.map { place, property in
                (name, place, property?.validationPredicates ?? [], property?.validationWarnings ?? [])
            }
        }
    }

    subscript(key: String) -> PropertyPlace? { places[key] }

    /// The place of an attribute whose slot needs nothing but its type to be read; `nil` for any other property.
    @inline(__always)
    func plainPlace(_ key: String) -> PlainPlace? { places.index(of: key).flatMap { plainPlaces[$0] } }

    var attributes: [AttributePlace] {
        entity.attributes.compactMap { if case .attribute(let place)? = places[$0.name] { place } else { nil } }
    }

    /// Looked up on demand, because a program may register its class late.
    var objectClass: NSManagedObject.Type {
        if let found = foundClass.load(ordering: .acquiring) { return Self.type(found) }
        guard let named = ManagedClasses.type(named: description.managedObjectClassName) else {
            return NSManagedObject.self
        }
        let pointer = unsafeBitCast(named, to: UnsafeRawPointer.self)
        let first = foundClass.compareExchange(expected: nil, desired: pointer, ordering: .acquiringAndReleasing)
        return first.original.map(Self.type) ?? named
    }

    /// The stored pointer is always that of such a class.
    private static func type(_ pointer: UnsafeRawPointer) -> NSManagedObject.Type {
        unsafeBitCast(pointer, to: NSManagedObject.Type.self)
    }
}

/// The place of a property of a managed object.
enum PropertyPlace {
    case attribute(AttributePlace)
    case toOne(EntityRelationship)
    case toMany(EntityRelationship)
    /// A fetched property.
    case fetched(NSFetchedPropertyDescription)

    var isAttribute: Bool { if case .attribute = self { true } else { false } }

    /// The slots in the object's own row; empty for properties that are not in it.
    var slots: Range<Int> {
        switch self {
        case .attribute(let place): place.attribute.slots
        case .toOne(let relationship): relationship.slot.map { $0..<$0 + 1 } ?? 0..<0
        case .toMany, .fetched: 0..<0
        }
    }

    fileprivate var plain: PlainPlace? {
        guard case .attribute(let place) = self, place.isPlain else { return nil }
        return PlainPlace(slot: place.slot, type: place.type)
    }
}

/// The slot of an attribute whose value can be read with nothing but its type. It has no references, so that reading values causes
/// no reference counting.
struct PlainPlace {
    let slot: Int
    let type: ObjectGraph.AttributeType
}

/// An attribute and its slots.
final class AttributePlace {
    let attribute: EntityAttribute
    let description: NSAttributeDescription
    /// Whether values may be of any type: they stay with the object, and the slot only marks changes.
    let isOutsideSlot: Bool
    let slot: Int
    /// Whether there is one slot, whose value can be read with nothing but its type.
    let isPlain: Bool
    /// Whether batch requests can write the attribute: it is neither derived nor transient.
    let isWritable: Bool
    let type: ObjectGraph.AttributeType

    init(_ attribute: EntityAttribute, _ description: NSAttributeDescription, isOutsideSlot: Bool) {
        self.attribute = attribute
        self.description = description
        self.isOutsideSlot = isOutsideSlot
        slot = attribute.slots.lowerBound
        type = attribute.attribute.type
        isWritable = !attribute.attribute.isDerived && !attribute.attribute.isTransient
        isPlain = !isOutsideSlot && type != .composite && type != .transformable
    }

    var name: String { attribute.name }
}

/// The tables of a model's entities.
final class ModelTables: Sendable {
    let model: Model
    let tables: [EntityTable]

    init(model: Model, description: NSManagedObjectModel) {
        self.model = model
        tables = model.entities.compactMap { entity in
            description.entityDescription(at: entity.index).map { EntityTable(entity, $0) }
        }
    }

    func table(at index: Int) -> EntityTable? { tables.indices.contains(index) ? tables[index] : nil }

    func table(named name: String) -> EntityTable? {
        model.entity(named: name).flatMap { table(at: $0.index) }
    }
}
