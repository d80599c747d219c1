import Foundation
import ObjectGraph

/// The identity of a stored row, the same for a model of SwiftData and a managed object of Core Data.
///
/// Plans, delegates and restores name rows by it. Look up the object like this:
///
/// ```swift
/// let model: Animal? = context.registeredModel(for: PersistentIdentifier(row))       // SwiftData
/// let object = coordinator.managedObjectID(for: row).map(context.object(with:))      // Core Data
/// ```
///
/// It can be encoded, as its URI, and used in a later run of the program.
public struct RowIdentifier: Hashable, Sendable {
    package let objectID: ObjectID

    /// - Returns: `nil` for a temporary identifier, which no row has.
    package init?(_ objectID: ObjectID) {
        guard !objectID.isTemporary else { return nil }
        self.objectID = objectID
    }

    /// - Parameter objectID: the identifier of a stored row, as a store reports it.
    package init(storedRow objectID: ObjectID) { self.objectID = objectID }

    /// Creates an identifier from its URI.
    /// - Parameter uri: a URI as `uriRepresentation()` returns it.
    /// - Returns: `nil` for any other URI.
    public init?(uriRepresentation uri: URL) {
        guard let objectID = ObjectID(uriText: uri.absoluteString) else { return nil }
        self.init(objectID)
    }

    /// The name of the row's own entity, not of a superentity.
    public var entityName: String { objectID.entityName }

    /// The UUID of the row's store.
    public var storeIdentifier: String { objectID.storeIdentifier ?? "" }

    /// Returns the row's URI, `x-coredata://<store>/<Entity>/p<key>`, which is that of Core Data's identifiers.
    public func uriRepresentation() -> URL {
        URL(string: objectID.uriText) ?? URL(fileURLWithPath: "/")
    }
}

extension RowIdentifier: Comparable {
    /// Returns whether one row comes before another: by entity name, then by key, which is the order of insertion.
    public static func < (left: RowIdentifier, right: RowIdentifier) -> Bool { left.objectID < right.objectID }
}

extension RowIdentifier: CustomStringConvertible {
    /// The row's URI as text.
    public var description: String { objectID.uriText }
}

extension RowIdentifier: Codable {
    /// Decodes an identifier from the text of its URI.
    /// - Throws: `DecodingError.dataCorrupted` for a text that is not the URI of a row.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let row = ObjectID(uriText: try container.decode(String.self)).flatMap(RowIdentifier.init) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "The text is not the URI of a row.")
        }
        self = row
    }

    /// Encodes the identifier as the text of its URI.
    /// - Throws: Errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(objectID.uriText)
    }
}

extension RowSet {
    /// Each identifier is made while the sequence is iterated.
    package var rowIdentifiers: some Sequence<RowIdentifier> { ids.lazy.map(RowIdentifier.init(storedRow:)) }
}
