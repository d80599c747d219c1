/// One step of a migration plan.
@preconcurrency
public enum MigrationStage: Sendable {
    /// The store adapts the rows by itself: properties added, removed or renamed.
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    /// As lightweight, with code of the program before it (a context over the old models) and after it (a context over
    /// the new ones). Each closure saves its own context.
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
