import ObjectGraph
import Synchronization

/// The description of one model class, derived once from its `schemaMetadata`: properties, their slots in a row, and their
/// codecs.
///
/// Slots depend on the class and its superclasses only, not on a schema, so an object created before any container exists
/// keeps its slots.
final class ModelType: @unchecked Sendable {  // All stored properties are constants of immutable values; key paths and
    // metatypes are immutable too, and only lack the annotation.
    let type: any PersistentModel.Type
    /// The class's unqualified name.
    let entityName: String
    let superType: ModelType?
    let maker: any ObjectMaker
    /// Own properties, in declared order.
    let properties: [ModelProperty]
    /// Own constraints and indexes, as lists of property names.
    let uniquenessConstraints: [[String]]
    let indexes: [[String]]
    /// Inherited properties first.
    let allProperties: [ModelProperty]
    /// `let` properties, inherited ones included.
    let constants: [ConstantProperty]
    /// Whether any of them has its value in its declaration.
    private let hasInitialConstants: Bool
    /// Whether the class itself has `@Model`, or describes its properties by hand; a class that does not has no properties
    /// of its own.
    let hasMacro: Bool
    /// Whether initial values of the class, or of a superclass, may create models while an object is created for a row.
    let makesObjects: Bool
    /// In the order of `allProperties`.
    private let slotProperties: [SlotProperty]
    private let positionsByName: [String: Int]
    private let positionsByKeyPath: [AnyKeyPath: Int]

    private init(_ type: any PersistentModel.Type, superType: ModelType?) {
        self.type = type
        self.superType = superType
        maker = type.objectMaker
        entityName = ModelType.entityName(of: type)
        // A subclass of a model that is not a model itself would repeat the inherited description.
        let fields = superType.flatMap { TypeReflection.fields(of: type, below: $0.type) }
        hasMacro = fields?.contains { $0.name == "_$storage" } ?? true
        let metadata = hasMacro ? type.schemaMetadata : []
        var builder = ModelPropertyBuilder(after: superType)
        for entry in metadata where !entry.saysThatObjectsAreMade { builder.add(entry) }
        makesObjects = superType?.makesObjects == true || metadata.contains(where: \.saysThatObjectsAreMade)
        properties = builder.properties
        allProperties = (superType?.allProperties ?? []) + builder.properties
        slotProperties = allProperties.map(SlotProperty.init)
        positionsByName = Dictionary(
            allProperties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { _, last in last })
        positionsByKeyPath = Dictionary(
            allProperties.enumerated().map { ($1.keyPath, $0) }, uniquingKeysWith: { _, last in last })
        let names = Dictionary(allProperties.map { ($0.keyPath, $0.name) }, uniquingKeysWith: { _, last in last })
        constants = (superType?.constants ?? []) + ModelType.constants(among: builder.properties, of: type)
        hasInitialConstants = constants.contains { $0.offset != nil }
        uniquenessConstraints = builder.uniqueKeyPaths.map { $0.compactMap { names[$0] } }
        indexes = builder.indexKeyPaths.map { $0.compactMap { names[$0] } }
    }

    private static func constants(
        among properties: [ModelProperty], of type: any PersistentModel.Type
    ) -> [ConstantProperty] {
        let properties = properties.filter(\.isConstant)
        let fields = properties.contains { !$0.isSetByInitializer } ? TypeReflection.fields(of: type) ?? [] : []
        return properties.compactMap { property in
            guard case .attribute(let codec) = property.kind else { return nil }
            let field = fields.first { $0.name == property.name && $0.type == property.valueType }
            guard property.isSetByInitializer || field != nil else { return nil }
            return ConstantProperty(
                name: property.name, keyPath: property.keyPath, codec: codec, slots: property.slots,
                offset: property.isSetByInitializer ? nil : field?.offset)
        }
    }

    static func entityName(of type: any PersistentModel.Type) -> String {
        String(describing: type)
    }

    private static let known = Locked<[ObjectIdentifier: ModelType]>([:])

