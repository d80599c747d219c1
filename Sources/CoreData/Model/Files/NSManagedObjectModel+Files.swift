import Foundation
import ObjectGraph

extension NSManagedObjectModel {
    /// The model in a file: compiled (`.momd`, `.mom`), or as Xcode writes it (`.xcdatamodeld`, `.xcdatamodel`). Of several
    /// versions, the current one.
    ///
    /// `nil` for a file that cannot be read; the log says why.
    public convenience init?(contentsOf url: URL) {
        do {
            guard let model = try ModelFile(contentsOf: url).currentModel else { return nil }
            self.init()
            take(model)
        } catch {
            CoreDataLog.logger.error("There is no model in '\(url.lastPathComponent)': \(error)")
            return nil
        }
    }

    /// The version checksum of each version of a model.
    /// - Throws: what makes the file unreadable, or one of the versions impossible.
    public class func checksumsForVersionedModel(at url: URL) throws -> [String: String] {
        try ModelFile(contentsOf: url).versions.mapValues { VersionHash.checksum(of: try $0.compiled().versionHashes) }
    }

    /// Everything of a model that nobody else has.
    final func take(_ model: NSManagedObjectModel) {
        entities = model.entities
        configurationNames = model.configurationNames
        localizationDictionary = model.localizationDictionary
        versionIdentifiers = model.versionIdentifiers
        templates = model.templates
    }

    // MARK: Merging

    /// One model with the entities of all of them.
    ///
    /// `nil` when two entities of one name differ; the log says which.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        do {
            let merged = try ModelMerging.merged(models ?? [])
            self.init()
            take(merged)
        } catch {
            CoreDataLog.logger.error("\(error)")
            return nil
        }
    }

    /// One model with those entities, out of any of the models, that a store was written with.
    ///
    /// `nil` when there is none of some entity. Metadata without version hashes choose nothing, so all models are merged.
    public convenience init?(
        byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]
    ) {
        guard let hashes = Self.versionHashes(in: metadata) else {
            self.init(byMerging: models)
            return
        }
        guard let chosen = ModelMerging.chosen(from: models, hashes: hashes) else { return nil }
        self.init()
        take(chosen)
    }

    /// One model of all that are among the resources of the bundles; of those of the program and its targets
    /// without any. Versioned models
    /// count with their current versions.
    public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        NSManagedObjectModel(
            byMerging: (bundles ?? ModelFile.programBundles).flatMap(ModelFile.urls).compactMap { url in
                NSManagedObjectModel(contentsOf: url)
            })
    }

    /// The model, out of all versions of those among the resources of the bundles, that a store was written with.
    public class func mergedModel(
        from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        let files = (bundles ?? ModelFile.programBundles).flatMap(ModelFile.urls).compactMap {
            try? ModelFile(contentsOf: $0)
        }
        let models = files.flatMap { file in file.versions.sorted { $0.key < $1.key }.map(\.value) }
        return NSManagedObjectModel(byMerging: models, forStoreMetadata: metadata)
    }
}
