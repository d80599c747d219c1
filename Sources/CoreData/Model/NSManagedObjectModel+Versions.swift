import Foundation
import ObjectGraph
import SQLiteStore

extension NSManagedObjectModel {
    /// The version hash of each entity; none while the model cannot be compiled, which the log explains.
    public var entityVersionHashesByName: [String: Data] {
        knownVersionHashes.mapValues { Data($0.bytes) }
    }

    /// All entities' version hashes in one value of 32 bytes, as base64 text.
    public var versionChecksum: String { VersionHash.checksum(of: knownVersionHashes) }

    /// Whether a store with these metadata opens with the entities of a configuration, or with all of them.
    public func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        guard let stored = Self.versionHashes(in: metadata),
            let names = entities(forConfigurationName: configuration)?.compactMap(\.name)
        else { return false }
        let wanted = entityVersionHashesByName
        return stored == wanted.filter { names.contains($0.key) } && stored.count == names.count
    }

    /// - Returns: `nil` for metadata that have none.
    static func versionHashes(in metadata: [String: Any]) -> [String: Data]? {
        guard let entries = metadata[StoreMetadata.Key.versionHashes] as? [String: Any] else { return nil }
        let hashes = entries.compactMapValues { ($0 as? Data) ?? ($0 as? NSData).map { Data(referencing: $0) } }
        return hashes.count == entries.count ? hashes : nil
    }

    private var knownVersionHashes: [String: VersionHash] {
        if let currentUse { return currentUse.versionHashes }
        do {
            return try compiled().versionHashes
        } catch {
            CoreDataLog.logger.error("There are no version hashes: \(error)")
            return [:]
        }
    }

    func versionHash(of entity: NSEntityDescription) -> Data {
        entity.name.flatMap { knownVersionHashes[$0] }.map { Data($0.bytes) } ?? Data()
    }

    /// Of an entity that is in no model: as if it, and whatever it leads to, were one.
    static func versionHash(ofLone entity: NSEntityDescription) -> Data {
        guard let name = entity.name, let model = try? ModelCompiler(loneEntity: entity).model(),
            let found = model.entity(named: name)
        else { return Data() }
        return Data(model.versionHash(of: found).bytes)
    }
}

extension NSEntityDescription {
    func versionHash(of property: NSPropertyDescription) -> Data {
        guard let name, let compiled = try? model?.currentUse?.model ?? ModelCompiler(loneEntity: self).model(),
            let entity = compiled.entity(named: name)
        else { return Data() }
        if let attribute = entity.attribute(named: property.name) {
            return Data(attribute.attribute.versionHash.bytes)
        }
        return entity.relationship(named: property.name).map { Data(compiled.versionHash(of: $0).bytes) } ?? Data()
    }
}
