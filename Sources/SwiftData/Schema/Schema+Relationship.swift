import ObjectGraph

extension Schema {
    /// A property of an entity that leads to other models.
    ///
    /// `@unchecked Sendable` for the reason given at `Schema.Attribute`.
    public final class Relationship: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
        public var name: String
        public var originalName: String
        public var keypath: AnyKeyPath?
        public var options: [Schema.Relationship.Option]
        /// The Swift type of the property: a model, an array of them, or an `Optional` of either.
        public var valueType: any Any.Type
        /// Name of the entity it leads to.
        public var destination: String
        public var deleteRule: Schema.Relationship.DeleteRule
        /// Name of the relationship back, or `nil` for a one-way relationship.
        public var inverseName: String?
        public var inverseKeyPath: AnyKeyPath?
        /// Least number of destinations at save; `nil` and 0 ask for none.
        public var minimumModelCount: Int?
        /// Most destinations at save; `nil` and 0 set no limit.
        public var maximumModelCount: Int?
        public var hashModifier: String?
        /// Whether `inverse: nil` was written out, which forbids inferring one.
        let isOneWay: Bool
        /// Known from a file, where the Swift type may not be.
        private var decodedShape: Shape?

        struct Shape: Codable {
            var isToOne: Bool
            var isOptional: Bool
        }

        private enum CodingKeys: CodingKey {
            case name, originalName, options, valueType, destination, deleteRule, inverseName, minimumModelCount
            case maximumModelCount, hashModifier, isOneWay, shape
        }

        /// What an annotation says; name, type and destination come from the property it stands at.
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

        /// Chosen by the compiler for a written-out `inverse: nil`: a relationship that has no way back, even where
        /// one could be inferred.
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

        /// The relationship of one property: what its annotation says (if it has one) with its name and type.
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

        /// Writes everything but the key paths; the inverse is kept by name.
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

        public var isToOneRelationship: Bool {
            decodedShape?.isToOne ?? !(valueType is any RelationshipCollection.Type)
        }

        public var isOptional: Bool { decodedShape?.isOptional ?? isOptionalType(valueType) }
        public var isUnique: Bool { options.contains(.unique) }
        public var isAttribute: Bool { false }
        public var isRelationship: Bool { true }
        public var isTransient: Bool { false }

        /// Key paths take no part, so that a schema equals itself read back from a file.
        public static func == (lhs: Schema.Relationship, rhs: Schema.Relationship) -> Bool {
            lhs.name == rhs.name && lhs.originalName == rhs.originalName && lhs.options == rhs.options
                && lhs.valueType == rhs.valueType && lhs.destination == rhs.destination
                && lhs.deleteRule == rhs.deleteRule && lhs.inverseName == rhs.inverseName
                && lhs.minimumModelCount == rhs.minimumModelCount && lhs.maximumModelCount == rhs.maximumModelCount
                && lhs.hashModifier == rhs.hashModifier
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(destination)
        }

        public var debugDescription: String {
            let inverse = inverseName.map { " inverse \($0)" } ?? ""
            return "relationship \(name): \(valueType) to \(destination)\(inverse) deleteRule \(deleteRule)"
        }
    }
}

extension Schema.Relationship {
    /// What deleting a model does to the models this relationship leads to.
    public enum DeleteRule: String, Codable {
        /// They stay as they are and may refer to a model that is gone.
        case noAction
        /// They forget the deleted model.
        case nullify
        /// They are deleted too.
        case cascade
        /// The deletion is refused while there are any.
        case deny
    }

    /// A wish about how a relationship is kept.
    public struct Option: Codable, Hashable, CustomDebugStringConvertible, Sendable {
        enum Kind: String, Codable, Sendable {
            case unique
        }

        private enum CodingKeys: CodingKey {
            case kind
        }

        let kind: Kind

        /// A destination is linked by one owner only.
        public static var unique: Schema.Relationship.Option { Self(kind: .unique) }

        private init(kind: Kind) { self.kind = kind }

        public init(from decoder: any Decoder) throws {
            kind = try decoder.container(keyedBy: CodingKeys.self).decode(Kind.self, forKey: .kind)
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(kind, forKey: .kind)
        }

        public static func == (lhs: Schema.Relationship.Option, rhs: Schema.Relationship.Option) -> Bool {
            lhs.kind == rhs.kind
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(kind)
        }

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
