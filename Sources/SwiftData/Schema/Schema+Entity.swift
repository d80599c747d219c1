extension Schema {
    /// The description of one model class: its name, its position in a class hierarchy, and its properties.
    ///
    /// `storedProperties` and `inheritedProperties` are the only state; the sets and dictionaries of attributes and
    /// relationships are derived from them, and setting one changes the stored properties.
    ///
    /// `@unchecked Sendable` for the reason given at `Schema.Attribute`.
    public final class Entity: Codable, Hashable, CustomDebugStringConvertible, @unchecked Sendable {
        /// The name of the model class.
        public var name: String
        /// The entities of direct subclasses.
        public var subentities: Set<Schema.Entity>
        /// The name of the superclass's entity; `nil` for none.
        public var superentityName: String?
        /// The schema retains its entities; a strong reference here would be a reference cycle.
        private weak var linkedSuperentity: Schema.Entity?
        /// The properties of the class itself, in the order of their declaration.
        public var storedProperties: [any SchemaProperty]
        /// The properties of all superclasses, the root's first.
        public var inheritedProperties: [any SchemaProperty]
        /// Lists of property names in each of which no two rows agree.
        public var uniquenessConstraints: [[String]]
        /// Lists of property names, each with an index.
        public var indices: [[String]]

        private enum CodingKeys: CodingKey {
            case name, superentityName, properties, uniquenessConstraints, indices
        }

        /// Creates an entity without properties.
        /// - Parameter name: The name of the entity.
        public init(_ name: String) {
            self.name = name
            subentities = []
            storedProperties = []
            inheritedProperties = []
            uniquenessConstraints = []
            indices = []
        }

        /// Creates an entity with subentities.
        /// - Parameters:
        ///   - name: The name of the entity.
        ///   - subentities: The subentities, which inherit the properties.
        ///   - properties: The properties of the entity itself.
        public convenience init(_ name: String, subentities: Schema.Entity..., properties: any SchemaProperty...) {
            self.init(name)
            storedProperties = properties
            self.subentities = Set(subentities)
            for subentity in subentities {
                subentity.superentity = self
                subentity.inheritedProperties = properties
            }
        }

        /// Creates an entity.
        /// - Parameters:
        ///   - name: The name of the entity.
        ///   - properties: The properties of the entity itself.
        public convenience init(_ name: String, properties: any SchemaProperty...) {
            self.init(name)
            storedProperties = properties
        }

        /// Decodes an entity. The schema that contains it links subentities and inherited properties.
        /// - Parameter decoder: The decoder to read from.
        /// - Throws: `DecodingError` if the data is not an entity.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            superentityName = try container.decodeIfPresent(String.self, forKey: .superentityName)
            storedProperties = try container.decode([EncodedProperty].self, forKey: .properties).map(\.property)
            uniquenessConstraints = try container.decode([[String]].self, forKey: .uniquenessConstraints)
            indices = try container.decode([[String]].self, forKey: .indices)
            subentities = []
            inheritedProperties = []
        }

        /// Encodes the entity with its own properties and the name of its superentity.
        /// - Parameter encoder: The encoder to write to.
        /// - Throws: The encoder's error.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encodeIfPresent(superentityName, forKey: .superentityName)
            try container.encode(storedProperties.compactMap(EncodedProperty.init), forKey: .properties)
            try container.encode(uniquenessConstraints, forKey: .uniquenessConstraints)
            try container.encode(indices, forKey: .indices)
        }

        /// The entity of the superclass; `nil` for none.
        public var superentity: Schema.Entity? {
            get { linkedSuperentity }
            set {
                linkedSuperentity = newValue
                superentityName = newValue?.name
            }
        }

        /// Returns whether two entities have the same names, own properties, constraints and indexes.
        public static func == (lhs: Schema.Entity, rhs: Schema.Entity) -> Bool {
            lhs === rhs
                || lhs.name == rhs.name && lhs.superentityName == rhs.superentityName
                    && lhs.ownAttributes == rhs.ownAttributes && lhs.ownRelationships == rhs.ownRelationships
                    && lhs.uniquenessConstraints == rhs.uniquenessConstraints && lhs.indices == rhs.indices
        }

        /// Hashes the entity by its name.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
        }

        /// The entity with its properties, constraints and indexes, one line each.
        public var debugDescription: String {
            let heading = superentityName.map { "entity \(name) : \($0)" } ?? "entity \(name)"
            let properties = storedProperties.map { "    \(String(reflecting: $0))" }
            let constraints = uniquenessConstraints.map { "    unique (\($0.joined(separator: ", ")))" }
            let indices = indices.map { "    index (\($0.joined(separator: ", ")))" }
            return ([heading] + properties + constraints + indices).joined(separator: "\n")
        }
    }
}

