import Foundation
import FoundationAdditions

extension Schema.Attribute {
    /// A wish about how an attribute is kept.
    public struct Option: Codable, Hashable, CustomDebugStringConvertible, Sendable {
        enum Kind: String, Codable, Sendable {
            case unique, transformable, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, ephemeral
            case spotlight
        }

        private enum CodingKeys: CodingKey {
            case kind, transformerName
        }

        let kind: Kind
        /// Registered name of the value transformer, for `transformable` only.
        let transformerName: String?

        private init(_ kind: Kind, transformerName: String? = nil) {
            self.kind = kind
            self.transformerName = transformerName
        }

        /// No two rows have the same value; saving a second one updates the first.
        public static var unique: Schema.Attribute.Option { Self(.unique) }

        /// The value is stored as what a transformer makes of it. The transformer is made and registered under its
        /// class name unless that name is taken.
        public static func transformable(by transformerType: ValueTransformer.Type) -> Schema.Attribute.Option {
            Self(.transformable, transformerName: transformerType.registeredName())
        }

        /// The value is stored as what the transformer registered under this name makes of it.
        public static func transformable(by transformerName: String) -> Schema.Attribute.Option {
            Self(.transformable, transformerName: transformerName)
        }

        /// Large values may live in files beside the store.
        public static var externalStorage: Schema.Attribute.Option { Self(.externalStorage) }
        /// Kept with the schema for Apple's cloud; has no effect here.
        public static var allowsCloudEncryption: Schema.Attribute.Option { Self(.allowsCloudEncryption) }
        /// The history keeps the value of a deleted row.
        public static var preserveValueOnDeletion: Schema.Attribute.Option { Self(.preserveValueOnDeletion) }
        /// Tracked and observed, never stored: each context has its own values, which others' saves leave alone. Where only
        /// such values were edited, a save writes nothing. They are lost when the context lets go of the model or reads it
        /// anew as a whole, after a bulk delete that changed it, for one.
        public static var ephemeral: Schema.Attribute.Option { Self(.ephemeral) }
        /// Kept with the schema for Apple's search; has no effect here.
        public static var spotlight: Schema.Attribute.Option { Self(.spotlight) }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            kind = try container.decode(Kind.self, forKey: .kind)
            transformerName = try container.decodeIfPresent(String.self, forKey: .transformerName)
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(kind, forKey: .kind)
            try container.encodeIfPresent(transformerName, forKey: .transformerName)
        }

        public static func == (lhs: Schema.Attribute.Option, rhs: Schema.Attribute.Option) -> Bool {
            lhs.kind == rhs.kind && lhs.transformerName == rhs.transformerName
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(kind)
            hasher.combine(transformerName)
        }

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
