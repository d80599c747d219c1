import Foundation

/// The models of a program and how they hang together.
///
/// `Schema([Trip.self])` holds `Trip`, its superclasses, and every model that can be reached from it through
/// relationships. Subclasses are not reached; list those that are used.
///
/// `@unchecked Sendable`: every stored property is a `let`. The entities are classes with settable properties, which
/// nothing in the library sets once the initializer has returned; a program that does must do so before it shares the
/// schema.
public final class Schema: Codable, Hashable, CustomDebugStringConvertible, @unchecked Sendable {
    /// The version of the encoded form.
    public static let schemaEncodingVersion = Schema.Version(1, 0, 0)

    public let encodingVersion: Schema.Version
    public let version: Schema.Version
    /// In the order the types were given, then as they were reached.
    public let entities: [Schema.Entity]
    public let entitiesByName: [String: Schema.Entity]
    /// The model class of each entity, at the same positions; empty when the schema was not made from classes.
    let modelTypes: [ModelType]
    private let positionsByType: [ObjectIdentifier: Int]
    /// What is wrong with the declarations; `compiled()` throws the first.
    let problems: [SchemaError]

    private enum CodingKeys: CodingKey {
        case encodingVersion, version, entities
    }

    private init(_ parts: SchemaParts, version: Schema.Version, encodingVersion: Schema.Version) {
        self.encodingVersion = encodingVersion
        self.version = version
        entities = parts.entities
        entitiesByName = Dictionary(parts.entities.map { ($0.name, $0) }) { first, _ in first }
        modelTypes = parts.modelTypes
        positionsByType = Dictionary(
            parts.modelTypes.enumerated().map { (ObjectIdentifier($1.type), $0) }
        ) { first, _ in first }
        problems = parts.problems
    }

    public convenience init() {
        self.init(SchemaParts(entities: []), version: Version(1, 0, 0), encodingVersion: Self.schemaEncodingVersion)
    }

    public convenience init(_ entities: Schema.Entity..., version: Schema.Version = Version(1, 0, 0)) {
        self.init(SchemaParts(entities: entities), version: version, encodingVersion: Self.schemaEncodingVersion)
    }

    public convenience init(_ types: any PersistentModel.Type..., version: Schema.Version = Version(1, 0, 0)) {
        self.init(types, version: version)
    }

    public convenience init(_ types: [any PersistentModel.Type], version: Schema.Version = Version(1, 0, 0)) {
        self.init(SchemaParts(types: types), version: version, encodingVersion: Self.schemaEncodingVersion)
    }

    public convenience init(versionedSchema: any VersionedSchema.Type) {
        self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
    }

    /// Reads names, options and counts; the schema knows no model classes and so serves for comparing and browsing.
    public required convenience init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let entities = try container.decode([Schema.Entity].self, forKey: .entities)
        self.init(
            SchemaParts(entities: entities), version: try container.decode(Version.self, forKey: .version),
            encodingVersion: try container.decode(Version.self, forKey: .encodingVersion))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(encodingVersion, forKey: .encodingVersion)
        try container.encode(version, forKey: .version)
        try container.encode(entities, forKey: .entities)
    }

    /// The order of the entities takes no part.
    public static func == (lhs: Schema, rhs: Schema) -> Bool {
        lhs === rhs
            || lhs.version == rhs.version && lhs.entities.count == rhs.entities.count
                && lhs.entitiesByName == rhs.entitiesByName
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(version)
        hasher.combine(Set(entitiesByName.keys))
    }

    /// Writes the schema as JSON, replacing the file in one step.
    public func save(to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: url, options: .atomic)
    }

    /// Reads what `save(to:)` wrote.
    public static func load(from url: URL) throws -> Schema {
        try JSONDecoder().decode(Schema.self, from: Data(contentsOf: url))
    }

    /// The entity of a model class, or `nil` when the class is not in the schema.
    public func entity<T>(for type: T.Type) -> Schema.Entity? where T: PersistentModel {
        entity(ofModel: type)
    }

    /// The name of a model class's entity: the class name without the types it is nested in.
    public static func entityName<T>(for type: T.Type) -> String where T: PersistentModel {
        ModelType.of(type).entityName
    }

    public var debugDescription: String {
        (["schema \(version)"] + entities.map(\.debugDescription)).joined(separator: "\n")
    }

    /// As `entity(for:)`, for a type known only at run time.
    func entity(ofModel type: any PersistentModel.Type) -> Schema.Entity? {
        guard !modelTypes.isEmpty else { return entitiesByName[ModelType.of(type).entityName] }
        return positionsByType[ObjectIdentifier(type)].map { entities[$0] }
    }

    /// The model class of each entity; empty when the schema was not made from classes.
    var modelTypesByName: [String: any PersistentModel.Type] {
        Dictionary(modelTypes.map { ($0.entityName, $0.type) }) { first, _ in first }
    }
}

/// A declaration that cannot be compiled.
enum SchemaError: Error, Hashable, Sendable {
    /// The class of an `inverse:`, `#Index` or `#Unique` key path has no such persisted property, or it cannot be told.
    case unknownKeyPath(entity: String, declaration: String)
    case inverseIsNoRelationship(entity: String, relationship: String, inverse: String)
    case inverseLeadsElsewhere(entity: String, relationship: String, inverse: String, destination: String)
    case inverseAlreadyTaken(entity: String, relationship: String, inverse: String, owner: String)
    case unsupportedValueType(entity: String, attribute: String, type: String)
    case unsuitableDefault(entity: String, attribute: String)
    /// A to-many relationship with the option `.unique`, whose inverse is to-many as well.
    case manyOwners(entity: String, relationship: String, inverse: String)
    /// A relationship declared with `let`, whose value the other side and deletes could not change.
    case constantRelationship(entity: String, relationship: String)
}

extension SchemaError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknownKeyPath(let entity, let declaration):
            "\(declaration) of '\(entity)' has a key path that leads to no persisted property; "
                + "name a stored property of the class itself."
        case .inverseIsNoRelationship(let entity, let relationship, let inverse):
            "Relationship '\(entity).\(relationship)' names the inverse '\(inverse)', which is no relationship of its "
                + "destination."
        case .inverseLeadsElsewhere(let entity, let relationship, let inverse, let destination):
            "Relationship '\(entity).\(relationship)' names the inverse '\(inverse)', which leads to '\(destination)'; "
                + "it must lead back to '\(entity)'."
        case .inverseAlreadyTaken(let entity, let relationship, let inverse, let owner):
            "Relationship '\(entity).\(relationship)' names the inverse '\(inverse)', which is already the inverse of "
                + "'\(owner)'; a relationship has one inverse."
        case .unsupportedValueType(let entity, let attribute, let type):
            "Attribute '\(entity).\(attribute)' has the type \(type), which cannot be stored; make it Codable or "
                + "give it a transformer."
        case .unsuitableDefault(let entity, let attribute):
            "The default of attribute '\(entity).\(attribute)' cannot be stored as its type."
        case .manyOwners(let entity, let relationship, let inverse):
            "Relationship '\(entity).\(relationship)' is unique, and its inverse '\(inverse)' leads to many; make the inverse "
                + "to-one, or take the option away."
        case .constantRelationship(let entity, let relationship):
            "Relationship '\(entity).\(relationship)' is a constant, but deleting and linking other models changes it; "
                + "declare it 'private(set) var'."
        }
    }
}
