extension Schema {
    /// Groups of properties whose values together belong to one row only. Written by `#Unique`.
    public final class Unique<T>: SchemaProperty, CustomDebugStringConvertible, Hashable, Codable
    where T: PersistentModel {
        public enum CodingKeys: CodingKey {
            case constraints
        }

        public var name: String
        public var originalName: String
        public var valueType: any Any.Type
        public let constraints: [[PartialKeyPath<T>]]

        public init(_ constraints: [PartialKeyPath<T>]...) {
            name = "SwiftData.Schema.Unique"
            originalName = name
            valueType = Schema.Unique<T>.self
            self.constraints = constraints
        }

        /// - Throws: `DecodingError` when the model class lacks a named property.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = "SwiftData.Schema.Unique"
            originalName = name
            valueType = Schema.Unique<T>.self
            constraints = try container.decode([[String]].self, forKey: .constraints).map {
                try KeyPathNames<T>.keyPaths(of: $0, at: container.codingPath)
            }
        }

        /// Writes the properties' names.
        /// - Throws: `EncodingError` for a key path that leads to no persisted property.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            let names = try constraints.map { try KeyPathNames<T>.names(of: $0, at: container.codingPath) }
            try container.encode(names, forKey: .constraints)
        }

        public var isUnique: Bool { true }

        public static func == (lhs: Schema.Unique<T>, rhs: Schema.Unique<T>) -> Bool {
            lhs.name == rhs.name && lhs.constraints == rhs.constraints
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(constraints)
        }

        public var debugDescription: String {
            "unique \(constraints.map(KeyPathNames<T>.text).joined(separator: " "))"
        }
    }
}