    static func of(_ type: any PersistentModel.Type) -> ModelType {
        let key = ObjectIdentifier(type)
        if let found = known.withLock({ $0[key] }) { return found }
        let superclass = TypeReflection.superclass(of: type) as? any PersistentModel.Type
        let made = ModelType(type, superType: superclass.map(ModelType.of))
        return known.withLock { table in
            if let earlier = table[key] { return earlier }
            table[key] = made
            return made
        }
    }

    func property(named name: String) -> ModelProperty? {
        positionsByName[name].map { allProperties[$0] }
    }

    func slot(named name: String) -> _ModelSlot? {
        positionsByName[name].map { _ModelSlot(slotProperties[$0]) }
    }

    /// The property at a key path of this class or of a superclass.
    func property(at keyPath: AnyKeyPath) -> ModelProperty? {
        positionsByKeyPath[keyPath].map { allProperties[$0] }
    }

    /// Creates the object of a record of this class.
    func make(for record: Record) -> AnyObject {
        let model = Materialization.object(of: self, from: record)
        record.isObjectComplete = true
        if hasInitialConstants, let model = model as? any PersistentModel { ConstantProperties.write(to: model) }
        return model
    }

    func isKind(of other: ModelType) -> Bool {
        self === other || superType?.isKind(of: other) == true
    }

    /// The entity of objects without a container: the same slots, in a model of the classes that its relationships lead to.
    var standaloneEntity: Entity? {
        if let known = standalone.load(ordering: .acquiring) { return known.takeUnretainedValue() }
        guard let entity = try? Schema([type]).compiled().entity(named: entityName) else { return nil }
        let made = Unmanaged.passRetained(entity)
        let (_, earlier) = standalone.compareExchange(
            expected: nil, desired: made, ordering: .acquiringAndReleasing)
        guard let earlier else { return entity }
        made.release()
        return earlier.takeUnretainedValue()
    }

    /// Read for every new object; loading a pointer is much cheaper than `AtomicLazyReference` is.
    private let standalone = Atomic<Unmanaged<Entity>?>(nil)

    deinit {
        standalone.load(ordering: .acquiring)?.release()
    }
}

/// One stored property of a model class.
struct ModelProperty {
    enum Kind {
        case attribute(codec: any AttributeCodec)
        case relationship(destination: any PersistentModel.Type, cardinality: Cardinality)
    }

    let name: String
    let keyPath: AnyKeyPath
    let valueType: any Any.Type
    let isOptional: Bool
    /// The initial value in the property's declaration, if any.
    let defaultValue: Any?
    /// The annotation, if any.
    let metadata: (any SchemaProperty)?
    let kind: Kind
    /// The slots of an attribute, or the one of a to-one relationship; empty for a to-many relationship.
    let slots: Range<Int>
    /// The index in `Entity.relationships`; `nil` for an attribute.
    let relationshipIndex: Int?

    /// Whether the property is a `let` without a value in its declaration, which the initializer for rows sets.
    let isSetByInitializer: Bool

    /// A constant is written when its object is inserted, never through an accessor.
    var isConstant: Bool {
        func isConstant<Root>(below root: Root.Type) -> Bool {
            func isConstant<Leaf>(_ leaf: Leaf.Type) -> Bool { !(keyPath is ReferenceWritableKeyPath<Root, Leaf>) }
            return _openExistential(Swift.type(of: keyPath).valueType, do: isConstant)
        }
        return _openExistential(Swift.type(of: keyPath).rootType, do: isConstant)
    }
}

/// Numbers slots as `ModelResolver` does: per class, attributes first, then to-one relationships.
struct ModelPropertyBuilder {
    private(set) var uniqueKeyPaths: [[AnyKeyPath]] = []
    private(set) var indexKeyPaths: [[AnyKeyPath]] = []
    private let firstSlot: Int
    private let firstRelationship: Int
    private var drafts: [Draft] = []

