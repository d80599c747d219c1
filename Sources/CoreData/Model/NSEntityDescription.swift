import Foundation

/// A description of an entity: its name, class, properties, and place in a hierarchy.
///
/// An entity has all properties of its superentities; `properties` and the dictionaries by name contain them, too. They are the
/// same descriptions, not copies.
nonisolated open class NSEntityDescription: NSObject, NSCopying, ModelPart {
    /// The model of this entity; `nil` if it has none.
    package internal(set) weak var model: NSManagedObjectModel?
    final var isFrozen = false
    /// Position in the engine's model, once the model is in use.
    package internal(set) var engineIndex: Int?
    /// The properties declared by this entity, in the given order.
    final package private(set) var ownProperties: [NSPropertyDescription] = []
    private weak var storedSuperentity: NSEntityDescription?
    private var storedClassName: String?
    private var storedRenamingIdentifier: String?
    private var storedConstraints: [[String]] = []
    /// Made when the entity is frozen, because many threads read it from then on.
    private var frozenNames: PropertyNames?

    /// The name of the entity, unique within a model.
    open var name: String? { didSet { if refuses("name") { name = oldValue } } }

    /// A Boolean value that states whether only subentities have objects: `false`, unless set.
    open var isAbstract = false { didSet { if refuses("isAbstract") { isAbstract = oldValue } } }

    /// Information for the program's own use, which has no effect on stores.
    open var userInfo: [AnyHashable: Any]? { didSet { if refuses("userInfo") { userInfo = oldValue } } }

    /// A text that changes the version hash, for changes that the hash does not reflect by itself.
    open var versionHashModifier: String? {
        didSet { if refuses("versionHashModifier") { versionHashModifier = oldValue } }
    }

    /// Kept as part of the model, without effect; see `indexes`.
    final var compoundIndexNames: [[String]] = []

    /// The entity's own indexes, which are not part of the version hash. Changing properties or subentities removes them, so
    /// set them last.
    open var indexes: [NSFetchIndexDescription] = [] {
        didSet {
            if refuses("indexes") { indexes = oldValue }
            for index in indexes { index.entity = self }
        }
    }

    /// Creates an entity without a name or properties.
    public override init() {
        super.init()
    }

    // MARK: Names

    /// The model of the entity; an empty model if it has none.
    open var managedObjectModel: NSManagedObjectModel { model ?? NSManagedObjectModel() }

    /// The name of the class of the objects, with its module (`Zoo.Animal`); `NSManagedObject`, unless set.
    open var managedObjectClassName: String! {
        get { storedClassName ?? Self.generalClassName }
        set { if !refuses("managedObjectClassName") { storedClassName = newValue } }
    }

    static let generalClassName = "NSManagedObject"

    /// The name of the entity in the former version of the model, for migration; its name, unless set.
    open var renamingIdentifier: String? {
        get { storedRenamingIdentifier ?? name }
        set { if !refuses("renamingIdentifier") { storedRenamingIdentifier = newValue } }
    }

    /// The renaming identifier, if it differs from the name.
    final package var formerName: String? {
        storedRenamingIdentifier.flatMap { $0.isEmpty || $0 == name ? nil : $0 }
    }

    // MARK: Hierarchy

    /// The direct subentities.
    open var subentities: [NSEntityDescription] = [] {
        didSet {
            if refuses("subentities") {
                subentities = oldValue
                return
            }
            for entity in oldValue where entity.storedSuperentity === self { entity.storedSuperentity = nil }
            for entity in subentities { entity.storedSuperentity = self }
            dropIndexes()
        }
    }

    /// The direct subentities by name.
    open var subentitiesByName: [String: NSEntityDescription] {
        Dictionary(subentities.compactMap { entity in entity.name.map { ($0, entity) } }) { first, _ in first }
    }

    /// The superentity; `nil` for an entity at the top of its hierarchy.
    open var superentity: NSEntityDescription? { storedSuperentity }

    /// The entity and its superentities, upwards; a circle ends where it closes.
    final package var lineage: [NSEntityDescription] {
        var line = [self]
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
        while let next = line.last?.superentity, seen.insert(ObjectIdentifier(next)).inserted { line.append(next) }
        return line
    }

    /// Returns whether this entity is another one or inherits from it.
    /// - Parameter entity: the other entity.
    open func isKindOf(entity: NSEntityDescription) -> Bool {
        lineage.contains { $0 === entity }
    }

    // MARK: Properties

    /// All properties, inherited ones first. Setting them removes indexes; inherited properties among the new ones are ignored.
    open var properties: [NSPropertyDescription] {
        get { lineage.reversed().flatMap(\.ownProperties) }
        set {
            guard !refuses("properties") else { return }
            let inherited = Set(lineage.dropFirst().flatMap(\.ownProperties).map(ObjectIdentifier.init))
            for property in ownProperties where property.owner === self { property.owner = nil }
            ownProperties = newValue.filter { !inherited.contains(ObjectIdentifier($0)) }
            for property in ownProperties { property.owner = self }
            dropIndexes()
        }
    }

    private func dropIndexes() {
        if !indexes.isEmpty { indexes = [] }
    }

    /// All properties by name, inherited ones included.
    open var propertiesByName: [String: NSPropertyDescription] { propertyNames.all }
    /// All attributes by name, inherited ones included.
    open var attributesByName: [String: NSAttributeDescription] { propertyNames.attributes }
    /// All relationships by name, inherited ones included.
    open var relationshipsByName: [String: NSRelationshipDescription] { propertyNames.relationships }

    private var propertyNames: PropertyNames { frozenNames ?? PropertyNames(properties) }

    /// Returns the relationships, inherited ones included, whose destination is an entity or one of its superentities.
    /// - Parameter entity: the destination.
    open func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        properties.compactMap { $0 as? NSRelationshipDescription }.filter { relationship in
            relationship.destinationEntity.map { entity.isKindOf(entity: $0) } ?? false
        }
    }

    // MARK: Constraints

    /// The entity's own uniqueness constraints, each a list of property names whose values no two objects share.
    ///
    /// Properties may be set in place of their names. Constraints are part of the version hash, and apply to subentities, too.
    open var uniquenessConstraints: [[Any]] {
        get { storedConstraints }
        set { if !refuses("uniquenessConstraints") { storedConstraints = newValue.map(Self.names) } }
    }

    final package var constraintNames: [[String]] { storedConstraints }

    /// Indexes of an older form, kept as part of the model without effect.
    @available(*, deprecated, message: "Use indexes.")
    open var compoundIndexes: [[Any]] {
        get { compoundIndexNames }
        set { if !refuses("compoundIndexes") { compoundIndexNames = newValue.map(Self.names) } }
    }

    /// Elements that are neither names nor properties become empty names, which no property has.
    private static func names(of elements: [Any]) -> [String] {
        elements.map { ($0 as? NSPropertyDescription)?.name ?? ($0 as? String) ?? "" }
    }

    // MARK: Versions

    /// A hash of 32 bytes of everything about the entity that determines how its rows are stored; empty if the model is not valid.
    open var versionHash: Data { model?.versionHash(of: self) ?? NSManagedObjectModel.versionHash(ofLone: self) }

    // MARK: Copies

    /// Returns a copy that belongs to no model and hierarchy, with copies of its own properties. Relationships find their
    /// destinations by name in the model that the copy is added to.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSEntityDescription()
        copy.name = name
        copy.isAbstract = isAbstract
        copy.userInfo = userInfo
        copy.versionHashModifier = versionHashModifier
        copy.compoundIndexNames = compoundIndexNames
        copy.storedClassName = storedClassName
        copy.storedRenamingIdentifier = storedRenamingIdentifier
        copy.storedConstraints = storedConstraints
        copy.properties = ownProperties.compactMap { $0.copy() as? NSPropertyDescription }
        copy.indexes = indexes.compactMap { $0.copy() as? NSFetchIndexDescription }
        return copy
    }

    /// Returns whether another entity has the same contents, whichever models the two belong to. Only own properties are
    /// compared, and superentity and subentities by name.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityDescription else { return false }
        return other === self || hasContent(of: other)
    }

    /// A hash of the name.
    open override var hash: Int { name.hashValue }

    private func hasContent(of other: NSEntityDescription) -> Bool {
        name == other.name && isAbstract == other.isAbstract
            && managedObjectClassName == other.managedObjectClassName
            && ModelContent.isSame(userInfo, other.userInfo) && versionHashModifier == other.versionHashModifier
            && formerName == other.formerName && superentity?.name == other.superentity?.name
            && Set(subentities.map(\.name)) == Set(other.subentities.map(\.name))
            && storedConstraints == other.storedConstraints && compoundIndexNames == other.compoundIndexNames
            && indexes == other.indexes && ownProperties.count == other.ownProperties.count
            && PropertyNames(ownProperties).all == PropertyNames(other.ownProperties).all
    }

    func freeze() {
        for property in ownProperties { property.freeze() }
        for index in indexes { index.freeze() }
        frozenNames = PropertyNames(properties)
        isFrozen = true
    }

    final var partName: String { "Entity '\(name ?? "")'" }

    /// A text with the names of the entity and its class.
    open override var description: String {
        "<\(type(of: self)): \(name ?? "") (\(managedObjectClassName ?? ""))>"
    }
}

/// An entity's properties by name; of two with the same name, the first counts.
private struct PropertyNames {
    let all: [String: NSPropertyDescription]
    let attributes: [String: NSAttributeDescription]
    let relationships: [String: NSRelationshipDescription]

    init(_ properties: [NSPropertyDescription]) {
        all = Dictionary(properties.map { ($0.name, $0) }) { first, _ in first }
        attributes = all.compactMapValues { $0 as? NSAttributeDescription }
        relationships = all.compactMapValues { $0 as? NSRelationshipDescription }
    }
}

/// Enumerates the properties, inherited ones included.
extension NSEntityDescription: Sequence {
    /// Returns an iterator over the properties, inherited ones included.
    public func makeIterator() -> IndexingIterator<[NSPropertyDescription]> {
        properties.makeIterator()
    }
}
