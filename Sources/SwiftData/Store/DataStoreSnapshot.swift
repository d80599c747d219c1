/// A value of a property in a snapshot.
public typealias DataStoreSnapshotValue = Codable & Sendable

/// The values of one model, as contexts and stores exchange them.
///
/// A context reads a snapshot by encoding it: each stored property is under its name, as in
/// `DataStoreSnapshotCodingKey.modeledProperty`, with a value of the property's type. A relationship is encoded as the
/// identifiers of its models. `DefaultSnapshot` implements all of this.
public protocol DataStoreSnapshot: Decodable, Encodable, Sendable {
    /// The identifier of the model.
    var persistentIdentifier: PersistentIdentifier { get }

    /// Creates a snapshot of a model's values.
    /// - Parameters:
    ///   - backingData: The backing data of the model.
    ///   - relatedBackingDatas: The backing data of other models; additions are ignored.
    init(from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

    /// Returns a copy with another identifier.
    /// - Parameters:
    ///   - persistentIdentifier: The identifier of the copy.
    ///   - remappedIdentifiers: Replacements for identifiers in relationships.
    func copy(
        persistentIdentifier: PersistentIdentifier, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
    ) -> Self
}