    private struct Draft {
        let entry: Schema.PropertyMetadata
        let valueType: any Any.Type
        let kind: ModelProperty.Kind
    }

    init(after superType: ModelType?) {
        let inherited = superType?.allProperties ?? []
        firstSlot = inherited.map(\.slots.upperBound).max() ?? 0
        firstRelationship = inherited.compactMap(\.relationshipIndex).count
    }

    mutating func add(_ entry: Schema.PropertyMetadata) {
        switch entry.metadata {
        case let unique as any UniquenessDeclaration:
            uniqueKeyPaths += unique.keyPathLists
            return
        case let index as any IndexDeclaration:
            indexKeyPaths += index.keyPathLists
            return
        default: break
        }
        let valueType = type(of: entry.keypath).valueType
        guard let kind = kind(of: valueType, entry) else { return }
        drafts.append(Draft(entry: entry, valueType: valueType, kind: kind))
    }

    private func kind(of valueType: any Any.Type, _ entry: Schema.PropertyMetadata) -> ModelProperty.Kind? {
        if let relationship = Self.relationship(of: valueType) { return relationship }
        if let name = (entry.metadata as? Schema.Attribute)?.transformerName {
            return .attribute(codec: CodecSelection.transformerCodec(for: valueType, named: name))
        }
        return CodecSelection.codec(for: valueType, in: .property).map { .attribute(codec: $0) }
    }

    /// `nil` for a type that is not a model or a collection of models.
    static func relationship(of valueType: any Any.Type) -> ModelProperty.Kind? {
        func destination<C: RelationshipCollection>(of type: C.Type) -> any PersistentModel.Type {
            C.PersistentElement.self
        }
        let wrapped = (valueType as? any OptionalType.Type)?.wrappedType ?? valueType
        if let model = wrapped as? any PersistentModel.Type {
            return .relationship(destination: model, cardinality: .toOne)
        }
        if let collection = wrapped as? any RelationshipCollection.Type {
            return .relationship(destination: destination(of: collection), cardinality: .toMany)
        }
        return nil
    }

    var properties: [ModelProperty] {
        var nextAttributeSlot = firstSlot
        var nextToOneSlot = firstSlot
        for draft in drafts {
            if case .attribute(let codec) = draft.kind { nextToOneSlot += codec.leafCount }
        }
        var nextRelationship = firstRelationship
        return drafts.map { draft in
            var slots = 0..<0
            var relationshipIndex: Int?
            switch draft.kind {
            case .attribute(let codec):
                slots = nextAttributeSlot..<nextAttributeSlot + codec.leafCount
                nextAttributeSlot = slots.upperBound
            case .relationship(_, let cardinality):
                relationshipIndex = nextRelationship
                nextRelationship += 1
                if cardinality == .toOne {
                    slots = nextToOneSlot..<nextToOneSlot + 1
                    nextToOneSlot += 1
                }
            }
            return ModelProperty(
                name: draft.entry.name, keyPath: draft.entry.keypath, valueType: draft.valueType,
                isOptional: draft.valueType is any OptionalType.Type, defaultValue: draft.entry.defaultValue,
                metadata: draft.entry.metadata, kind: draft.kind, slots: slots, relationshipIndex: relationshipIndex,
                isSetByInitializer: draft.entry.isSetByInitializer)
        }
    }
}

/// `Schema.Unique` without its model type.
protocol UniquenessDeclaration {
    var keyPathLists: [[AnyKeyPath]] { get }
}

/// `Schema.Index` without its model type.
protocol IndexDeclaration {
    var keyPathLists: [[AnyKeyPath]] { get }
}

extension Schema.Unique: UniquenessDeclaration {
    var keyPathLists: [[AnyKeyPath]] { constraints }
}

extension Schema.Index: IndexDeclaration {
    var keyPathLists: [[AnyKeyPath]] {
        indices.map { index in
            switch index {
            case .binary(let keyPaths), .rtree(let keyPaths): keyPaths
            }
        }
    }
}
