import ObjectGraph

extension Schema {
    /// A property of an entity that refers to other models.
    ///
    /// `@unchecked Sendable` for the reason given at `Schema.Attribute`.
    public final class Relationship: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
        /// The name of the property.
        public var name: String
        /// The name of the property in the previous version of the schema; equal to `name` if it was not renamed.
        public var originalName: String
        /// The key path of the property; `nil` in a decoded schema.
        public var keypath: AnyKeyPath?
        /// The options of the relationship.
        public var options: [Schema.Relationship.Option]
        /// The Swift type of the property: a model, an array of models, or an `Optional` of either.
        public var valueType: any Any.Type
        /// The name of the destination entity.
        public var destination: String
        /// The effect of a deletion of the owner on the models at the other end. The default is `.nullify`.
        public var deleteRule: Schema.Relationship.DeleteRule
        /// The name of the inverse relationship, or `nil` for a one-way relationship.
        public var inverseName: String?
        /// The key path of the inverse relationship; `nil` for a one-way relationship and in a decoded schema.
        public var inverseKeyPath: AnyKeyPath?
        /// The minimum number of models, checked by saves; `nil` and 0 for none.
        public var minimumModelCount: Int?
        /// The maximum number of models, checked by saves; `nil` and 0 for no limit.
        public var maximumModelCount: Int?
        /// Text whose change makes a new version of the property although nothing else has changed.
        public var hashModifier: String?
        /// Whether `inverse: nil` was written explicitly, which prevents an inferred inverse.
        let isOneWay: Bool
        /// Known from an encoded schema, whose Swift types may be unknown.
        private var decodedShape: Shape?

        struct Shape: Codable {
            var isToOne: Bool
            var isOptional: Bool
        }

        private enum CodingKeys: CodingKey {
            case name, originalName, options, valueType, destination, deleteRule, inverseName, minimumModelCount
            case maximumModelCount, hashModifier, isOneWay, shape
        }

        /// Creates the content of an annotation; name, type and destination come from the annotated property.
        /// - Parameters:
        ///   - options: The options of the relationship.
        ///   - deleteRule: The effect of a deletion of the owner on the models at the other end.
        ///   - minimumModelCount: The minimum number of models; `nil` and 0 for none.
        ///   - maximumModelCount: The maximum number of models; `nil` and 0 for no limit.
        ///   - originalName: The name of the property in the previous version of the schema.
        ///   - inverse: The inverse relationship; `nil` to infer it.
        ///   - hashModifier: Text whose change makes a new version of the property.
        @_disfavoredOverload
        public init(
            _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
            minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
            inverse: AnyKeyPath? = nil, hashModifier: String? = nil
        ) {
            name = ""
            self.originalName = originalName ?? ""
            self.options = options
            valueType = Any.self
            destination = ""
            self.deleteRule = deleteRule
            inverseKeyPath = inverse
            self.minimumModelCount = minimumModelCount
            self.maximumModelCount = maximumModelCount
            self.hashModifier = hashModifier
            isOneWay = false
        }

        /// Creates the content of an annotation with an explicit `inverse: nil`: a relationship without an inverse, even if
        /// one could be inferred.
        /// - Parameters:
        ///   - options: The options of the relationship.
        ///   - deleteRule: The effect of a deletion of the owner on the models at the other end.
        ///   - minimumModelCount: The minimum number of models; `nil` and 0 for none.
        ///   - maximumModelCount: The maximum number of models; `nil` and 0 for no limit.
        ///   - originalName: The name of the property in the previous version of the schema.
        ///   - inverse: `nil`.
        ///   - hashModifier: Text whose change makes a new version of the property.
        public init(
            _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
            minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil, inverse: Never?,
            hashModifier: String? = nil
        ) {
            name = ""
            self.originalName = originalName ?? ""
            self.options = options
            valueType = Any.self
            destination = ""
            self.deleteRule = deleteRule
            self.minimumModelCount = minimumModelCount
            self.maximumModelCount = maximumModelCount
            self.hashModifier = hashModifier
            isOneWay = true
        }

        /// The relationship of one property: the content of its annotation, if any, with its name and type.
        init(property: ModelProperty, destination: String) {
            let annotation = property.metadata as? Schema.Relationship
            name = property.name
            originalName = annotation.flatMap { $0.originalName.isEmpty ? nil : $0.originalName } ?? property.name
            keypath = property.keyPath
            options = annotation?.options ?? []
            valueType = property.valueType
            self.destination = destination
            deleteRule = annotation?.deleteRule ?? .nullify
            inverseName = annotation?.inverseName
            inverseKeyPath = annotation?.inverseKeyPath
            minimumModelCount = annotation.map(\.minimumModelCount) ?? 0
            maximumModelCount = annotation.map(\.maximumModelCount) ?? 0
            hashModifier = annotation?.hashModifier
            isOneWay = annotation?.isOneWay ?? false
        }

