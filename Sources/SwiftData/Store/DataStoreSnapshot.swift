/// What a property's value is in a snapshot.
public typealias DataStoreSnapshotValue = Codable & Sendable

/// The values of one model, as they go between a context and a store.
///
/// A context reads a snapshot by encoding it: each stored property stands under its name, which is what
/// `DataStoreSnapshotCodingKey.modeledProperty` gives, with a value of the property's type. A relationship stands as the
/// identifiers of the models it leads to. `DefaultSnapshot` does all that.
public protocol DataStoreSnapshot: Decodable, Encodable, Sendable {
    var persistentIdentifier: PersistentIdentifier { get }

    /// - Parameters:
    ///   - backingData: of the model.
    ///   - relatedBackingDatas: of other models; what is added here is not used any further.
    init(from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

    /// The same values under another identifier.
    /// - Parameter remappedIdentifiers: what takes the place of identifiers in relationships.
    func copy(
        persistentIdentifier: PersistentIdentifier, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
    ) -> Self
}
