import Foundation
import ObjectGraph
import SQLiteStore

/// Runs the stages of a manager on one file, from its version.
///
/// If a stage has handlers, all stages work on a copy, which replaces the file at the end. After any failure the file is unchanged.
struct StagedMigration {
    let url: URL
    /// The model that the file is migrated to.
    let model: Model
    let manager: NSStagedMigrationManager
    /// Models among which versions are looked up, besides those that stages refer to.
    let candidates: [NSManagedObjectModel]
    let progress: MigrationProgress

    /// One step with its models.
    private enum Step {
        case lightweight([Model])
        case custom(NSCustomMigrationStage, from: NSManagedObjectModel, to: NSManagedObjectModel)
    }

    /// - Throws: `CocoaError` 134504 for a version that no stage has, 134506 for a store that is newer than the model, errors
    ///   of handlers and of migrating.
    func run(from stored: [String: VersionHash]) throws {
        let steps = try steps(from: VersionHash.checksum(of: stored))
        guard steps.contains(where: { if case .custom = $0 { true } else { false } }) else {
            return try migrate(url, along: steps.flatMap(models))
        }
        for case .custom(_, let from, let to) in steps {
            _ = try InferredMapping(from: from.compiled(), to: to.compiled(), missingValues: .acceptedWithoutRows)
        }
        let copy = try WorkingCopy(of: url)
        for step in steps { try run(step, copy.url) }
        try copy.replaceOriginal()
    }

    private func models(_ step: Step) -> [Model] {
        if case .lightweight(let models) = step { models } else { [] }
    }

    /// - Parameter missingValues: whether a handler may have emptied tables.
    private func migrate(
        _ url: URL, along models: [Model], missingValues: InferredMapping.MissingValues = .refused
    ) throws {
        guard !models.isEmpty else { return }
        var migration = StoreMigration(url, along: models)
        migration.missingValues = missingValues
        migration.candidates = try known().map(\.model)
        migration.report = progress.report
        _ = try migration.run()
    }

    private func run(_ step: Step, _ url: URL) throws {
        switch step {
        case .lightweight(let models): try migrate(url, along: models)
        case .custom(let stage, let from, let to):
            try withContainer(from, url) { try stage.willMigrateHandler?(manager, stage) }
            try migrate(url, along: [try to.compiled()], missingValues: .acceptedWithoutRows)
            try withContainer(to, url) { try stage.didMigrateHandler?(manager, stage) }
        }
    }

    private func withContainer(_ model: NSManagedObjectModel, _ url: URL, _ body: () throws -> Void) throws {
        let container = NSPersistentContainer(
            name: url.deletingPathExtension().lastPathComponent, managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        // A history is continued. None is begun, because the program that opens the file next may not keep it.
        description.setOption(try StoreFiles.recordsHistory(at: url), forKey: NSPersistentHistoryTrackingKey)
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

    /// Models that stages refer to, models of the program, and the wanted model.
    private func known() throws -> [(checksum: String, model: Model)] {
        let referred = manager.stages.compactMap { $0 as? NSCustomMigrationStage }
            .flatMap { [$0.currentModel, $0.nextModel] }.compactMap { $0.resolved() }
        // A model of the program that is not valid may not be needed.
        let others = candidates.compactMap { candidate in
            (try? candidate.compiled()).map { (candidate.versionChecksum, $0) }
        }
        return try referred.map { ($0.versionChecksum, try $0.compiled()) } + others
            + [(VersionHash.checksum(of: model.versionHashes), model)]
    }

    private func steps(from stored: String) throws -> [Step] {
        let wanted = VersionHash.checksum(of: model.versionHashes)
        let start = manager.stages.firstIndex { versions(of: $0).dropLast().contains(stored) }
        if start == nil { try checkIsLast(stored, wanted) }
        let known = try known()
        var steps: [Step] = []
        var current = stored
        for stage in manager.stages[(start ?? manager.stages.endIndex)...] where current != wanted {
            switch stage {
            case let stage as NSLightweightMigrationStage:
                let path = path(stage, from: current, to: wanted)
                steps.append(.lightweight(path.compactMap { sum in known.first { $0.checksum == sum }?.model }))
                current = path.last ?? current
            case let stage as NSCustomMigrationStage:
                let (from, to) = (try stage.currentModel.required(), try stage.nextModel.required())
                if current != stage.currentModel.versionChecksum { steps.append(.lightweight([try from.compiled()])) }
                steps.append(.custom(stage, from: from, to: to))
                current = stage.nextModel.versionChecksum
            default: continue
            }
        }
        guard current != wanted else { return steps }
        try checkIsNotBackward(stored, wanted)
        return steps + [.lightweight([model])]
    }

    /// The versions of a stage after that of the store, up to the wanted one.
    private func path(
        _ stage: NSLightweightMigrationStage, from current: String, to wanted: String
    ) -> ArraySlice<String> {
        let all = stage.versionChecksums
        let later = all[(all.firstIndex(of: current).map { $0 + 1 } ?? 0)...]
        return later.firstIndex(of: wanted).map { later[...$0] } ?? later
    }

    private func versions(of stage: NSMigrationStage) -> [String] {
        switch stage {
        case let stage as NSLightweightMigrationStage: stage.versionChecksums
        case let stage as NSCustomMigrationStage:
            [stage.currentModel.versionChecksum, stage.nextModel.versionChecksum]
        default: []
        }
    }

    /// A store of the last version may be migrated to a model that no stage has; any other store is unknown.
    private func checkIsLast(_ stored: String, _ wanted: String) throws {
        try checkIsNotBackward(stored, wanted)
        guard manager.stages.last.map(versions)?.last == stored else {
            throw CocoaError(
                .managedObjectModelReferenceNotFound,
                text: "Cannot use staged migration with an unknown model version: no stage has the version of "
                    + "'\(url.lastPathComponent)'. Add that version to the stages.")
        }
    }

    /// Stages go forward only: if both versions are known and no stage ends at the wanted one, it is an earlier one.
    private func checkIsNotBackward(_ stored: String, _ wanted: String) throws {
        let order = manager.stages.flatMap(versions)
        guard order.contains(wanted), order.contains(stored) else { return }
        throw CocoaError(
            .stagedMigrationBackwardMigration,
            text: "The store at '\(url.lastPathComponent)' has a later version than the model; update the program.")
    }
}
