import AppleFormats
import Foundation
import ObjectGraph
import SQLiteStore

/// Migrates a file of another model before a coordinator opens it, as the store's options state.
struct StoreOpeningMigration {
    let url: URL
    let model: Model
    /// The model that `model` was compiled from, or is a configuration of.
    let described: NSManagedObjectModel
    let options: [AnyHashable: Any]?
    /// The bundles in which models and mapping models are looked up.
    var bundles = ModelFile.programBundles

    /// Does nothing without `NSMigratePersistentStoresAutomaticallyOption`, and for stores opened for reading only, which
    /// opening refuses.
    /// - Throws: `CocoaError` 134110 to 134190, 134504 and 134506; the file is unchanged then.
    func run() throws {
        guard StoreOptions.isOn(NSMigratePersistentStoresAutomaticallyOption, options),
            !StoreOptions.isOn(NSReadOnlyPersistentStoreOption, options)
        else { return }
        let logFiles = LogFiles(of: url)
        guard let stored = StoreMigration.versionHashes(at: url), stored != model.versionHashes else { return }
        do {
            try migrate(stored)
            CoreDataLog.logger.notice("'\(url.lastPathComponent)' was migrated.")
        } catch {
            logFiles.removeIfMade()
            throw ErrorMapping.migrating(error)
        }
    }

    private func migrate(_ stored: [String: VersionHash]) throws {
        let candidates = bundles.flatMap { ModelFile.models(in: $0) }
        if let manager = options?[NSPersistentStoreStagedMigrationManagerOptionKey] as? NSStagedMigrationManager {
            return try StagedMigration(
                url: url, model: model, manager: manager, candidates: candidates, progress: .current
            ).run(from: stored)
        }
        if let migration = mappedMigration(stored, candidates) { return try migration.run() }
        guard StoreOptions.isOn(NSInferMappingModelAutomaticallyOption, options) else {
            throw CocoaError(
                .migrationMissingMappingModel,
                text:
                    "'\(url.lastPathComponent)' has another model, and no mapping model among the program's resources "
                    + "leads from that one to this; add one, set NSInferMappingModelAutomaticallyOption, or migrate it with "
                    + "an NSMigrationManager.")
        }
        var migration = StoreMigration(url, to: model)
        migration.candidates = candidates.compactMap { try? $0.compiled() }
        migration.report = MigrationProgress.current.report
        _ = try migration.run()
    }

    /// - Returns: `nil` if no mapping model leads from the file's model to the wanted one.
    private func mappedMigration(
        _ stored: [String: VersionHash], _ candidates: [NSManagedObjectModel]
    ) -> MappedMigration? {
        let isWhole = described.entityVersionHashesByName == model.versionHashes.mapValues { Data($0.bytes) }
        let destination = isWhole ? described : NSManagedObjectModel(model)
        guard let source = sourceModel(stored, candidates),
            let mapping = NSMappingModel(from: bundles, forSourceModel: source, destinationModel: destination)
        else { return nil }
        return MappedMigration(
            url: url, source: source, destination: destination, mapping: mapping, options: options, progress: .current)
    }

    /// The model of the file: one of the program's, or the one in the file itself.
    /// - Returns: `nil` if there is neither.
    private func sourceModel(
        _ stored: [String: VersionHash], _ candidates: [NSManagedObjectModel]
    ) -> NSManagedObjectModel? {
        let hashes = stored.mapValues { Data($0.bytes) }
        if let known = candidates.first(where: { $0.entityVersionHashesByName == hashes }) { return known }
        guard let carried = try? CompiledModel(storeAt: url) else { return nil }
        let model = NSManagedObjectModel(carried)
        return model.entityVersionHashesByName == hashes ? model : nil
    }
}
