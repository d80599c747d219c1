extension Schema {
    /// An attribute composed of others: a `Codable` struct or enum, stored in one column for each part.
    ///
    /// `@unchecked Sendable` for the reason given at `Schema.Attribute`.
    public final class CompositeAttribute: Schema.Attribute, @unchecked Sendable {
        /// The parts, in the order of their declaration.
        public var properties: [Schema.Attribute]

        private enum CodingKeys: CodingKey {
            case parts
        }

        /// A part that is composite itself keeps its kind.
        private struct Part: Codable {
            enum Kind: String, Codable {
                case plain, composite
            }

            private enum CodingKeys: CodingKey {
                case kind, attribute
            }

            let attribute: Schema.Attribute

            init(_ attribute: Schema.Attribute) { self.attribute = attribute }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                attribute =
                    switch try container.decode(Kind.self, forKey: .kind) {
                    case .plain: try container.decode(Schema.Attribute.self, forKey: .attribute)
                    case .composite: try container.decode(Schema.CompositeAttribute.self, forKey: .attribute)
                    }
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                let kind: Kind = attribute is Schema.CompositeAttribute ? .composite : .plain
                try container.encode(kind, forKey: .kind)
                try container.encode(attribute, forKey: .attribute)
            }
        }

        /// Creates a composite attribute without parts.
        /// - Parameters:
        ///   - name: The name of the property.
        ///   - originalName: The name in the previous version of the schema; `nil` if it was not renamed.
        ///   - options: The options of the attribute.
        ///   - valueType: The Swift type, including `Optional`.
        ///   - defaultValue: The initial value; `nil` for none.
        ///   - hashModifier: Text whose change makes a new version of the property.
        public override init(
            name: String, originalName: String? = nil, options: [Schema.Attribute.Option] = [],
            valueType: any Any.Type, defaultValue: Any? = nil, hashModifier: String? = nil
        ) {
            properties = []
            super.init(
                name: name, originalName: originalName, options: options, valueType: valueType,
                defaultValue: defaultValue, hashModifier: hashModifier)
        }

        /// Decodes a composite attribute with its parts.
        /// - Parameter decoder: The decoder to read from.
        /// - Throws: `DecodingError` if the data is not a composite attribute.
        public required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            properties = try container.decode([Part].self, forKey: .parts).map(\.attribute)
            try super.init(from: decoder)
        }

        /// Encodes the composite attribute with its parts.
        /// - Parameter encoder: The encoder to write to.
        /// - Throws: The encoder's error.
        public override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(properties.map(Part.init), forKey: .parts)
            try super.encode(to: encoder)
        }

        /// Returns whether two composite attributes and their parts are equal, apart from their default values.
        public static func == (lhs: Schema.CompositeAttribute, rhs: Schema.CompositeAttribute) -> Bool {
            lhs.isEqual(to: rhs)
        }

        override func isEqual(to other: Schema.Attribute) -> Bool {
            super.isEqual(to: other) && properties == (other as? Schema.CompositeAttribute)?.properties
        }

        /// The attribute's name, type, options and parts.
        public override var debugDescription: String {
            let parts = properties.map { "\($0.name): \($0.valueType)" }.joined(separator: ", ")
            return "composite \(super.debugDescription) {\(parts)}"
        }
    }
}
