import Foundation

/// The models of a program and their relationships.
///
/// `Schema([Trip.self])` contains `Trip`, its superclasses, and every model that relationships reach from it. Subclasses
/// are not reached; list those that are used.
///
/// `@unchecked Sendable`: every stored property is a `let`. The entities are classes with settable properties, which the
/// library does not set after the initializer; a program that sets them must do so before it shares the schema.
public final class Schema: Codable, Hashable, CustomDebugStringConvertible, @unchecked Sendable {
    /// The version of the encoded form.
    public static let schemaEncodingVersion = Schema.Version(1, 0, 0)

    /// The version of the schema's encoded form.
    public let encodingVersion: Schema.Version
    /// The version of the program's models.
    public let version: Schema.Version
    /// The entities, in the order in which the types were given and then reached.
    public let entities: [Schema.Entity]
    /// The entities by name.
    public let entitiesByName: [String: Schema.Entity]
    /// The model class of each entity, at the same positions; empty if the schema was not created from classes.
    let modelTypes: [ModelType]
    private let positionsByType: [ObjectIdentifier: Int]
    /// The errors in the declarations; `compiled()` throws the first.
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

    /// Creates an empty schema.
    public convenience init() {
        self.init(SchemaParts(entities: []), version: Version(1, 0, 0), encodingVersion: Self.schemaEncodingVersion)
    }

    /// Creates a schema from entities, without model classes.
    /// - Parameters:
    ///   - entities: The entities, with their subentities.
    ///   - version: The version of the models.
    public convenience init(_ entities: Schema.Entity..., version: Schema.Version = Version(1, 0, 0)) {
        self.init(SchemaParts(entities: entities), version: version, encodingVersion: Self.schemaEncodingVersion)
    }

    /// Creates a schema from model classes.
    /// - Parameters:
    ///   - types: The classes; classes that relationships reach from them, and superclasses, are added.
    ///   - version: The version of the models.
    public convenience init(_ types: any PersistentModel.Type..., version: Schema.Version = Version(1, 0, 0)) {
        self.init(types, version: version)
    }

    /// Creates a schema from a list of model classes.
    /// - Parameters:
    ///   - types: The classes; classes that relationships reach from them, and superclasses, are added.
    ///   - version: The version of the models.
    public convenience init(_ types: [any PersistentModel.Type], version: Schema.Version = Version(1, 0, 0)) {
        self.init(SchemaParts(types: types), version: version, encodingVersion: Self.schemaEncodingVersion)
    }

    /// Creates the schema of one version of a migration plan.
    /// - Parameter versionedSchema: The version.
    public convenience init(versionedSchema: any VersionedSchema.Type) {
        self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
    }

