import Foundation
import ObjectGraph
import SQLiteStore

/// Brings the file of a store to the models of its container, before it is opened.
///
/// 1. Without a plan, rows are adapted as the two models tell: a lightweight migration.
/// 2. With a plan, its stages run in order from the version that the file has. Stages that are all lightweight are one
///    transaction. Where a stage has code of the program, all of them work on a copy, which takes the file's place at the
///    end. Whatever fails, the file is as it was. What the models alone refuse is refused before any code runs; a stage with
///    code may empty tables, whose entities may then have new mandatory properties.
/// 3. A file that is read only is not migrated: it is refused as one of another model.
struct StoreMigrating {
    let url: URL
    /// What the file is to be.
    let model: Model
    let plan: (any SchemaMigrationPlan.Type)?
    /// The entities that the file's configuration keeps; `nil` for all.
    var share: Set<String>?

    /// - Throws: `SwiftDataError.unknownSchema`, `backwardMigration`, `loadIssueModelContainer`, what closures of the plan
    ///   throw, and what migrating throws.
    func run() throws {
        guard let plan else {
            if try StoreMigration(url, to: model).run() == .migrated { log() }
            return
        }
        guard let stored = StoreMigration.versionHashes(at: url), stored != model.versionHashes else { return }
        let versions = try PlannedVersions(plan, names: share.map { $0.union(stored.keys) })
        try run(try versions.steps(from: stored, to: model.versionHashes), from: versions)
        log()
    }

    private func log() {
        ModelContext.logger.notice("'\(url.lastPathComponent)' was migrated.")
    }

    private func run(_ steps: [PlannedVersions.Step], from versions: PlannedVersions) throws {
        guard steps.contains(where: \.hasCode) else {
            var migration = StoreMigration(url, along: steps.map(\.to.model))
            migration.candidates = versions.all.map(\.model)
            _ = try migration.run()
            return
        }
        for step in steps {
            _ = try InferredMapping(from: step.from.model, to: step.to.model, missingValues: step.missingValues)
        }
        let copy = try WorkingCopy(of: url)
        for step in steps { try run(step, copy.url, versions) }
        try copy.replaceOriginal()
    }

    private func run(_ step: PlannedVersions.Step, _ url: URL, _ versions: PlannedVersions) throws {
        if let willMigrate = step.willMigrate { try Self.withContext(of: step.from, url, willMigrate) }
        var migration = StoreMigration(url, to: step.to.model)
        migration.candidates = versions.all.map(\.model)
        migration.missingValues = step.missingValues
        _ = try migration.run()
        if let didMigrate = step.didMigrate { try Self.withContext(of: step.to, url, didMigrate) }
    }

    /// What the closure does not save is lost.
    private static func withContext(
        of version: PlannedVersions.Version, _ url: URL, _ body: (ModelContext) throws -> Void
    ) throws {
        let store = try SQLiteStore(model: version.model, location: .file(url))
        let core = ContainerCore(schema: version.schema, store: store, configuration: ModelConfiguration(url: url))
        let context = ModelContext(ModelContainer(core))
        try body(context)
    }
}
