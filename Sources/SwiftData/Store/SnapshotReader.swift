import ObjectGraph

/// Reads a snapshot of any type by encoding it.
struct SnapshotReader {
    let entity: Entity
    let type: ModelType

    /// - Throws: `DataStoreProblem.wrongValue` for a value of another type than its property's, and the errors of encoding.
    func read(_ snapshot: some DataStoreSnapshot) throws -> DefaultSnapshot {
        if let own = snapshot as? DefaultSnapshot { return own }
        let encoder = CapturingEncoder()
        try snapshot.encode(to: encoder)
        var values = SlotValues(nulls: entity.slots.count)
        var members: [String: [PersistentIdentifier]] = [:]
        for property in type.allProperties {
            guard let value = encoder.captured.values[property.name] else { continue }
            switch property.kind {
            case .attribute(let codec):
                guard let leaves = codec.encodedAny(value) else { throw wrongValue(property) }
                for (slot, leaf) in zip(property.slots, leaves) where slot < values.count { values[slot] = leaf }
            case .relationship(_, .toOne):
                guard let id = value as? PersistentIdentifier else { throw wrongValue(property) }
                if let slot = property.slots.first, slot < values.count { values[slot] = .reference(id.objectID) }
            case .relationship(_, .toMany):
                guard let ids = value as? [PersistentIdentifier] else { throw wrongValue(property) }
                members[property.name] = ids
            }
        }
        return DefaultSnapshot(snapshot.persistentIdentifier, values: values, members: members)
    }

    private func wrongValue(_ property: ModelProperty) -> DataStoreProblem {
        .wrongValue(entity: entity.name, property: property.name)
    }
}

/// Captures the values encoded at the first level.
private struct CapturingEncoder: Encoder {
    final class Captured {
        /// Without nil values.
        var values: [String: Any] = [:]
    }

    let captured = Captured()
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedCapture(captured: captured))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Refusal() }
    func singleValueContainer() -> any SingleValueEncodingContainer { Refusal() }
}

private struct KeyedCapture<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let captured: CapturingEncoder.Captured
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws {}

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        captured.values[key.stringValue] = PredicateConstant.flattened(value)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(KeyedCapture<Nested>(captured: CapturingEncoder.Captured()))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { Refusal() }
    func superEncoder() -> any Encoder { CapturingEncoder() }
    func superEncoder(forKey key: Key) -> any Encoder { CapturingEncoder() }
}

/// Refuses values without a key: a snapshot encodes its properties by name.
private struct Refusal: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int { 0 }

    private func refuse(_ value: Any?) -> EncodingError {
        .invalidValue(
            value as Any,
            .init(codingPath: [], debugDescription: "A snapshot encodes each property under its name."))
    }

    func encodeNil() throws { throw refuse(nil) }
    func encode<T: Encodable>(_ value: T) throws { throw refuse(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(KeyedCapture<Nested>(captured: CapturingEncoder.Captured()))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func superEncoder() -> any Encoder { CapturingEncoder() }
}