        /// Decodes a relationship.
        /// - Parameter decoder: The decoder to read from.
        /// - Throws: `DecodingError` if the data is not a relationship.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            originalName = try container.decode(String.self, forKey: .originalName)
            options = try container.decode([Option].self, forKey: .options)
            valueType = try container.decode(EncodedType.self, forKey: .valueType).type
            destination = try container.decode(String.self, forKey: .destination)
            deleteRule = try container.decode(DeleteRule.self, forKey: .deleteRule)
            inverseName = try container.decodeIfPresent(String.self, forKey: .inverseName)
            minimumModelCount = try container.decodeIfPresent(Int.self, forKey: .minimumModelCount)
            maximumModelCount = try container.decodeIfPresent(Int.self, forKey: .maximumModelCount)
            hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
            isOneWay = try container.decode(Bool.self, forKey: .isOneWay)
            decodedShape = try container.decode(Shape.self, forKey: .shape)
        }

        /// Encodes the relationship without its key paths; the inverse is encoded by name.
        /// - Parameter encoder: The encoder to write to.
        /// - Throws: The encoder's error.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(originalName, forKey: .originalName)
            try container.encode(options, forKey: .options)
            try container.encode(EncodedType(valueType), forKey: .valueType)
            try container.encode(destination, forKey: .destination)
            try container.encode(deleteRule, forKey: .deleteRule)
            try container.encodeIfPresent(inverseName, forKey: .inverseName)
            try container.encodeIfPresent(minimumModelCount, forKey: .minimumModelCount)
            try container.encodeIfPresent(maximumModelCount, forKey: .maximumModelCount)
            try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
            try container.encode(isOneWay, forKey: .isOneWay)
            try container.encode(Shape(isToOne: isToOneRelationship, isOptional: isOptional), forKey: .shape)
        }

        /// Whether the relationship refers to at most one model.
        public var isToOneRelationship: Bool {
            decodedShape?.isToOne ?? !(valueType is any RelationshipCollection.Type)
        }

        /// Whether the relationship may be empty.
        public var isOptional: Bool { decodedShape?.isOptional ?? isOptionalType(valueType) }
        /// Whether a destination has one owner only.
        public var isUnique: Bool { options.contains(.unique) }
        /// Always `false`.
        public var isAttribute: Bool { false }
        /// Always `true`.
        public var isRelationship: Bool { true }
        /// Always `false`.
        public var isTransient: Bool { false }

        /// Returns whether two relationships are equal, apart from their key paths, so that a schema equals itself after
        /// decoding.
        public static func == (lhs: Schema.Relationship, rhs: Schema.Relationship) -> Bool {
            lhs.name == rhs.name && lhs.originalName == rhs.originalName && lhs.options == rhs.options
                && lhs.valueType == rhs.valueType && lhs.destination == rhs.destination
                && lhs.deleteRule == rhs.deleteRule && lhs.inverseName == rhs.inverseName
                && lhs.minimumModelCount == rhs.minimumModelCount && lhs.maximumModelCount == rhs.maximumModelCount
                && lhs.hashModifier == rhs.hashModifier
        }

        /// Hashes the relationship by its name and destination.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(destination)
        }

        /// The relationship's name, type, destination, inverse and delete rule.
        public var debugDescription: String {
            let inverse = inverseName.map { " inverse \($0)" } ?? ""
            return "relationship \(name): \(valueType) to \(destination)\(inverse) deleteRule \(deleteRule)"
        }
    }
}

extension Schema.Relationship {
    /// The effect of a deletion on the models that a relationship refers to.
    public enum DeleteRule: String, Codable {
        /// The models are unchanged, and may refer to a deleted model.
        case noAction
        /// The models lose their link to the deleted model.
        case nullify
        /// The models are deleted too.
        case cascade
        /// The deletion is refused if there are any.
        case deny
    }

    /// An option of a relationship.
    public struct Option: Codable, Hashable, CustomDebugStringConvertible, Sendable {
        enum Kind: String, Codable, Sendable {
            case unique
        }

        private enum CodingKeys: CodingKey {
            case kind
        }

        let kind: Kind

        /// A destination has one owner only.
        public static var unique: Schema.Relationship.Option { Self(kind: .unique) }

        private init(kind: Kind) { self.kind = kind }

        /// Decodes an option.
        /// - Parameter decoder: The decoder to read from.
        /// - Throws: `DecodingError` if the data is not an option.
        public init(from decoder: any Decoder) throws {
            kind = try decoder.container(keyedBy: CodingKeys.self).decode(Kind.self, forKey: .kind)
        }

        /// Encodes the option.
        /// - Parameter encoder: The encoder to write to.
        /// - Throws: The encoder's error.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(kind, forKey: .kind)
        }

        /// Returns whether two options are equal.
        public static func == (lhs: Schema.Relationship.Option, rhs: Schema.Relationship.Option) -> Bool {
            lhs.kind == rhs.kind
        }

        /// Hashes the option.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(kind)
        }

        /// The option as it is written in source.
        public var debugDescription: String { kind.rawValue }
    }
}

extension Schema.Relationship.DeleteRule {
    var engineRule: ObjectGraph.DeleteRule {
        switch self {
        case .noAction: .noAction
        case .nullify: .nullify
        case .cascade: .cascade
        case .deny: .deny
        }
    }
}
