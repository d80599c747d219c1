import Foundation
import ObjectGraph

extension DefaultSnapshot {
    private typealias Key = DataStoreSnapshotCodingKey

    // MARK: Writing

    /// Encodes each stored property under its name; `nil` for a property without a value.
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
        for property in SnapshotTypes.type(named: persistentIdentifier.entityName)?.allProperties ?? [] {
            try encode(property, &container)
        }
    }

    private func encode(_ property: ModelProperty, _ container: inout KeyedEncodingContainer<Key>) throws {
        let key = Key.modeledProperty(property.name)
        switch property.kind {
        case .attribute(let codec):
            guard property.slots.upperBound <= values.count else { return }
            try codec.encode(values[property.slots], to: &container, key)
        case .relationship(_, .toOne):
            var destination: PersistentIdentifier?
            if let slot = property.slots.first, slot < values.count, case .reference(let id) = values[slot] {
                destination = PersistentIdentifier(id)
            }
            try container.encode(destination, forKey: key)
        case .relationship(_, .toMany):
            try container.encodeIfPresent(members[property.name], forKey: key)
        }
    }

    // MARK: Reading

    /// Decodes a snapshot. A missing property has the default value of its class, or none.
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: `DecodingError` for a class that no container has, and for values of another type than their property's.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let identifier = try container.decode(PersistentIdentifier.self, forKey: .persistentIdentifier)
        guard let type = SnapshotTypes.type(named: identifier.entityName) else {
            throw DecodingError.dataCorruptedError(
                forKey: .persistentIdentifier, in: container,
                debugDescription: "No container has a model class '\(identifier.entityName)'.")
        }
        var values: [Value] = []
        var members: [String: [PersistentIdentifier]] = [:]
        for property in type.allProperties {
            let key = Key.modeledProperty(property.name)
            switch property.kind {
            case .attribute(let codec):
                values += try codec.decode(from: container, key) ?? codec.missingValues(of: property)
            case .relationship(_, .toOne):
                let id = try container.decodeIfPresent(PersistentIdentifier.self, forKey: key)
                values.append(id.map { .reference($0.objectID) } ?? .null)
            case .relationship(_, .toMany):
                members[property.name] = try container.decodeIfPresent([PersistentIdentifier].self, forKey: key)
            }
        }
        self.init(identifier, values: SlotValues(values), members: members)
    }
}

extension AttributeCodec {
    /// Values of types that are not `Encodable` are encoded as the text or the bytes that a store keeps.
    fileprivate func encode<Key: CodingKey>(
        _ leaves: Slice<SlotValues>, to container: inout KeyedEncodingContainer<Key>, _ key: Key
    ) throws {
        func open<V>(_ type: V.Type) throws {
            if let value = decoded(leaves, as: V.self) as? any Encodable {
                return try container.encode(value, forKey: key)
            }
            switch leaves.first {
            case .text(let text): try container.encode(text, forKey: key)
            case .bytes(let data): try container.encode(data, forKey: key)
            default: try container.encodeNil(forKey: key)
            }
        }
        try _openExistential(valueType, do: open)
    }

    /// - Returns: `nil` if the container does not have the key.
    fileprivate func decode<Key: CodingKey>(
        from container: KeyedDecodingContainer<Key>, _ key: Key
    ) throws -> [Value]? {
        guard container.contains(key) else { return nil }
        if try container.decodeNil(forKey: key) { return Array(repeating: .null, count: leafCount) }
        guard let type = valueType as? any Decodable.Type else {
            if let text = try? container.decode(String.self, forKey: key), leafType == .string { return [.text(text)] }
            return [.bytes(try container.decode(Data.self, forKey: key))]
        }
        return encodedAny(try container.decode(type, forKey: key))
    }

    private var leafType: AttributeType { attribute(named: "", isOptional: true).type }

    fileprivate func missingValues(of property: ModelProperty) -> [Value] {
        property.defaultValue.flatMap { encodedAny($0) } ?? Array(repeating: .null, count: leafCount)
    }
}

/// The model classes of snapshots, by name.
enum SnapshotTypes {
    private static let known = Locked<[String: ModelType]>([:])

    /// A later schema's classes replace earlier ones of the same names.
    static func register(_ types: some Sequence<ModelType>) {
        known.withLock { known in
            for type in types { known[type.entityName] = type }
        }
    }

    static func type(named name: String) -> ModelType? { known.withLock { $0[name] } }
}
