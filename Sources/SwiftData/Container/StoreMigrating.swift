import Foundation
import ObjectGraph
import SQLiteStore

/// Brings the file of a store to the models of its container, before it is opened.
///
/// 1. Without a plan, rows are adapted as the two models tell: a lightweight migration.
/// 2. With a plan, its stages run in order from the version that the file has. Stages that are all lightweight are one
///    transaction. Where a stage has code of the program, all of them work on a copy, which takes the file's place at the
///    end. Whatever fails, the file is as it was.
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
        let copy = try WorkingCopy(of: url)
        for step in steps { try run(step, copy.url, versions) }
        try copy.replaceOriginal()
    }

    private func run(_ step: PlannedVersions.Step, _ url: URL, _ versions: PlannedVersions) throws {
        if let willMigrate = step.willMigrate { try Self.withContext(of: step.from, url, willMigrate) }
        var migration = StoreMigration(url, to: step.to.model)
        migration.candidates = versions.all.map(\.model)
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

/// The versions of a migration plan and the stages between them.
struct PlannedVersions {
    struct Version {
        let type: any VersionedSchema.Type
        let schema: Schema
        /// Of the entities that one file keeps.
        let model: Model
        let hashes: [String: VersionHash]

        var name: String { "\(type) (\(type.versionIdentifier))" }
    }

    struct Step {
        let from: Version
        let to: Version
        let willMigrate: ((ModelContext) throws -> Void)?
        let didMigrate: ((ModelContext) throws -> Void)?

        var hasCode: Bool { willMigrate != nil || didMigrate != nil }
    }

    private(set) var all: [Version] = []
    private let stages: [MigrationStage]

    /// - Parameter names: of entities that one file keeps or kept; `nil` for all.
    /// - Throws: `SchemaError`, `ModelError`, `SwiftDataError.loadIssueModelContainer` for versions that cannot be told
    ///   apart.
    init(_ plan: any SchemaMigrationPlan.Type, names: Set<String>?) throws {
        stages = plan.stages
        let stageTypes = stages.flatMap { [$0.fromVersion, $0.toVersion] }
        for type in plan.schemas + stageTypes where !all.contains(where: { $0.type == type }) {
            let schema = Schema(versionedSchema: type)
            let whole = try schema.compiled()
            let kept = names.map { Set(whole.entities.map(\.name)).intersection($0) }
            let model = try kept.map(whole.restricted) ?? whole
            all.append(Version(type: type, schema: schema, model: model, hashes: model.versionHashes))
        }
        guard names == nil else { return }
        for (position, version) in all.enumerated() {
            guard let twin = all[..<position].first(where: { $0.hashes == version.hashes }) else { continue }
            throw SwiftDataError.loadIssueModelContainer.explained(
                "Duplicate version checksums: \(twin.name) and \(version.name) have the same models; leave one out.")
        }
    }

    /// - Throws: `SwiftDataError.unknownSchema`, `backwardMigration`, `loadIssueModelContainer`.
    func steps(from stored: [String: VersionHash], to wanted: [String: VersionHash]) throws -> [Step] {
        guard let start = all.first(where: { $0.hashes == stored }) else { throw SwiftDataError.unknownSchema }
        guard let end = all.first(where: { $0.hashes == wanted }) else {
            throw SwiftDataError.loadIssueModelContainer.explained(
                "The container's schema is none of the migration plan's versions; add it to the plan.")
        }
        var steps: [Step] = []
        var current = start
        while current.hashes != end.hashes {
            guard steps.count <= stages.count, let step = step(from: current) else { throw missing(current, end) }
            steps.append(step)
            current = step.to
        }
        return steps
    }

    private func step(from version: Version) -> Step? {
        guard let stage = stages.first(where: { $0.fromVersion == version.type }),
            let to = all.first(where: { $0.type == stage.toVersion })
        else { return nil }
        guard case .custom(_, _, let willMigrate, let didMigrate) = stage else {
            return Step(from: version, to: to, willMigrate: nil, didMigrate: nil)
        }
        return Step(from: version, to: to, willMigrate: willMigrate, didMigrate: didMigrate)
    }

    private func missing(_ version: Version, _ end: Version) -> SwiftDataError {
        guard version.type.versionIdentifier <= end.type.versionIdentifier else {
            return .backwardMigration.explained("The store is of \(version.name), the container of \(end.name).")
        }
        return .loadIssueModelContainer.explained("No stage of the migration plan leads on from \(version.name).")
    }
}