extension Schema.Entity {
    /// The inherited properties, then the entity's own.
    public var properties: [any SchemaProperty] { inheritedProperties + storedProperties }

    /// The attributes, including inherited ones. Setting the property replaces the entity's own attributes.
    public var attributes: Set<Schema.Attribute> {
        get { Set(properties.compactMap { $0 as? Schema.Attribute }) }
        set {
            let own = newValue.subtracting(inheritedProperties.compactMap { $0 as? Schema.Attribute })
            storedProperties.removeAll { $0 is Schema.Attribute }
            storedProperties += own.sorted { $0.name < $1.name }
        }
    }

    /// The relationships, including inherited ones. Setting the property replaces the entity's own relationships.
    public var relationships: Set<Schema.Relationship> {
        get { Set(properties.compactMap { $0 as? Schema.Relationship }) }
        set {
            let own = newValue.subtracting(inheritedProperties.compactMap { $0 as? Schema.Relationship })
            storedProperties.removeAll { $0 is Schema.Relationship }
            storedProperties += own.sorted { $0.name < $1.name }
        }
    }

    /// The attributes by name, including inherited ones. Setting the property replaces the entity's own attributes.
    public var attributesByName: [String: Schema.Attribute] {
        get { Dictionary(attributes.map { ($0.name, $0) }) { first, _ in first } }
        set { attributes = Set(newValue.values) }
    }

    /// The relationships by name, including inherited ones. Setting the property replaces the entity's own relationships.
    public var relationshipsByName: [String: Schema.Relationship] {
        get { Dictionary(relationships.map { ($0.name, $0) }) { first, _ in first } }
        set { relationships = Set(newValue.values) }
    }

    /// The properties of the class itself, by name.
    public var storedPropertiesByName: [String: any SchemaProperty] {
        get { Dictionary(storedProperties.map { ($0.name, $0) }) { first, _ in first } }
        set { storedProperties = newValue.values.sorted { $0.name < $1.name } }
    }

    /// The properties of all superclasses, by name.
    public var inheritedPropertiesByName: [String: any SchemaProperty] {
        get { Dictionary(inheritedProperties.map { ($0.name, $0) }) { first, _ in first } }
        set { inheritedProperties = newValue.values.sorted { $0.name < $1.name } }
    }

    /// The entity's own attributes, in the order of their declaration.
    var ownAttributes: [Schema.Attribute] { storedProperties.compactMap { $0 as? Schema.Attribute } }
    /// The entity's own relationships, in the order of their declaration.
    var ownRelationships: [Schema.Relationship] { storedProperties.compactMap { $0 as? Schema.Relationship } }

    /// Whether `other` is the entity or one of its superentities.
    func isKind(of other: Schema.Entity) -> Bool {
        var current: Schema.Entity? = self
        var steps = 0
        while let entity = current, steps < 1000 {
            if entity === other { return true }
            current = entity.superentity
            steps += 1
        }
        return false
    }
}

/// A property with its kind, as the elements of one list are of several classes.
private struct EncodedProperty: Codable {
    enum Kind: String, Codable {
        case attribute, composite, relationship
    }

    private enum CodingKeys: CodingKey {
        case kind, property
    }

    let property: any SchemaProperty

    /// `nil` for a declaration about properties: the entity has those as names.
    init?(_ property: any SchemaProperty) {
        guard property is Schema.Attribute || property is Schema.Relationship else { return nil }
        self.property = property
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        property =
            switch try container.decode(Kind.self, forKey: .kind) {
            case .attribute: try container.decode(Schema.Attribute.self, forKey: .property)
            case .composite: try container.decode(Schema.CompositeAttribute.self, forKey: .property)
            case .relationship: try container.decode(Schema.Relationship.self, forKey: .property)
            }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let kind: Kind =
            property is Schema.Relationship
            ? .relationship : property is Schema.CompositeAttribute ? .composite : .attribute
        try container.encode(kind, forKey: .kind)
        try container.encode(property, forKey: .property)
    }
}
