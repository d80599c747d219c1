import Foundation
import ObjectGraph
import SQLiteStore

/// What is done to a file of another model before a coordinator opens it, as the store's options say.
struct StoreOpeningMigration {
    let url: URL
    let model: Model
    let options: [AnyHashable: Any]?

    /// Does nothing without `NSMigratePersistentStoresAutomaticallyOption`, and for stores that are only read: opening
    /// refuses them.
    /// - Throws: `CocoaError` 134110 to 134190, 134504 and 134506; the file is as it was.
    func run() throws {
        guard StoreOptions.isOn(NSMigratePersistentStoresAutomaticallyOption, options),
            !StoreOptions.isOn(NSReadOnlyPersistentStoreOption, options),
            let stored = StoreMigration.versionHashes(at: url), stored != model.versionHashes
        else { return }
        do {
            try migrate(stored)
            CoreDataLog.logger.notice("'\(url.lastPathComponent)' was migrated.")
        } catch {
            throw ErrorMapping.migrating(error)
        }
    }

    private func migrate(_ stored: [String: VersionHash]) throws {
        let candidates = ModelFile.models(in: nil)
        if let manager = options?[NSPersistentStoreStagedMigrationManagerOptionKey] as? NSStagedMigrationManager {
            return try StagedMigration(
                url: url, model: model, manager: manager, candidates: candidates, progress: .current
            ).run(from: stored)
        }
        guard StoreOptions.isOn(NSInferMappingModelAutomaticallyOption, options) else {
            throw CocoaError(
                .migrationMissingMappingModel,
                text: "'\(url.lastPathComponent)' has another model, and mapping models are found in code only; set "
                    + "NSInferMappingModelAutomaticallyOption, or migrate it with an NSMigrationManager.")
        }
        var migration = StoreMigration(url, to: model)
        migration.candidates = candidates.compactMap { try? $0.compiled() }
        migration.report = MigrationProgress.current.report
        _ = try migration.run()
    }
}

/// Tells the `Progress` that is current where the migration began, and stops when it is cancelled.
struct MigrationProgress {
    private let progress: Progress?

    /// One unit of the current progress, if there is one.
    static var current: MigrationProgress {
        guard Progress.current() != nil else { return MigrationProgress(progress: nil) }
        return MigrationProgress(progress: Progress(totalUnitCount: 1))
    }

    init(progress: Progress?) { self.progress = progress }

    /// - Throws: `CocoaError` 134120.
    func report(done: Int, of total: Int) throws {
        guard let progress else { return }
        guard !progress.isCancelled else {
            throw CocoaError(.migrationCancelled, text: "The migration was cancelled; the store is as it was.")
        }
        progress.totalUnitCount = Int64(total)
        progress.completedUnitCount = Int64(done)
    }
}
