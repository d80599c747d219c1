/// The versions of a program's models, oldest first, and the migration stages between them.
public protocol SchemaMigrationPlan: SendableMetatype {
    /// The versions that a store may have, oldest first.
    static var schemas: [any VersionedSchema.Type] { get }
    /// The stages, each from one version to the next.
    static var stages: [MigrationStage] { get }
}
