import Synchronization

/// A frozen entity of a `Model`. Inherited properties come first everywhere, so a subentity's slots extend its
/// superentity's.
package final class Entity: Sendable {
    package let name: String
    /// What the model has the entity under: its position in `Model.entities`, unless the model is restricted.
    package let index: Int
    package let superentityIndex: Int?
    /// The hierarchy's topmost entity; rows of the whole hierarchy share one table and one key counter.
    package let rootIndex: Int
    /// Direct subentities.
    package let subentityIndexes: [Int]
    /// The entity and everything below it.
    package let familyIndexes: [Int]
    package let isAbstract: Bool
    package let versionHashModifier: String?
    package let renamingIdentifier: String?
    /// Own constraints only.
    package let uniquenessConstraints: [[String]]
    /// Own indexes only.
    package let indexes: [FetchIndex]
    /// Inherited first, then own in declared order.
    package let attributes: [EntityAttribute]
    /// Inherited first, then own in declared order.
    package let relationships: [EntityRelationship]
    /// What each slot of a `Snapshot` holds.
    package let slots: [Slot]
    /// Slots that have a column and are written.
    package let storedSlots: [Int]
    /// Slots of transient attributes: what they hold is the graph's own and comes from no row.
    let transientSlots: [Int]
    /// Slots of derived attributes: a store computes what they hold, and no version tells when it changes.
    let derivedSlots: [Int]
    /// The slots of each property that has any: those of one composite are one value, which only makes sense as a whole.
    let propertySlots: [Range<Int>]
    /// Number of to-many relationships; `EntityRelationship.toManyIndex` counts them.
    package let toManyCount: Int
    package let toOneRelationships: [EntityRelationship]
    package let toManyRelationships: [EntityRelationship]
    /// Attributes that may not be nil when a row is saved.
    package let mandatoryAttributes: [EntityAttribute]
    /// Those of `mandatoryAttributes`. Apart from them, as every save goes through these for every object.
    let mandatorySlots: [Range<Int>]
    /// Relationships with a rule to check at save.
    package let countedRelationships: [EntityRelationship]
    /// Whether a relationship's rule may refuse that an object is deleted.
    let mayRefuseDeletes: Bool

    /// Number of `temporarySpace`, which is odd; 0 until that is first asked for, as most entities are never instantiated.
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

    /// Where identities of new objects are.
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

/// An attribute with its place in the entity's rows. A class, as entities and rows refer to it all the time.
package final class EntityAttribute: Sendable {
    package let attribute: Attribute
    /// Index of the entity that declares it.
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

/// A relationship with its place in the entity's rows and its resolved ends.
package final class EntityRelationship: Sendable {
    package let relationship: Relationship
    /// Position in `Entity.relationships`.
    package let index: Int
    /// Index of the entity that declares it.
    package let declaringIndex: Int
    package let destinationIndex: Int
    /// Position of the inverse in the destination's `relationships`.
    package let inverseIndex: Int?
    /// A to-one relationship's slot.
    package let slot: Int?
    /// A to-many relationship's number among the entity's to-many relationships.
    package let toManyIndex: Int?

    package let isToOne: Bool

    init(
        relationship: Relationship, index: Int, declaringIndex: Int, destinationIndex: Int, inverseIndex: Int?,
        slot: Int?, toManyIndex: Int?
    ) {
        self.relationship = relationship
        self.index = index
        self.declaringIndex = declaringIndex
        self.destinationIndex = destinationIndex
        self.inverseIndex = inverseIndex
        self.slot = slot
        self.toManyIndex = toManyIndex
        isToOne = relationship.cardinality == .toOne
    }

    package var name: String { relationship.name }
}

/// What one slot of a snapshot holds.
package enum Slot: Sendable {
    /// A leaf of the attribute at `attributeIndex`; `leaf` is the leaf's own description.
    case attribute(attributeIndex: Int, leaf: Attribute)
    /// The key of the to-one relationship at `relationshipIndex`.
    case toOne(relationshipIndex: Int)
}
