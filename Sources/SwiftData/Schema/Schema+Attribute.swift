extension Schema {
    /// A value property of an entity.
    ///
    /// `@unchecked Sendable`: a schema sets its attributes while it is created and never afterwards; models, contexts and
    /// stores only read what was compiled from them. A program that changes an attribute itself must do so before it shares
    /// the schema, as with any mutable class.
    public class Attribute: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
        /// The name of the property.
        public var name: String
        /// The name of the property in the previous version of the schema; equal to `name` if it was not renamed.
        public var originalName: String
        /// The options of the attribute.
        public var options: [Schema.Attribute.Option]
        /// The Swift type of the property, including `Optional`.
        public var valueType: any Any.Type
        /// The initial value in the property's declaration; `nil` for none.
        public var defaultValue: Any?
        /// Whether the value may be nil.
        public var isOptional: Bool
        /// Text whose change makes a new version of the property although nothing else has changed.
        public var hashModifier: String?
        /// Converts between the Swift type and stored values; `nil` for an attribute that no model class declares.
        var codec: (any AttributeCodec)?

        private enum CodingKeys: CodingKey {
            case name, originalName, options, valueType, defaultValue, isOptional, hashModifier
        }

        /// Creates the content of an annotation; name, type and default value come from the annotated property.
        /// - Parameters:
        ///   - options: The options of the attribute.
        ///   - originalName: The name of the property in the previous version of the schema.
        ///   - hashModifier: Text whose change makes a new version of the property.
        public init(_ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil) {
            name = ""
            self.originalName = originalName ?? ""
            self.options = options
            valueType = Any.self
            defaultValue = nil
            isOptional = false
            self.hashModifier = hashModifier
        }

        /// Creates an attribute of an entity.
        /// - Parameters:
        ///   - name: The name of the property.
        ///   - originalName: The name in the previous version of the schema; `nil` if it was not renamed.
        ///   - options: The options of the attribute.
        ///   - valueType: The Swift type, including `Optional`.
        ///   - defaultValue: The initial value; `nil` for none.
        ///   - hashModifier: Text whose change makes a new version of the property.
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

        /// Decodes an attribute.
        /// - Parameter decoder: The decoder to read from.
        /// - Throws: `DecodingError` if the data is not an attribute.
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

        /// Encodes the attribute, without a default value that is not `Codable`.
        /// - Parameter encoder: The encoder to write to.
        /// - Throws: The encoder's error.
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

        /// The default value without the layers of `Optional` around it; `nil` for none and for a default of `nil`.
        var knownDefault: Any? { defaultValue.flatMap(unwrapped) }

        /// Returns whether two attributes are equal, apart from their default values: those need not be `Equatable`, and
        /// one such as `UUID()` differs every time.
        public static func == (lhs: Schema.Attribute, rhs: Schema.Attribute) -> Bool {
            lhs.isEqual(to: rhs)
        }

        func isEqual(to other: Schema.Attribute) -> Bool {
            type(of: self) == type(of: other) && name == other.name && originalName == other.originalName
                && options == other.options && valueType == other.valueType && isOptional == other.isOptional
                && hashModifier == other.hashModifier
        }

        /// Hashes the attribute by its names.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(originalName)
        }

        /// Always `true`.
        public var isAttribute: Bool { true }
        /// Always `false`.
        public var isRelationship: Bool { false }
        /// Whether the attribute is observed and tracked, but not stored.
        public var isTransient: Bool { options.contains(.ephemeral) }
        /// Whether no two rows have the same value.
        public var isUnique: Bool { options.contains(.unique) }
        /// Whether the value passes through a value transformer.
        public var isTransformable: Bool { transformerName != nil }

        /// Whether the value is stored in the form that its own `Codable` conformance gives it.
        public var isCodable: Bool { options.contains(.codable) }

        var transformerName: String? {
            options.lazy.compactMap(\.transformerName).first
        }

        /// The attribute's name, type and options.
        public var debugDescription: String {
            let options = options.map { ".\($0.debugDescription)" }.joined(separator: ", ")
            let rename = originalName.isEmpty || originalName == name ? "" : " (was \(originalName))"
            return "attribute \(name): \(valueType)\(rename)" + (options.isEmpty ? "" : " [\(options)]")
        }
    }
}

/// Removes all layers of `Optional` from a value; `nil` if there is no value inside.
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
