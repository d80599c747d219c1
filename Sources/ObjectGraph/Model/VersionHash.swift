import Foundation

/// A version hash: thirty-two bytes that represent everything about an entity that determines how its rows are stored. A
/// file matches a model if the hashes of all entities are equal.
///
/// The algorithm, with integers as little-endian, texts as UTF-8 without terminator, and H for SHA-256:
/// 1. Property base: H(name, flags as int16 (1 optional, 2 transient, 4 read-only), modifier if set).
/// 2. Attribute: H(base, type number as int32, byte 1 if external storage is allowed, byte 1 if kept on deletion).
/// 3. Composite: H(hashes of its leaves by leaf name). Its own name and flags are not included.
/// 4. Derived attribute: H(derivation text, filter text). Nothing else is included.
/// 5. Relationship: H(base, destination's name, inverse's name unless it is its own inverse, maximum and minimum count
///    as int32, int16 1 if ordered).
/// 6. Entity: H(name, abstract byte, superentity's hash, hashes of all stored properties by name, including inherited
///    ones, modifier if set, uniqueness constraints as sorted dotted texts).
package struct VersionHash: Sendable, Hashable {
    package let bytes: [UInt8]

    /// The only version of the algorithm in use.
    package static let currentVersion: Int64 = 3

    /// - Returns: `nil` unless there are 32 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.bytes = Array(bytes)
    }

    init(hashing content: [UInt8]) {
        bytes = SHA2.sha256(content)
    }

    /// Returns all entities' names and hashes combined into one 64-byte value, as base64 text.
    package static func digest(of hashes: [String: VersionHash]) -> String {
        let content = inNameOrder(hashes).flatMap { Array($0.key.utf8) + $0.value.bytes }
        return Data(SHA2.sha512(content)).base64EncodedString()
    }

    /// Returns all entities' hashes, without names, combined into one 32-byte value, as base64 text.
    package static func checksum(of hashes: [String: VersionHash]) -> String {
        Data(SHA2.sha256(inNameOrder(hashes).flatMap(\.value.bytes))).base64EncodedString()
    }

    private static func inNameOrder(_ hashes: [String: VersionHash]) -> [(key: String, value: VersionHash)] {
        hashes.sorted { $0.key.precedesByBytes($1.key) }
    }
}

extension VersionHash: CustomStringConvertible {
    package var description: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

extension Model {
    func hashEntities() -> [String: VersionHash] {
        var found: [VersionHash?] = Array(repeating: nil, count: indexLimit)
        var byName: [String: VersionHash] = [:]
        for entity in entities { byName[entity.name] = versionHash(of: entity, &found) }
        return byName
    }

    package func versionHash(of entity: Entity) -> VersionHash {
        var found: [VersionHash?] = Array(repeating: nil, count: indexLimit)
        return versionHash(of: entity, &found)
    }

    /// - Parameter found: The hashes computed so far, so that a deep hierarchy is hashed once.
    private func versionHash(of entity: Entity, _ found: inout [VersionHash?]) -> VersionHash {
        if let known = found[entity.index] { return known }
        var content = HashContent()
        content.append(entity.name)
        content.bytes.append(entity.isAbstract ? 1 : 0)
        if let parent = entity.superentityIndex {
            content.append(versionHash(of: self[parent], &found))
        }
        for property in hashedProperties(of: entity).sorted(by: { $0.name.precedesByBytes($1.name) }) {
            content.append(property.hash)
        }
        content.append(entity.versionHashModifier ?? "")
        let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }
        for constraint in constraints.sorted(by: { $0.precedesByBytes($1) }) { content.append(constraint) }
        let hash = content.hash
        found[entity.index] = hash
        return hash
    }
}

extension Model {
    /// Returns the hashes of all stored properties, including inherited ones.
    private func hashedProperties(of entity: Entity) -> [(name: String, hash: VersionHash)] {
        let attributes = entity.attributes.map(\.attribute).filter { !$0.isTransient }
        let relationships = entity.relationships.filter { !$0.relationship.isTransient }
        return attributes.map { ($0.name, $0.versionHash) } + relationships.map { ($0.name, versionHash(of: $0)) }
    }

    package func versionHash(of end: EntityRelationship) -> VersionHash {
        let relationship = end.relationship
        var content = HashContent()
        content.append(
            HashContent(
                base: relationship.name, optional: relationship.isOptional, transient: relationship.isTransient,
                relationship.versionHashModifier
            ).hash)
        content.append(relationship.destinationName)
        if let inverse = inverse(of: end), !isOwnInverse(end) { content.append(inverse.name) }
        content.append(Int32(clamping: relationship.maximumCount))
        content.append(Int32(clamping: relationship.minimumCount))
        if relationship.isOrdered { content.append(Int16(1)) }
        return content.hash
    }
}

extension Attribute {
    package var versionHash: VersionHash {
        var content = HashContent()
        if let derivation {
            content.append(derivation)
            content.append(derivationFilter ?? "")
        } else if type == .composite {
            for leaf in leaves.sorted(by: { $0.name.precedesByBytes($1.name) }) { content.append(leaf.versionHash) }
        } else {
            content.append(
                HashContent(base: name, optional: isOptional, transient: isTransient, versionHashModifier).hash)
            content.append(type.rawValue)
            if allowsExternalStorage { content.bytes.append(1) }
            if preservesValueOnDeletion { content.bytes.append(1) }
        }
        return content.hash
    }
}

/// The bytes to be hashed.
private struct HashContent {
    var bytes: [UInt8] = []

    init() {}

    init(base name: String, optional: Bool, transient: Bool, _ modifier: String?) {
        append(name)
        append(Int16((optional ? 1 : 0) | (transient ? 2 : 0)))
        append(modifier ?? "")
    }

    var hash: VersionHash { VersionHash(hashing: bytes) }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
    mutating func append(_ hash: VersionHash) { bytes.append(contentsOf: hash.bytes) }

    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

extension String {
    /// Compares the UTF-8 bytes: the order of property names in Apple's files.
    package func precedesByBytes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}
