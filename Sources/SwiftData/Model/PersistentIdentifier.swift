import Foundation
import ObjectGraph

/// The identity of a model in a store. It may cross isolations and be stored; any context of the same store can return its
/// model.
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
    let objectID: ObjectID

    init(_ objectID: ObjectID) {
        self.objectID = objectID
    }

    /// The identity of an identifier.
    public struct ID: Hashable, Sendable {
        let objectID: ObjectID
    }

    /// The identity of the identifier, which is equal for equal identifiers.
    public var id: ID { ID(objectID: objectID) }

    /// The name of the model's class.
    public var entityName: String { objectID.entityName }

    /// The identifier of the model's store, a UUID for files; `nil` before the first save.
    public var storeIdentifier: String? { objectID.storeIdentifier }

    /// Whether the identifier is that of a model that has not been saved yet. The save replaces it with a permanent one, so
    /// store and pass on permanent ones only.
    public var isTemporary: Bool { objectID.isTemporary }

    /// Returns whether one identifier comes before another: by entity name, then by key, which is the order of insertion.
    public static func < (lhs: PersistentIdentifier, rhs: PersistentIdentifier) -> Bool {
        lhs.objectID < rhs.objectID
    }

    /// Returns the identifier of a model that a store knows by a key of its own.
    /// - Parameters:
    ///   - storeIdentifier: The identifier of the store.
    ///   - entityName: The name of the model's class.
    ///   - primaryKey: The key. Its text counts: 7 and "7" are the same key, "07" and "p7" are others.
    /// - Throws: `DecodingError.dataCorrupted` for a key whose text is empty.
    public static func identifier<T>(
        for storeIdentifier: String, entityName: String, primaryKey: T
    ) throws -> PersistentIdentifier
    where T: Comparable, T: CustomStringConvertible, T: Decodable, T: Encodable, T: Hashable {
        let text = primaryKey.description
        guard !text.isEmpty else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The primary key of a \(entityName) is an empty text."))
        }
        let space = IDSpace.intern(storeIdentifier: storeIdentifier, entityName: entityName)
        return PersistentIdentifier(ObjectID(space: space, key: KeyTexts.key(of: text)))
    }
}

extension PersistentIdentifier {
    private enum CodingKeys: String, CodingKey {
        case implementation
    }

    /// The form of Apple's identifiers in archives.
    private struct Implementation: Codable {
        var primaryKey: String
        var uriRepresentation: URL
        var isTemporary: Bool
        var storeIdentifier: String?
        var entityName: String
    }

    /// The prefix of keys in URIs and archives.
    private static func keyPrefix(isTemporary: Bool) -> String { isTemporary ? "t" : "p" }

    /// Decodes an identifier, also one that Apple's SwiftData encoded.
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: `DecodingError` if the data is not an identifier, or if this process has decoded too many unknown stores
    ///   and entities.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let form = try container.decode(Implementation.self, forKey: .implementation)
        let (written, prefix) = (form.primaryKey, Self.keyPrefix(isTemporary: form.isTemporary))
        let text = written.hasPrefix(prefix) ? String(written.dropFirst(prefix.count)) : written
        let store = form.isTemporary ? nil : form.storeIdentifier
        let known = store == nil ? Int64(text) : KeyTexts.foreignKey(of: text)
        guard form.isTemporary || store != nil, let key = known, !text.isEmpty else {
            throw DecodingError.dataCorruptedError(
                forKey: .implementation, in: container, debugDescription: "The primary key is not one.")
        }
        guard let space = IDSpace.internForeign(storeIdentifier: store, entityName: form.entityName) else {
            throw DecodingError.dataCorruptedError(
                forKey: .implementation, in: container,
                debugDescription: "Too many identifiers of stores and entities that this process does not know.")
        }
        self.init(ObjectID(space: space, key: key))
    }

    /// Encodes the identifier in the form of Apple's SwiftData.
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: `EncodingError.invalidValue` if the identifier has no URI form, or the encoder's error.
    public func encode(to encoder: any Encoder) throws {
        guard let uri = URL(string: description) else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: "The identifier has no URI form."))
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        let isTemporary = objectID.isTemporary
        let form = Implementation(
            primaryKey: Self.keyPrefix(isTemporary: isTemporary) + KeyTexts.text(of: objectID.key),
            uriRepresentation: uri, isTemporary: isTemporary, storeIdentifier: storeIdentifier, entityName: entityName)
        try container.encode(form, forKey: .implementation)
    }
}

extension PersistentIdentifier: CustomStringConvertible {
    /// The identifier's URI, as text.
    public var description: String {
        guard let store = storeIdentifier else { return objectID.uriText }
        let key = KeyTexts.text(of: objectID.key)
        return "x-coredata://\(Self.encoded(store))/\(entityName)/p\(Self.encoded(key))"
    }

    /// The text as a part of a URL.
    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plainCharacters) ?? ""
    }

    private static let plainCharacters = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
