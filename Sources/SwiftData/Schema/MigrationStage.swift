/// One step of a migration plan, from one version of the schema to the next.
@preconcurrency
public enum MigrationStage: Sendable {
    /// The store adapts the rows by itself: properties are added, removed or renamed.
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    /// The store adapts the rows, and code of the program runs before and after it: `willMigrate` with a context over the
    /// old models, `didMigrate` with a context over the new ones. Each closure saves its own context. If the stage fails,
    /// the file is unchanged.
    case custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        willMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?,
        didMigrate: (@Sendable (_ context: ModelContext) throws -> Void)?)
}

extension MigrationStage {
    var fromVersion: any VersionedSchema.Type {
        switch self {
        case .lightweight(let version, _), .custom(let version, _, _, _): version
        }
    }

    var toVersion: any VersionedSchema.Type {
        switch self {
        case .lightweight(_, let version), .custom(_, let version, _, _): version
        }
    }
}
