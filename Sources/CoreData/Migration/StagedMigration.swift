import Foundation
import ObjectGraph
import SQLiteStore

/// Runs the stages of a manager on one file, from the version that it has.
///
/// Where a stage has handlers, all stages work on a copy, which takes the file's place at the end. Whatever fails, the file
/// is as it was.
struct StagedMigration {
    let url: URL
    /// What the file is to be.
    let model: Model
    let manager: NSStagedMigrationManager
    /// Models that versions may be found among, besides those that stages refer to.
    let candidates: [NSManagedObjectModel]
    let progress: MigrationProgress

    /// One step, with everything that it needs.
    private enum Step {
        case lightweight([Model])
        case custom(NSCustomMigrationStage, from: NSManagedObjectModel, to: NSManagedObjectModel)
    }

    /// - Throws: `CocoaError` 134504 for a version that no stage knows, 134506 for a store that is newer than the model,
    ///   what handlers and migrating throw.
    func run(from stored: [String: VersionHash]) throws {
        let steps = try steps(from: VersionHash.checksum(of: stored))
        guard steps.contains(where: { if case .custom = $0 { true } else { false } }) else {
            return try migrate(url, along: steps.flatMap(models))
        }
        let copy = try WorkingCopy(of: url)
        for step in steps { try run(step, copy.url) }
        try copy.replaceOriginal()
    }

    private func models(_ step: Step) -> [Model] {
        if case .lightweight(let models) = step { models } else { [] }
    }

    private func migrate(_ url: URL, along models: [Model]) throws {
        guard !models.isEmpty else { return }
        var migration = StoreMigration(url, along: models)
        migration.candidates = try known().map(\.model)
        migration.report = progress.report
        _ = try migration.run()
    }

    private func run(_ step: Step, _ url: URL) throws {
        switch step {
        case .lightweight(let models): try migrate(url, along: models)
        case .custom(let stage, let from, let to):
            try withContainer(from, url) { try stage.willMigrateHandler?(manager, stage) }
            try migrate(url, along: [try to.compiled()])
            try withContainer(to, url) { try stage.didMigrateHandler?(manager, stage) }
        }
    }

    private func withContainer(_ model: NSManagedObjectModel, _ url: URL, _ body: () throws -> Void) throws {
        let container = NSPersistentContainer(
            name: url.deletingPathExtension().lastPathComponent, managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(true, forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        defer {
            for store in container.persistentStoreCoordinator.persistentStores {
                try? container.persistentStoreCoordinator.remove(store)
            }
        }
        try manager.withContainer(container, body)
    }

    // MARK: Steps

    private func known() throws -> [(checksum: String, model: Model)] {
        let referred = manager.stages.compactMap { $0 as? NSCustomMigrationStage }
            .flatMap { [$0.currentModel, $0.nextModel] }.compactMap { $0.resolved() }
        return try (referred + candidates).map { ($0.versionChecksum, try $0.compiled()) }
            + [(VersionHash.checksum(of: model.versionHashes), model)]
    }

    private func steps(from stored: String) throws -> [Step] {
        let wanted = VersionHash.checksum(of: model.versionHashes)
        let known = try known()
        var steps: [Step] = []
        var current: String?
        for stage in manager.stages where current != wanted {
            let versions = versions(of: stage)
            if current == nil {
                if versions.dropLast().contains(stored) { current = stored } else { continue }
            }
            if let lightweight = stage as? NSLightweightMigrationStage {
                let later = lightweight.versionChecksums.drop { $0 != current }.dropFirst()
                let path = later.prefix { $0 != wanted } + later.filter { $0 == wanted }
                steps.append(.lightweight(path.compactMap { sum in known.first { $0.checksum == sum }?.model }))
                current = path.last ?? current
            } else if let custom = stage as? NSCustomMigrationStage {
                let from = try custom.currentModel.required()
                if current != custom.currentModel.versionChecksum {
                    steps.append(.lightweight([try from.compiled()]))
                }
                steps.append(.custom(custom, from: from, to: try custom.nextModel.required()))
                current = custom.nextModel.versionChecksum
            }
        }
        if current != wanted {
            try refuse(stored, wanted, isKnown: current != nil)
            steps.append(.lightweight([model]))
        }
        return steps
    }

    private func versions(of stage: NSMigrationStage) -> [String] {
        switch stage {
        case let stage as NSLightweightMigrationStage: stage.versionChecksums
        case let stage as NSCustomMigrationStage:
            [stage.currentModel.versionChecksum, stage.nextModel.versionChecksum]
        default: []
        }
    }

    /// A store that is at the last version goes on to the model's, if that is not one before it.
    private func refuse(_ stored: String, _ wanted: String, isKnown: Bool) throws {
        let order = manager.stages.flatMap(versions)
        if order.contains(wanted), order.contains(stored) {
            throw CocoaError(
                .stagedMigrationBackwardMigration,
                text: "The store at '\(url.lastPathComponent)' has a later version than the model; update the program.")
        }
        guard isKnown || order.last == stored else {
            throw CocoaError(
                .managedObjectModelReferenceNotFound,
                text: "Cannot use staged migration with an unknown model version: no stage has the version of "
                    + "'\(url.lastPathComponent)'. Add that version to the stages.")
        }
    }
}
