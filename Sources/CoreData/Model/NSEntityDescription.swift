import Foundation

/// A kind of object: its name, its class, its properties and its place in a hierarchy.
///
/// An entity has all properties of those above it; `properties` and the dictionaries by name list them too. They are the
/// same descriptions there, not copies.
nonisolated open class NSEntityDescription: NSObject, NSCopying, ModelPart {
    /// The model that has this entity; `nil` before there is one.
    package internal(set) weak var model: NSManagedObjectModel?
    final var isFrozen = false
    /// Position in the engine's model, once the model is in use.
    package internal(set) var engineIndex: Int?
    /// Declared here, in the order given.
    final package private(set) var ownProperties: [NSPropertyDescription] = []
    private weak var storedSuperentity: NSEntityDescription?
    private var storedClassName: String?
    private var storedRenamingIdentifier: String?
    private var storedConstraints: [[String]] = []
    /// Made when the entity is frozen, as many threads read it then.
    private var frozenNames: PropertyNames?

    /// Names are unique within a model.
    open var name: String? { didSet { if refuses("name") { name = oldValue } } }

    /// Whether there are only objects of its subentities.
    open var isAbstract = false { didSet { if refuses("isAbstract") { isAbstract = oldValue } } }

    /// Notes of the model's author; they mean nothing to the store.
    open var userInfo: [AnyHashable: Any]? { didSet { if refuses("userInfo") { userInfo = oldValue } } }

    /// A text that makes the version hash another one, for changes that it would not notice by itself.
    open var versionHashModifier: String? {
        didSet { if refuses("versionHashModifier") { versionHashModifier = oldValue } }
    }

    /// Kept as part of the model only; see `indexes`.
    final var compoundIndexNames: [[String]] = []

    /// Own indexes; not in the version hash. Changing properties or subentities drops them, so they are set last.
    open var indexes: [NSFetchIndexDescription] = [] {
        didSet {
            if refuses("indexes") { indexes = oldValue }
            for index in indexes { index.entity = self }
        }
    }

    public override init() {
        super.init()
    }

    // MARK: Names

    /// The model that has this entity; one without anything before there is one.
    open var managedObjectModel: NSManagedObjectModel { model ?? NSManagedObjectModel() }

    /// The class of the objects, with its module (`Zoo.Animal`); the general one, unless set.
    open var managedObjectClassName: String! {
        get { storedClassName ?? Self.generalClassName }
        set { if !refuses("managedObjectClassName") { storedClassName = newValue } }
    }

    static let generalClassName = "NSManagedObject"

    /// What the entity was called in the version before, for migration; its name, unless set.
    open var renamingIdentifier: String? {
        get { storedRenamingIdentifier ?? name }
        set { if !refuses("renamingIdentifier") { storedRenamingIdentifier = newValue } }
    }

    /// The renaming identifier, where it says something.
    final package var formerName: String? {
        storedRenamingIdentifier.flatMap { $0.isEmpty || $0 == name ? nil : $0 }
    }

    // MARK: Hierarchy

    /// Direct subentities.
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

    open var subentitiesByName: [String: NSEntityDescription] {
        Dictionary(subentities.compactMap { entity in entity.name.map { ($0, entity) } }) { first, _ in first }
    }

    open var superentity: NSEntityDescription? { storedSuperentity }

    /// From the entity itself upwards; a circle ends where it closes.
    final package var lineage: [NSEntityDescription] {
        var line = [self]
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
        while let next = line.last?.superentity, seen.insert(ObjectIdentifier(next)).inserted { line.append(next) }
        return line
    }

    /// Whether the entity is the other one, or below it.
    open func isKindOf(entity: NSEntityDescription) -> Bool {
        lineage.contains { $0 === entity }
    }

    // MARK: Properties

    /// Own properties and inherited ones, those from above first. Setting drops indexes; inherited ones among the new are
    /// passed over.
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

    open var propertiesByName: [String: NSPropertyDescription] { propertyNames.all }
    open var attributesByName: [String: NSAttributeDescription] { propertyNames.attributes }
    open var relationshipsByName: [String: NSRelationshipDescription] { propertyNames.relationships }

    private var propertyNames: PropertyNames { frozenNames ?? PropertyNames(properties) }

    /// Relationships, inherited ones included, that lead to the entity or to one above it.
    open func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        properties.compactMap { $0 as? NSRelationshipDescription }.filter { relationship in
            relationship.destinationEntity.map { entity.isKindOf(entity: $0) } ?? false
        }
    }

    // MARK: Constraints

    /// Own constraints, each a list of property names: no two objects have the same values there. Properties may be set in
    /// place of their names. They are part of the version hash; subentities are under those from above too.
    open var uniquenessConstraints: [[Any]] {
        get { storedConstraints }
        set { if !refuses("uniquenessConstraints") { storedConstraints = newValue.map(Self.names) } }
    }

    final package var constraintNames: [[String]] { storedConstraints }

    /// Kept as part of the model only.
    @available(*, deprecated, message: "Use indexes.")
    open var compoundIndexes: [[Any]] {
        get { compoundIndexNames }
        set { if !refuses("compoundIndexes") { compoundIndexNames = newValue.map(Self.names) } }
    }

    /// Elements that are neither names nor properties stand as empty names, which no entity has.
    private static func names(of elements: [Any]) -> [String] {
        elements.map { ($0 as? NSPropertyDescription)?.name ?? ($0 as? String) ?? "" }
    }

    // MARK: Versions

    /// 32 bytes that stand for everything about the entity that decides how its rows are stored; none while the model
    /// cannot be compiled.
    open var versionHash: Data { model?.versionHash(of: self) ?? NSManagedObjectModel.versionHash(ofLone: self) }

    // MARK: Copies

    /// An entity that belongs to no model and to no hierarchy, with copies of its own properties. Relationships find their
    /// destinations by name in the model it is put into.
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

    /// Entities with the same content are equal, whichever models have them. Of inherited properties each entity has only
    /// its own, and of those above and below it the names count.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityDescription else { return false }
        return other === self || hasContent(of: other)
    }

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

    open override var description: String {
        "<\(type(of: self)): \(name ?? "") (\(managedObjectClassName ?? ""))>"
    }
}

/// An entity's properties by name; the first of two with one name counts.
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
    public func makeIterator() -> IndexingIterator<[NSPropertyDescription]> {
        properties.makeIterator()
    }
}
