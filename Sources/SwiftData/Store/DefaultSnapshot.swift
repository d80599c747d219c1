import ObjectGraph

/// The values of a model of any class, which any encoder and decoder can process.
///
/// ```json
/// { "persistentIdentifier": …, "name": "Rome", "stay": …, "bags": […] }
/// ```
public struct DefaultSnapshot: DataStoreSnapshot {
    /// The identifier of the model.
    public let persistentIdentifier: PersistentIdentifier
    /// In slot order of the model's class, including the identifiers of to-one relationships.
    let values: SlotValues
    /// The members of to-many relationships, by name; without relationships that the snapshot does not list.
    let members: [String: [PersistentIdentifier]]

    init(_ identifier: PersistentIdentifier, values: SlotValues, members: [String: [PersistentIdentifier]]) {
        persistentIdentifier = identifier
        self.values = values
        self.members = members
    }

    /// Creates a snapshot of a model's current values; it is empty for backing data that is not the library's own.
    /// - Parameters:
    ///   - backingData: The backing data of the model.
    ///   - relatedBackingDatas: Not used.
    public init(
        from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
    ) {
        guard let record = backingData._$storage?.record else {
            let unknown = ObjectID.temporary(entityName: "")
            self.init(backingData.persistentModelID ?? PersistentIdentifier(unknown), values: [], members: [:])
            return
        }
        self.init(of: record)
    }

    init(of record: Record) {
        let graph = Graph.owner(of: record)
        var members: [String: [PersistentIdentifier]] = [:]
        for relationship in record.entity.toManyRelationships {
            members[relationship.name] = graph?.memberIDs(of: record, relationship).map(PersistentIdentifier.init)
        }
        let values = SlotValues(record.values(record.entity.slots.indices))
        self.init(PersistentIdentifier(record.id), values: values, members: members)
    }

    /// Returns a copy with another identifier.
    /// - Parameters:
    ///   - persistentIdentifier: The identifier of the copy.
    ///   - remappedIdentifiers: Replacements for identifiers in relationships.
    public func copy(
        persistentIdentifier: PersistentIdentifier,
        remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]? = [:]
    ) -> DefaultSnapshot {
        let remapped = remappedIdentifiers ?? [:]
        let values = values.map { value in
            guard case .reference(let id) = value, let new = remapped[PersistentIdentifier(id)] else { return value }
            return .reference(new.objectID)
        }
        return DefaultSnapshot(
            persistentIdentifier, values: SlotValues(values),
            members: members.mapValues { $0.map { remapped[$0] ?? $0 } })
    }
}