    /// Decodes a schema. It has no model classes, so it serves for comparing and browsing only.
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: `DecodingError` if the data is not a schema.
    public required convenience init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let entities = try container.decode([Schema.Entity].self, forKey: .entities)
        self.init(
            SchemaParts(entities: entities), version: try container.decode(Version.self, forKey: .version),
            encodingVersion: try container.decode(Version.self, forKey: .encodingVersion))
    }

    /// Encodes the schema: its entities, without key paths.
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(encodingVersion, forKey: .encodingVersion)
        try container.encode(version, forKey: .version)
        try container.encode(entities, forKey: .entities)
    }

    /// Returns whether two schemas have the same version and entities, in any order.
    public static func == (lhs: Schema, rhs: Schema) -> Bool {
        lhs === rhs
            || lhs.version == rhs.version && lhs.entities.count == rhs.entities.count
                && lhs.entitiesByName == rhs.entitiesByName
    }

    /// Hashes the schema by its version and the names of its entities.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(version)
        hasher.combine(Set(entitiesByName.keys))
    }

    /// Writes the schema to a file as JSON, replacing the file atomically.
    /// - Parameter url: The URL of the file.
    /// - Throws: An error of encoding or writing.
    public func save(to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: url, options: .atomic)
    }

    /// Reads a schema that `save(to:)` wrote.
    /// - Parameter url: The URL of the file.
    /// - Throws: An error of reading, or `DecodingError` if the file is not a schema.
    public static func load(from url: URL) throws -> Schema {
        try JSONDecoder().decode(Schema.self, from: Data(contentsOf: url))
    }

    /// Returns the entity of a model class, or `nil` if the class is not in the schema.
    /// - Parameter type: The model class.
    public func entity<T>(for type: T.Type) -> Schema.Entity? where T: PersistentModel {
        entity(ofModel: type)
    }

    /// Returns the name of a model class's entity: the class name without the types that it is nested in.
    /// - Parameter type: The model class.
    public static func entityName<T>(for type: T.Type) -> String where T: PersistentModel {
        ModelType.of(type).entityName
    }

    /// The schema's version and its entities, one line for each property.
    public var debugDescription: String {
        (["schema \(version)"] + entities.map(\.debugDescription)).joined(separator: "\n")
    }

    /// The entity of a model class known only at run time.
    func entity(ofModel type: any PersistentModel.Type) -> Schema.Entity? {
        guard !modelTypes.isEmpty else { return entitiesByName[ModelType.of(type).entityName] }
        return positionsByType[ObjectIdentifier(type)].map { entities[$0] }
    }

    /// The model class of each entity; empty if the schema was not created from classes.
    var modelTypesByName: [String: any PersistentModel.Type] {
        Dictionary(modelTypes.map { ($0.entityName, $0.type) }) { first, _ in first }
    }
}

/// A declaration that cannot be compiled.
enum SchemaError: Error, Hashable, Sendable {
    /// The class of an `inverse:`, `#Index` or `#Unique` key path has no such persisted property, or the property cannot be
    /// determined.
    case unknownKeyPath(entity: String, declaration: String)
    case inverseIsNoRelationship(entity: String, relationship: String, inverse: String)
    case inverseHasOtherDestination(entity: String, relationship: String, inverse: String, destination: String)
    case inverseAlreadyUsed(entity: String, relationship: String, inverse: String, owner: String)
    case unsupportedValueType(entity: String, attribute: String, type: String)
    case unsuitableDefault(entity: String, attribute: String)
    /// A to-many relationship with the option `.unique` whose inverse is to-many as well.
    case manyOwners(entity: String, relationship: String, inverse: String)
    /// A relationship declared with `let`, which deletions and changes of the other side could not change.
    case constantRelationship(entity: String, relationship: String)
}

extension SchemaError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknownKeyPath(let entity, let declaration):
            "\(declaration) of '\(entity)' has a key path that names no persisted property; "
                + "name a stored property of the class itself."
        case .inverseIsNoRelationship(let entity, let relationship, let inverse):
            "Relationship '\(entity).\(relationship)' names the inverse '\(inverse)', which is no relationship of its "
                + "destination."
        case .inverseHasOtherDestination(let entity, let relationship, let inverse, let destination):
            "Relationship '\(entity).\(relationship)' names the inverse '\(inverse)', whose destination is "
                + "'\(destination)'; it must be '\(entity)'."
        case .inverseAlreadyUsed(let entity, let relationship, let inverse, let owner):
            "Relationship '\(entity).\(relationship)' names the inverse '\(inverse)', which is already the inverse of "
                + "'\(owner)'; a relationship has one inverse."
        case .unsupportedValueType(let entity, let attribute, let type):
            "Attribute '\(entity).\(attribute)' has the type \(type), which cannot be stored; make it Codable or "
                + "give it a transformer."
        case .unsuitableDefault(let entity, let attribute):
            "The default of attribute '\(entity).\(attribute)' cannot be stored as its type."
        case .manyOwners(let entity, let relationship, let inverse):
            "Relationship '\(entity).\(relationship)' is unique, and its inverse '\(inverse)' is to-many; make it to-one, "
                + "or take the option away."
        case .constantRelationship(let entity, let relationship):
            "Relationship '\(entity).\(relationship)' is a constant, but deleting and linking other models changes it; "
                + "declare it 'private(set) var'."
        }
    }
}
