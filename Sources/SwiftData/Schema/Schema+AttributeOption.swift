import Foundation
import FoundationAdditions

extension Schema.Attribute {
    /// An option of an attribute: how it is stored.
    public struct Option: Codable, Hashable, CustomDebugStringConvertible, Sendable {
        enum Kind: String, Codable, Sendable {
            case unique, transformable, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, ephemeral
            case spotlight, codable
        }

        private enum CodingKeys: CodingKey {
            case kind, transformerName
        }

        let kind: Kind
        /// The registered name of the value transformer, for `transformable` only.
        let transformerName: String?

        private init(_ kind: Kind, transformerName: String? = nil) {
            self.kind = kind
            self.transformerName = transformerName
        }

        /// No two rows have the same value: saving a new model with a stored value updates the stored row.
        public static var unique: Schema.Attribute.Option { Self(.unique) }

        /// The value is stored in the form that a transformer makes of it. A transformer of the class is created and
        /// registered under the class name unless that name is in use.
        /// - Parameter transformerType: The class of the transformer.
        public static func transformable(by transformerType: ValueTransformer.Type) -> Schema.Attribute.Option {
            Self(.transformable, transformerName: transformerType.registeredName())
        }

        /// The value is stored in the form that a registered transformer makes of it.
        /// - Parameter transformerName: The name under which the transformer is registered.
        public static func transformable(by transformerName: String) -> Schema.Attribute.Option {
            Self(.transformable, transformerName: transformerName)
        }

        /// Large values may be stored in files beside the store.
        public static var externalStorage: Schema.Attribute.Option { Self(.externalStorage) }
        /// Recorded with the schema for Apple's cloud; no effect here.
        public static var allowsCloudEncryption: Schema.Attribute.Option { Self(.allowsCloudEncryption) }
        /// The history preserves the value of a deleted row.
        public static var preserveValueOnDeletion: Schema.Attribute.Option { Self(.preserveValueOnDeletion) }
        /// The value is observed and tracked, but not stored. Each context has its own value, which saves of others do not
        /// change. If only such values were edited, a save writes nothing. The value is lost when the context releases the
        /// model or reads its whole row again, as after a bulk delete that changed it.
        public static var ephemeral: Schema.Attribute.Option { Self(.ephemeral) }
        /// Recorded with the schema for Apple's search; no effect here.
        public static var spotlight: Schema.Attribute.Option { Self(.spotlight) }

        /// The value is stored in the form that its own `Codable` conformance gives it, in one column. Use it for types of
        /// other libraries: for the store the value has no parts, so that a predicate or sort descriptor on it is evaluated in
        /// memory, and a change of the type is no migration.
        public static var codable: Schema.Attribute.Option { Self(.codable) }

        /// Decodes an option.
        /// - Parameter decoder: The decoder to read from.
        /// - Throws: `DecodingError` if the data is not an option.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            kind = try container.decode(Kind.self, forKey: .kind)
            transformerName = try container.decodeIfPresent(String.self, forKey: .transformerName)
        }

        /// Encodes the option.
        /// - Parameter encoder: The encoder to write to.
        /// - Throws: The encoder's error.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(kind, forKey: .kind)
            try container.encodeIfPresent(transformerName, forKey: .transformerName)
        }

        /// Returns whether two options are equal.
        public static func == (lhs: Schema.Attribute.Option, rhs: Schema.Attribute.Option) -> Bool {
            lhs.kind == rhs.kind && lhs.transformerName == rhs.transformerName
        }

        /// Hashes the option.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(kind)
            hasher.combine(transformerName)
        }

        /// The option as it is written in source.
        public var debugDescription: String {
            transformerName.map { "\(kind.rawValue)(by: \($0))" } ?? kind.rawValue
        }
    }
}

extension ValueTransformer {
    /// The name under which a transformer of this class is registered; registers one if the name is free.
    fileprivate class func registeredName() -> String {
        let name = NSValueTransformerName(rawValue: String(describing: self))
        if ValueTransformer(forName: name) == nil {
            ValueTransformer.setValueTransformer(Self.init(), forName: name)
        }
        return name.rawValue
    }
}
