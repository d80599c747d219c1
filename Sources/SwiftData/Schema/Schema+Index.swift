extension Schema {
    /// Indexes of the store on lists of properties. Written by `#Index`.
    public final class Index<T>: SchemaProperty, CustomDebugStringConvertible, Hashable, Codable
    where T: PersistentModel {
        /// One index, by the kind of query that it serves.
        public enum Types<P> where P: PersistentModel {
            /// An index for equality, ranges and order.
            case binary([PartialKeyPath<P>])
            /// An index for ranges in several dimensions. The store makes an ordinary index of it.
            case rtree([PartialKeyPath<P>])

            var keyPaths: [PartialKeyPath<P>] {
                switch self {
                case .binary(let keyPaths), .rtree(let keyPaths): keyPaths
                }
            }
        }

        /// The keys of the encoded form.
        public enum CodingKeys: CodingKey {
            /// The indexes.
            case indices
        }

        /// The fixed name of the declaration.
        public var name: String
        /// The fixed name of the declaration.
        public var originalName: String
        /// The type of the declaration itself.
        public var valueType: any Any.Type
        /// The indexes.
        public let indices: [Schema.Index<T>.Types<T>]

        /// Creates indexes of given kinds.
        /// - Parameter indices: The indexes.
        public init(_ indices: Schema.Index<T>.Types<T>...) {
            name = "SwiftData.Schema.Index"
            originalName = name
            valueType = Schema.Index<T>.self
            self.indices = indices
        }

        /// Creates indexes for equality, ranges and order.
        /// - Parameter binaryIndices: One list of properties for each index.
        public init(_ binaryIndices: [PartialKeyPath<T>]...) {
            name = "SwiftData.Schema.Index"
            originalName = name
            valueType = Schema.Index<T>.self
            indices = binaryIndices.map { .binary($0) }
        }

        private struct Encoded: Codable {
            var isRTree: Bool
            var properties: [String]
        }

        /// Decodes indexes.
        /// - Parameter decoder: The decoder to read from.
        /// - Throws: `DecodingError` if the data is not a list of indexes, or the model class lacks a named property.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = "SwiftData.Schema.Index"
            originalName = name
            valueType = Schema.Index<T>.self
            indices = try container.decode([Encoded].self, forKey: .indices).map { encoded in
                let keyPaths = try KeyPathNames<T>.keyPaths(of: encoded.properties, at: container.codingPath)
                return encoded.isRTree ? .rtree(keyPaths) : .binary(keyPaths)
            }
        }

        /// Encodes the indexes by the names of their properties.
        /// - Parameter encoder: The encoder to write to.
        /// - Throws: `EncodingError` for a key path that does not name a persisted property.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            let encoded = try indices.map { index in
                let names = try KeyPathNames<T>.names(of: index.keyPaths, at: container.codingPath)
                if case .rtree = index { return Encoded(isRTree: true, properties: names) }
                return Encoded(isRTree: false, properties: names)
            }
            try container.encode(encoded, forKey: .indices)
        }

        /// Always `false`.
        public var isUnique: Bool { false }

        /// Returns whether two declarations have the same indexes.
        public static func == (lhs: Schema.Index<T>, rhs: Schema.Index<T>) -> Bool {
            lhs.name == rhs.name
                && lhs.indices.elementsEqual(rhs.indices) { lhs, rhs in
                    switch (lhs, rhs) {
                    case (.binary(let left), .binary(let right)), (.rtree(let left), .rtree(let right)): left == right
                    default: false
                    }
                }
        }

        /// Hashes the declaration by its indexes.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            for index in indices { hasher.combine(index.keyPaths) }
        }

        /// The indexes with the names of their properties.
        public var debugDescription: String {
            let groups = indices.map { index in
                let names = KeyPathNames<T>.text(of: index.keyPaths)
                if case .rtree = index { return "rtree\(names)" }
                return names
            }
            return "index \(groups.joined(separator: " "))"
        }
    }
}

/// Converts key paths of one model class to property names and back.
enum KeyPathNames<T: PersistentModel> {
    static func names(of keyPaths: [PartialKeyPath<T>], at codingPath: [any CodingKey]) throws -> [String] {
        try keyPaths.map { keyPath in
            guard let name = ModelType.of(T.self).propertyName(of: keyPath) else {
                throw EncodingError.invalidValue(
                    keyPath,
                    .init(codingPath: codingPath, debugDescription: "\(keyPath) names no persisted property."))
            }
            return name
        }
    }

    static func keyPaths(of names: [String], at codingPath: [any CodingKey]) throws -> [PartialKeyPath<T>] {
        let properties = ModelType.of(T.self).allProperties
        return try names.map { name in
            let property = properties.first { $0.name == name }
            guard let keyPath = property?.keyPath as? PartialKeyPath<T> else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: codingPath, debugDescription: "\(T.self) has no property '\(name)'."))
            }
            return keyPath
        }
    }

    static func text(of keyPaths: [PartialKeyPath<T>]) -> String {
        let names = keyPaths.map { ModelType.of(T.self).propertyName(of: $0) ?? "\($0)" }
        return "(\(names.joined(separator: ", ")))"
    }
}
