/// Names of the parts of a snapshot.
public enum DataStoreSnapshotCodingKey: CodingKey {
    case persistentIdentifier
    /// A stored property, by name.
    case modeledProperty(String)

    private static let identifierName = "persistentIdentifier"

    public init?(stringValue: String) {
        self = stringValue == Self.identifierName ? .persistentIdentifier : .modeledProperty(stringValue)
    }

    public init?(intValue: Int) { nil }

    public var stringValue: String {
        switch self {
        case .persistentIdentifier: Self.identifierName
        case .modeledProperty(let name): name
        }
    }

    public var intValue: Int? { nil }
}
