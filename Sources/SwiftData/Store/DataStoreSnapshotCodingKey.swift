/// The keys of an encoded snapshot.
public enum DataStoreSnapshotCodingKey: CodingKey {
    /// The identifier of the model.
    case persistentIdentifier
    /// A stored property, by name.
    case modeledProperty(String)

    private static let identifierName = "persistentIdentifier"

    /// Creates the key with a name.
    /// - Parameter stringValue: The name.
    public init?(stringValue: String) {
        self = stringValue == Self.identifierName ? .persistentIdentifier : .modeledProperty(stringValue)
    }

    /// Fails, as the keys have no numbers.
    /// - Parameter intValue: The number.
    /// - Returns: Always `nil`.
    public init?(intValue: Int) { nil }

    /// The name of the key.
    public var stringValue: String {
        switch self {
        case .persistentIdentifier: Self.identifierName
        case .modeledProperty(let name): name
        }
    }

    /// Always `nil`, as the keys have no numbers.
    public var intValue: Int? { nil }
}
