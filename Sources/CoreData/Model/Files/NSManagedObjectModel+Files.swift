import Foundation
import ObjectGraph

extension NSManagedObjectModel {
    /// Creates the model in a file: compiled (`.momd`, `.mom`), or as Xcode writes it (`.xcdatamodeld`, `.xcdatamodel`). Of
    /// several versions, the current one is used.
    /// - Parameter url: the URL of the file.
    /// - Returns: `nil` for a file that cannot be read; the reason is logged.
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

    /// Returns the version checksum of each version of a model, by the version's name.
    /// - Parameter url: the URL of the model's file.
    /// - Throws: Errors of reading the file, and the error of a version that is not valid.
    public class func checksumsForVersionedModel(at url: URL) throws -> [String: String] {
        try ModelFile(contentsOf: url).versions.mapValues { VersionHash.checksum(of: try $0.compiled().versionHashes) }
    }

    /// Adopts the contents of a model that is not used elsewhere.
    final func take(_ model: NSManagedObjectModel) {
        entities = model.entities
        configurationNames = model.configurationNames
        localizationDictionary = model.localizationDictionary
        versionIdentifiers = model.versionIdentifiers
        templates = model.templates
    }

    // MARK: Merging

    /// Creates one model with copies of the entities of several models.
    /// - Parameter models: the models.
    /// - Returns: `nil` if two entities with the same name differ; the reason is logged.
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

    /// Creates one model with copies of the entities that a store was written with, from any of several models.
    ///
    /// If the metadata have no version hashes, all models are merged.
    /// - Parameters:
    ///   - models: the models.
    ///   - metadata: the metadata of the store.
    /// - Returns: `nil` if none of the models has one of the entities.
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

    /// Returns one model merged from all models among the resources of bundles. Of versioned models, the current versions are used.
    /// - Parameter bundles: the bundles; `nil` for those of the program and its targets.
    /// - Returns: `nil` if two entities with the same name differ; the reason is logged.
    public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        NSManagedObjectModel(
            byMerging: (bundles ?? ModelFile.programBundles).flatMap(ModelFile.urls).compactMap { url in
                NSManagedObjectModel(contentsOf: url)
            })
    }

    /// Returns the model that a store was written with, from all versions of the models among the resources of bundles.
    /// - Parameters:
    ///   - bundles: the bundles; `nil` for those of the program and its targets.
    ///   - metadata: the metadata of the store.
    /// - Returns: `nil` if none of the models has one of the store's entities.
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
