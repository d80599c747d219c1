/// A file written with another model.
package struct IncompatibleStoreError: Error, Hashable {
    /// Entities of the model that the file does not have.
    package let missing: [String]
    /// Entities of the file that the model does not have.
    package let extra: [String]
    package let different: [EntityDifference]
    /// The version of the hash algorithm that the file was written with.
    package let hashesVersion: Int64?

    package init(missing: [String], extra: [String], different: [EntityDifference], hashesVersion: Int64?) {
        self.missing = missing
        self.extra = extra
        self.different = different
        self.hashesVersion = hashesVersion
    }
}

/// An entity that the model and the file describe differently.
package struct EntityDifference: Sendable, Hashable {
    package let entity: String
    /// Properties that the file does not have.
    package let added: [String]
    /// Properties that the model does not have.
    package let removed: [String]
    package let changed: [String]

    /// - Parameter cached: The file's own model; without it, only the entity's name is known.
    package init(named name: String, _ model: Model, _ cached: Model?) {
        entity = name
        let wanted = Self.ownHashes(name, model)
        guard let cached, cached.entity(named: name) != nil else {
            (added, removed, changed) = ([], [], [])
            return
        }
        let stored = Self.ownHashes(name, cached)
        added = wanted.keys.filter { stored[$0] == nil }.sorted()
        removed = stored.keys.filter { wanted[$0] == nil }.sorted()
        changed = wanted.filter { stored[$0.key] != nil && stored[$0.key] != $0.value }.keys.sorted()
    }

    /// The hashes of the properties that the entity declares itself. Differences of inherited ones are reported for their
    /// declaring entity.
    private static func ownHashes(_ name: String, _ model: Model) -> [String: VersionHash] {
        guard let entity = model.entity(named: name) else { return [:] }
        var hashes: [String: VersionHash] = [:]
        for attribute in entity.attributes
        where attribute.declaringIndex == entity.index && !attribute.attribute.isTransient {
            hashes[attribute.name] = attribute.attribute.versionHash
        }
        for relationship in entity.relationships
        where relationship.declaringIndex == entity.index && !relationship.relationship.isTransient {
            hashes[relationship.name] = model.versionHash(of: relationship)
        }
        return hashes
    }
}

extension IncompatibleStoreError: CustomStringConvertible {
    package var description: String {
        var parts: [String] = []
        if !missing.isEmpty { parts.append("the file lacks \(list(missing))") }
        if !extra.isEmpty { parts.append("the model lacks \(list(extra))") }
        if !different.isEmpty { parts.append("different: \(list(different.map(\.description)))") }
        if hashesVersion != VersionHash.currentVersion {
            parts.append("the file's version hashes are of version \(hashesVersion.map { "\($0)" } ?? "unknown")")
        }
        return "The file was written with another model: \(parts.joined(separator: "; ")). "
            + "Open it with that model, or migrate it."
    }

    private func list(_ names: [String]) -> String {
        names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
    }
}

extension EntityDifference: CustomStringConvertible {
    package var description: String {
        let marks = added.map { "+" + $0 } + removed.map { "-" + $0 } + changed.map { "~" + $0 }
        return marks.isEmpty ? entity : "\(entity) (\(marks.joined(separator: " ")))"
    }
}
