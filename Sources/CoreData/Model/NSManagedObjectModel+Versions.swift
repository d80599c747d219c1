import AppleFormats
import Foundation
import ObjectGraph

extension NSManagedObjectModel {
    /// The version hashes of the entities by name; empty if the model is not valid, which is logged.
    public var entityVersionHashesByName: [String: Data] {
        knownVersionHashes.mapValues { Data($0.bytes) }
    }

    /// A checksum of the version hashes of all entities, as base64 text of 32 bytes.
    public var versionChecksum: String { VersionHash.checksum(of: knownVersionHashes) }

    /// Returns whether a store with these metadata can be opened with the entities of a configuration.
    /// - Parameters:
    ///   - configuration: the name of the configuration; `nil` for all entities.
    ///   - metadata: the metadata of the store.
    public func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        guard let stored = Self.versionHashes(in: metadata),
            let names = entities(forConfigurationName: configuration)?.compactMap(\.name)
        else { return false }
        let wanted = entityVersionHashesByName
        return stored == wanted.filter { names.contains($0.key) } && stored.count == names.count
    }

    /// - Returns: `nil` for metadata without version hashes.
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

    /// The version hash of an entity without a model, computed for a model of the entity and its related entities.
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
