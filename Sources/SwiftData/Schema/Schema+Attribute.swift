extension Schema {
    /// A value property of an entity.
    ///
    /// `@unchecked Sendable`: a schema fills its attributes while it is made and never writes to them again; models,
    /// contexts and stores only read what was compiled from them. A program that changes an attribute itself must do
    /// so before the schema is shared, as with any mutable class.
    public class Attribute: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
        public var name: String
        public var originalName: String
        public var options: [Schema.Attribute.Option]
        /// The Swift type of the property, `Optional` included.
        public var valueType: any Any.Type
        public var defaultValue: Any?
        public var isOptional: Bool
        /// Text that makes this version of the property count as changed.
        public var hashModifier: String?
        /// Translates between the Swift type and stored values; `nil` for an attribute that no model class declares.
        var codec: (any AttributeCodec)?

        private enum CodingKeys: CodingKey {
            case name, originalName, options, valueType, defaultValue, isOptional, hashModifier
        }

        /// What an annotation says; name, type and default come from the property it stands at.
        public init(_ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil) {
            name = ""
            self.originalName = originalName ?? ""
            self.options = options
            valueType = Any.self
            defaultValue = nil
            isOptional = false
            self.hashModifier = hashModifier
        }

        public init(
            name: String, originalName: String? = nil, options: [Schema.Attribute.Option] = [],
            valueType: any Any.Type, defaultValue: Any? = nil, hashModifier: String? = nil
        ) {
            self.name = name
            self.originalName = originalName ?? name
            self.options = options
            self.valueType = valueType
            self.defaultValue = defaultValue
            isOptional = isOptionalType(valueType)
            self.hashModifier = hashModifier
        }

        public required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            originalName = try container.decode(String.self, forKey: .originalName)
            options = try container.decode([Option].self, forKey: .options)
            let type = try container.decode(EncodedType.self, forKey: .valueType).type
            valueType = type
            isOptional = try container.decode(Bool.self, forKey: .isOptional)
            hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
            if let decodable = withoutOptional(type) as? any Decodable.Type, container.contains(.defaultValue) {
                defaultValue = try container.decode(decodable, forKey: .defaultValue)
            }
        }

        /// Writes everything but what only the program knows: key paths and defaults that are not `Codable`.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(originalName, forKey: .originalName)
            try container.encode(options, forKey: .options)
            try container.encode(EncodedType(valueType), forKey: .valueType)
            try container.encode(isOptional, forKey: .isOptional)
            try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
            if let value = knownDefault as? any Codable {
                try container.encode(value, forKey: .defaultValue)
            }
        }

        /// The default without the layers of `Optional` around it; `nil` for none and for a default of `nil`.
        var knownDefault: Any? { defaultValue.flatMap(unwrapped) }

        /// Defaults take no part: they need not be `Equatable`, and one such as `UUID()` differs every time.
        public static func == (lhs: Schema.Attribute, rhs: Schema.Attribute) -> Bool {
            lhs.isEqual(to: rhs)
        }

        func isEqual(to other: Schema.Attribute) -> Bool {
            type(of: self) == type(of: other) && name == other.name && originalName == other.originalName
                && options == other.options && valueType == other.valueType && isOptional == other.isOptional
                && hashModifier == other.hashModifier
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(originalName)
        }

        public var isAttribute: Bool { true }
        public var isRelationship: Bool { false }
        public var isTransient: Bool { options.contains(.ephemeral) }
        public var isUnique: Bool { options.contains(.unique) }
        public var isTransformable: Bool { transformerName != nil }

        var transformerName: String? {
            options.lazy.compactMap(\.transformerName).first
        }

        public var debugDescription: String {
            let options = options.map { ".\($0.debugDescription)" }.joined(separator: ", ")
            let rename = originalName.isEmpty || originalName == name ? "" : " (was \(originalName))"
            return "attribute \(name): \(valueType)\(rename)" + (options.isEmpty ? "" : " [\(options)]")
        }
    }
}

/// Takes every layer of `Optional` off a value; `nil` when there is nothing inside.
func unwrapped(_ value: Any) -> Any? {
    guard let optional = value as? any OptionalValue else { return value }
    return optional.content.flatMap(unwrapped)
}

private protocol OptionalValue {
    var content: Any? { get }
}

extension Optional: OptionalValue {
    var content: Any? { self.map { $0 } }
}
