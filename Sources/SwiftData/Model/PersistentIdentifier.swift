import Foundation
import ObjectGraph

/// The identity of a model in a store: may cross isolation, be stored, and be turned back into the model by any context
/// of the same store.
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
    let objectID: ObjectID

    init(_ objectID: ObjectID) {
        self.objectID = objectID
    }

    public struct ID: Hashable, Sendable {
        let objectID: ObjectID
    }

    public var id: ID { ID(objectID: objectID) }

    /// The model's class name.
    public var entityName: String { objectID.entityName }

    /// The store's UUID; `nil` before the first save.
    public var storeIdentifier: String? { objectID.storeIdentifier }

    /// By entity name, then by key, which is the order of insertion.
    public static func < (lhs: PersistentIdentifier, rhs: PersistentIdentifier) -> Bool {
        lhs.objectID < rhs.objectID
    }

    /// An identifier for a model that a store knows by a key of its own.
    /// - Parameter primaryKey: its text is what counts: 7 and "7" are one key, "07" and "p7" are others.
    /// - Throws: `DecodingError.dataCorrupted` for a key without any text.
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

    /// The form Apple's identifiers take in archives.
    private struct Implementation: Codable {
        var primaryKey: String
        var uriRepresentation: URL
        var isTemporary: Bool
        var storeIdentifier: String?
        var entityName: String
    }

    /// What stands before keys in URIs and archives.
    private static func keyPrefix(isTemporary: Bool) -> String { isTemporary ? "t" : "p" }

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
    public var description: String {
        guard let store = storeIdentifier else { return objectID.uriText }
        let key = KeyTexts.text(of: objectID.key)
        return "x-coredata://\(Self.encoded(store))/\(entityName)/p\(Self.encoded(key))"
    }

    /// As a part of a URL.
    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plainCharacters) ?? ""
    }

    private static let plainCharacters = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
