extension Schema {
    /// One kind of model: its name, its place in a class hierarchy, and its properties.
    ///
    /// `storedProperties` and `inheritedProperties` are the only state; the sets and dictionaries of attributes and
    /// relationships are views of them, and setting one changes the stored properties.
    ///
    /// `@unchecked Sendable` for the reason given at `Schema.Attribute`.
    public final class Entity: Codable, Hashable, CustomDebugStringConvertible, @unchecked Sendable {
        public var name: String
        public var subentities: Set<Schema.Entity>
        public var superentityName: String?
        /// The schema owns its entities; a strong reference here would keep both ends alive for ever.
        private weak var linkedSuperentity: Schema.Entity?
        /// Own properties in declared order.
        public var storedProperties: [any SchemaProperty]
        /// Properties of all superclasses, the root's first.
        public var inheritedProperties: [any SchemaProperty]
        /// Groups of property names whose values together belong to one row only.
        public var uniquenessConstraints: [[String]]
        /// Groups of property names with an index.
        public var indices: [[String]]

        private enum CodingKeys: CodingKey {
            case name, superentityName, properties, uniquenessConstraints, indices
        }

        public init(_ name: String) {
            self.name = name
            subentities = []
            storedProperties = []
            inheritedProperties = []
            uniquenessConstraints = []
            indices = []
        }

        public convenience init(_ name: String, subentities: Schema.Entity..., properties: any SchemaProperty...) {
            self.init(name)
            storedProperties = properties
            self.subentities = Set(subentities)
            for subentity in subentities {
                subentity.superentity = self
                subentity.inheritedProperties = properties
            }
        }

        public convenience init(_ name: String, properties: any SchemaProperty...) {
            self.init(name)
            storedProperties = properties
        }

        /// Subentities and inherited properties are linked by the schema that holds the entity.
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

        /// Writes own properties only; the superentity goes by name.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encodeIfPresent(superentityName, forKey: .superentityName)
            try container.encode(storedProperties.compactMap(EncodedProperty.init), forKey: .properties)
            try container.encode(uniquenessConstraints, forKey: .uniquenessConstraints)
            try container.encode(indices, forKey: .indices)
        }

        public var superentity: Schema.Entity? {
            get { linkedSuperentity }
            set {
                linkedSuperentity = newValue
                superentityName = newValue?.name
            }
        }

        public static func == (lhs: Schema.Entity, rhs: Schema.Entity) -> Bool {
            lhs === rhs
                || lhs.name == rhs.name && lhs.superentityName == rhs.superentityName
                    && lhs.ownAttributes == rhs.ownAttributes && lhs.ownRelationships == rhs.ownRelationships
                    && lhs.uniquenessConstraints == rhs.uniquenessConstraints && lhs.indices == rhs.indices
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
        }

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
    /// Inherited properties, then own ones.
    public var properties: [any SchemaProperty] { inheritedProperties + storedProperties }

    /// All attributes, inherited ones included.
    public var attributes: Set<Schema.Attribute> {
        get { Set(properties.compactMap { $0 as? Schema.Attribute }) }
        set {
            let own = newValue.subtracting(inheritedProperties.compactMap { $0 as? Schema.Attribute })
            storedProperties.removeAll { $0 is Schema.Attribute }
            storedProperties += own.sorted { $0.name < $1.name }
        }
    }

    /// All relationships, inherited ones included.
    public var relationships: Set<Schema.Relationship> {
        get { Set(properties.compactMap { $0 as? Schema.Relationship }) }
        set {
            let own = newValue.subtracting(inheritedProperties.compactMap { $0 as? Schema.Relationship })
            storedProperties.removeAll { $0 is Schema.Relationship }
            storedProperties += own.sorted { $0.name < $1.name }
        }
    }

    public var attributesByName: [String: Schema.Attribute] {
        get { Dictionary(attributes.map { ($0.name, $0) }) { first, _ in first } }
        set { attributes = Set(newValue.values) }
    }

    public var relationshipsByName: [String: Schema.Relationship] {
        get { Dictionary(relationships.map { ($0.name, $0) }) { first, _ in first } }
        set { relationships = Set(newValue.values) }
    }

    public var storedPropertiesByName: [String: any SchemaProperty] {
        get { Dictionary(storedProperties.map { ($0.name, $0) }) { first, _ in first } }
        set { storedProperties = newValue.values.sorted { $0.name < $1.name } }
    }

    public var inheritedPropertiesByName: [String: any SchemaProperty] {
        get { Dictionary(inheritedProperties.map { ($0.name, $0) }) { first, _ in first } }
        set { inheritedProperties = newValue.values.sorted { $0.name < $1.name } }
    }

    /// Own attributes in declared order.
    var ownAttributes: [Schema.Attribute] { storedProperties.compactMap { $0 as? Schema.Attribute } }
    /// Own relationships in declared order.
    var ownRelationships: [Schema.Relationship] { storedProperties.compactMap { $0 as? Schema.Relationship } }

    /// The entity or one above it, as linked.
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

    /// `nil` for a declaration about properties: the entity keeps those as names.
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
