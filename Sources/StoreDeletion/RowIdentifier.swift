import Foundation
import ObjectGraph

/// The identity of a stored row, the same for a model of SwiftData and a managed object of Core Data.
///
/// Plans, delegates and restores name rows by it. To get at the object:
///
/// ```swift
/// let model: Animal? = context.registeredModel(for: PersistentIdentifier(row))       // SwiftData
/// let object = coordinator.managedObjectID(for: row).map(context.object(with:))      // Core Data
/// ```
///
/// It may be encoded, as its URI, and used in a later run of the program.
public struct RowIdentifier: Hashable, Sendable {
    package let objectID: ObjectID

    /// - Returns: `nil` for a temporary identity, which no row has.
    package init?(_ objectID: ObjectID) {
        guard !objectID.isTemporary else { return nil }
        self.objectID = objectID
    }

    /// - Parameter storedRow: of a row that a store named.
    package init(storedRow objectID: ObjectID) { self.objectID = objectID }

    /// - Returns: `nil` unless the URI is one that `uriRepresentation()` gives.
    public init?(uriRepresentation uri: URL) {
        guard let objectID = ObjectID(uriText: uri.absoluteString) else { return nil }
        self.init(objectID)
    }

    /// The entity of the row itself, not one above it.
    public var entityName: String { objectID.entityName }

    /// The UUID of the row's store.
    public var storeIdentifier: String { objectID.storeIdentifier ?? "" }

    /// `x-coredata://<store>/<Entity>/p<key>`, as Core Data's identifiers give it.
    public func uriRepresentation() -> URL {
        URL(string: objectID.uriText) ?? URL(fileURLWithPath: "/")
    }
}

extension RowIdentifier: Comparable {
    /// By entity name, then by key, which is the order of insertion.
    public static func < (left: RowIdentifier, right: RowIdentifier) -> Bool { left.objectID < right.objectID }
}

extension RowIdentifier: CustomStringConvertible {
    public var description: String { objectID.uriText }
}

extension RowIdentifier: Codable {
    /// - Throws: `DecodingError.dataCorrupted` for a text that is not the URI of a row.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let row = ObjectID(uriText: try container.decode(String.self)).flatMap(RowIdentifier.init) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "The text is not the URI of a row.")
        }
        self = row
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(objectID.uriText)
    }
}

extension RowSet {
    /// Made as they are asked for.
    package var rowIdentifiers: some Sequence<RowIdentifier> { ids.lazy.map(RowIdentifier.init(storedRow:)) }
}
