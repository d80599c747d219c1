import Foundation
import ObjectGraph
import SQLiteStore

/// Migrates the file of a store to its container's schema before it is opened.
///
/// 1. Without a plan, rows are adapted as inferred from the two models: a lightweight migration.
/// 2. With a plan, its stages run in order from the file's version. If all stages are lightweight, they are one
///    transaction. If any stage has code of the program, all stages work on a copy, which replaces the file at the end. If
///    any step fails, the file is unchanged. Whatever the models alone rule out is refused before any code runs; a stage
///    with code may empty tables, and their entities may then have new mandatory properties.
/// 3. A read-only file is not migrated: it is refused as a file of another model.
struct StoreMigrating {
    let url: URL
    /// The model that the file is migrated to.
    let model: Model
    let plan: (any SchemaMigrationPlan.Type)?
    /// The entities that the file's configuration keeps; `nil` for all.
    var share: Set<String>?

    /// - Throws: `SwiftDataError.unknownDataStoreSchema`, `backwardMigration`, `loadIssueModelContainer`, errors of the plan's
    ///   closures, and errors of migrating.
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

    /// Calls a closure with a context on the file. Unsaved changes of that context are discarded.
    private static func withContext(
        of version: PlannedVersions.Version, _ url: URL, _ body: (ModelContext) throws -> Void
    ) throws {
        let store = try SQLiteStore(model: version.model, location: .file(url))
        let core = ContainerCore(schema: version.schema, store: store, configuration: ModelConfiguration(url: url))
        let context = ModelContext(ModelContainer(core))
        try body(context)
    }
}
