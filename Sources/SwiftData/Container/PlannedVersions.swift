import ObjectGraph

/// The versions of a migration plan and the stages between them.
struct PlannedVersions {
    struct Version {
        let type: any VersionedSchema.Type
        let schema: Schema
        /// The model of the entities that one file keeps.
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
        var missingValues: InferredMapping.MissingValues { hasCode ? .acceptedWithoutRows : .refused }
    }

    private(set) var all: [Version] = []
    private let stages: [MigrationStage]

    /// - Parameter names: The entities that one file keeps or has kept; `nil` for all.
    /// - Throws: `SchemaError`, `ModelError`, or `SwiftDataError.loadIssueModelContainer` for versions that cannot be
    ///   distinguished.
    init(_ plan: any SchemaMigrationPlan.Type, names: Set<String>?) throws {
        stages = plan.stages
        let stageTypes = stages.flatMap { [$0.fromVersion, $0.toVersion] }
        for type in plan.schemas + stageTypes where !all.contains(where: { $0.type == type }) {
            let schema = Schema(versionedSchema: type)
            let whole = try schema.compiled()
            let kept = names.map { Set(whole.entities.map(\.name)).intersection($0) }
            let model = try kept.map { try whole.restricted(to: $0).numberedWithoutGaps } ?? whole
            all.append(Version(type: type, schema: schema, model: model, hashes: model.versionHashes))
        }
        guard names == nil else { return }
        for (position, version) in all.enumerated() {
            guard let twin = all[..<position].first(where: { $0.hashes == version.hashes }) else { continue }
            throw SwiftDataError.loadIssueModelContainer.explained(
                "Duplicate version checksums: \(twin.name) and \(version.name) have the same models; leave one out.")
        }
    }

    /// - Throws: `SwiftDataError.unknownDataStoreSchema`, `backwardMigration`, `loadIssueModelContainer`.
    func steps(from stored: [String: VersionHash], to wanted: [String: VersionHash]) throws -> [Step] {
        guard let start = all.first(where: { $0.hashes == stored }) else { throw SwiftDataError.unknownDataStoreSchema }
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
