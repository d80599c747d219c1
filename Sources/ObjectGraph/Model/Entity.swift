import Synchronization

/// An immutable entity of a `Model`. Inherited properties are always first, so a subentity's slots extend its
/// superentity's.
package final class Entity: Sendable {
    package let name: String
    /// The index in the model: the position in `Model.entities`, unless the model is restricted.
    package let index: Int
    package let superentityIndex: Int?
    /// The root entity of the hierarchy; rows of the whole hierarchy share one table and one key counter.
    package let rootIndex: Int
    /// Direct subentities.
    package let subentityIndexes: [Int]
    /// The entity and all entities below it.
    package let familyIndexes: [Int]
    package let isAbstract: Bool
    package let versionHashModifier: String?
    package let renamingIdentifier: String?
    /// Without inherited constraints.
    package let uniquenessConstraints: [[String]]
    /// Without inherited indexes.
    package let indexes: [FetchIndex]
    /// Inherited ones first, then own ones in declared order.
    package let attributes: [EntityAttribute]
    /// Inherited ones first, then own ones in declared order.
    package let relationships: [EntityRelationship]
    /// The meaning of each slot of a `Snapshot`.
    package let slots: [Slot]
    /// Slots that have a column and are written.
    package let storedSlots: [Int]
    /// Slots of transient attributes: their values belong to the graph and come from no row.
    let transientSlots: [Int]
    /// Slots of derived attributes: a store computes their values, and no version shows when these change.
    let derivedSlots: [Int]
    /// The slots of each property with any. The slots of one composite form one value.
    let propertySlots: [Range<Int>]
    /// The number of to-many relationships, which is the upper bound of `EntityRelationship.toManyIndex`.
    package let toManyCount: Int
    package let toOneRelationships: [EntityRelationship]
    package let toManyRelationships: [EntityRelationship]
    /// Attributes that must not be nil when a row is saved.
    package let mandatoryAttributes: [EntityAttribute]
    /// The slots of `mandatoryAttributes`. Stored separately, because every save iterates over these for every object.
    let mandatorySlots: [Range<Int>]
    /// Relationships whose counts are checked at a save.
    package let countedRelationships: [EntityRelationship]
    /// Whether the delete rule of a relationship may refuse the deletion of an object.
    let mayRefuseDeletes: Bool

    /// The number of `temporarySpace`, which is odd; 0 before its first use, as most entities are never instantiated.
    private let temporarySpaceNumber = Atomic<UInt32>(0)
    private let attributesByName: [String: Int]
    private let relationshipsByName: [String: Int]

    init(
        description: EntityDescription, index: Int, superentityIndex: Int?, rootIndex: Int, subentityIndexes: [Int],
        familyIndexes: [Int], attributes: [EntityAttribute], relationships: [EntityRelationship], slots: [Slot],
        toManyCount: Int
    ) {
        self.name = description.name
        self.index = index
        self.superentityIndex = superentityIndex
        self.rootIndex = rootIndex
        self.subentityIndexes = subentityIndexes
        self.familyIndexes = familyIndexes
        self.isAbstract = description.isAbstract
        self.versionHashModifier = description.versionHashModifier
        self.renamingIdentifier = description.renamingIdentifier
        self.uniquenessConstraints = description.uniquenessConstraints
        self.indexes = description.indexes
        self.attributes = attributes
        self.relationships = relationships
        self.slots = slots
        storedSlots = slots.indices.filter { Self.isStored(slots[$0], attributes) }
        transientSlots = slots.indices.filter { Self.isTransient(slots[$0], attributes) }
        derivedSlots = attributes.filter { $0.attribute.isDerived && !$0.attribute.isTransient }.flatMap(\.slots)
        propertySlots = attributes.map(\.slots) + relationships.compactMap { $0.slot.map { $0..<$0 + 1 } }
        self.toManyCount = toManyCount
        toOneRelationships = relationships.filter(\.isToOne)
        toManyRelationships = relationships.filter { !$0.isToOne }
        mandatoryAttributes = attributes.filter(\.attribute.requiresValue)
        mandatorySlots = mandatoryAttributes.map(\.slots)
        countedRelationships = relationships.filter(\.relationship.hasCount)
        mayRefuseDeletes = relationships.contains { DeleteRules.effect(of: $0) == .refuse }
        attributesByName = Dictionary(
            attributes.enumerated().map { ($1.attribute.name, $0) }, uniquingKeysWith: { first, _ in first })
        relationshipsByName = Dictionary(
            relationships.enumerated().map { ($1.relationship.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static func isStored(_ slot: Slot, _ attributes: [EntityAttribute]) -> Bool {
        guard case .attribute(let index, let leaf) = slot else { return true }
        return !isTransient(slot, attributes) && !attributes[index].attribute.isDerived && !leaf.isDerived
    }

    private static func isTransient(_ slot: Slot, _ attributes: [EntityAttribute]) -> Bool {
        guard case .attribute(let index, let leaf) = slot else { return false }
        return attributes[index].attribute.isTransient || leaf.isTransient
    }

    package func attribute(named name: String) -> EntityAttribute? {
        attributesByName[name].map { attributes[$0] }
    }

    package func relationship(named name: String) -> EntityRelationship? {
        relationshipsByName[name].map { relationships[$0] }
    }

    /// The space of the identities of new objects.
    @inline(__always)
    var temporarySpace: IDSpace {
        let number = temporarySpaceNumber.load(ordering: .relaxed)
        return number != 0 ? IDSpace(number: number) : makeTemporarySpace()
    }

    private func makeTemporarySpace() -> IDSpace {
        let space = IDSpace.intern(storeIdentifier: nil, entityName: name)
        temporarySpaceNumber.store(space.number, ordering: .relaxed)
        return space
    }

    package var isRoot: Bool { superentityIndex == nil }
    package var hasSubentities: Bool { !subentityIndexes.isEmpty }
}

/// An attribute with its slots in the entity's rows. A class, because entities and rows refer to it very often.
package final class EntityAttribute: Sendable {
    package let attribute: Attribute
    /// The index of the declaring entity.
    package let declaringIndex: Int
    /// One slot, or a composite's leaves in declared order.
    package let slots: Range<Int>

    init(attribute: Attribute, declaringIndex: Int, slots: Range<Int>) {
        self.attribute = attribute
        self.declaringIndex = declaringIndex
        self.slots = slots
    }

    package var name: String { attribute.name }
}

/// A relationship with its slot in the entity's rows and its resolved ends.
package final class EntityRelationship: Sendable {
    package let relationship: Relationship
    /// The position in `Entity.relationships`.
    package let index: Int
    /// The index of the declaring entity.
    package let declaringIndex: Int
    package let destinationIndex: Int
    /// The position of the inverse in the destination's `relationships`.
    package let inverseIndex: Int?
    /// The slot of a to-one relationship.
    package let slot: Int?
    /// A to-many relationship's index among the entity's to-many relationships.
    package let toManyIndex: Int?

    package let isToOne: Bool
    /// The effect of deleting a destination, which is that of the inverse. `DeleteRules` has the facts that follow.
    let destinationDelete: DeleteRules.Effect

    /// - Parameter inverse: The inverse and its position in the destination's `relationships`.
    init(
        relationship: Relationship, index: Int, declaringIndex: Int, destinationIndex: Int,
        inverse: (relationship: Relationship, index: Int)?, slot: Int?, toManyIndex: Int?
    ) {
        self.relationship = relationship
        self.index = index
        self.declaringIndex = declaringIndex
        self.destinationIndex = destinationIndex
        inverseIndex = inverse?.index
        self.slot = slot
        self.toManyIndex = toManyIndex
        isToOne = relationship.cardinality == .toOne
        destinationDelete =
            inverse.map { DeleteRules.effect(of: $0.relationship.deleteRule, hasInverse: true) } ?? .nothing
    }

    package var name: String { relationship.name }
}

/// The meaning of one slot of a snapshot.
package enum Slot: Sendable {
    /// A leaf of the attribute at `attributeIndex`; `leaf` is the leaf's own description.
    case attribute(attributeIndex: Int, leaf: Attribute)
    /// The key of the to-one relationship at `relationshipIndex`.
    case toOne(relationshipIndex: Int)
}
