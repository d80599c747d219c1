extension Schema {
    /// Lists of properties in each of which no two rows agree. Written by `#Unique`.
    public final class Unique<T>: SchemaProperty, CustomDebugStringConvertible, Hashable, Codable
    where T: PersistentModel {
        /// The keys of the encoded form.
        public enum CodingKeys: CodingKey {
            /// The constraints.
            case constraints
        }

        /// The fixed name of the declaration.
        public var name: String
        /// The fixed name of the declaration.
        public var originalName: String
        /// The type of the declaration itself.
        public var valueType: any Any.Type
        /// The lists of properties.
        public let constraints: [[PartialKeyPath<T>]]

        /// Creates uniqueness constraints.
        /// - Parameter constraints: One list of properties for each constraint.
        public init(_ constraints: [PartialKeyPath<T>]...) {
            name = "SwiftData.Schema.Unique"
            originalName = name
            valueType = Schema.Unique<T>.self
            self.constraints = constraints
        }

        /// Decodes uniqueness constraints.
        /// - Parameter decoder: The decoder to read from.
        /// - Throws: `DecodingError` if the data is not a list of constraints, or the model class lacks a named property.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = "SwiftData.Schema.Unique"
            originalName = name
            valueType = Schema.Unique<T>.self
            constraints = try container.decode([[String]].self, forKey: .constraints).map {
                try KeyPathNames<T>.keyPaths(of: $0, at: container.codingPath)
            }
        }

        /// Encodes the constraints by the names of their properties.
        /// - Parameter encoder: The encoder to write to.
        /// - Throws: `EncodingError` for a key path that does not name a persisted property.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            let names = try constraints.map { try KeyPathNames<T>.names(of: $0, at: container.codingPath) }
            try container.encode(names, forKey: .constraints)
        }

        /// Always `true`.
        public var isUnique: Bool { true }

        /// Returns whether two declarations have the same constraints.
        public static func == (lhs: Schema.Unique<T>, rhs: Schema.Unique<T>) -> Bool {
            lhs.name == rhs.name && lhs.constraints == rhs.constraints
        }

        /// Hashes the declaration by its constraints.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(constraints)
        }

        /// The constraints with the names of their properties.
        public var debugDescription: String {
            "unique \(constraints.map(KeyPathNames<T>.text).joined(separator: " "))"
        }
    }
}
