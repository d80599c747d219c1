import Foundation

/// A stage that migrates from one version of a model to another, with code before and after it.
///
/// The handlers use the manager's `container`, which has the store in its version at that time. Changes that they do not save
/// are lost. An error that they throw ends the migration, and the store is as before the first stage.
nonisolated open class NSCustomMigrationStage: NSMigrationStage, @unchecked Sendable {
    // The handlers are set before the migration, and run on the thread that migrates.

    /// A closure that is called with the manager and the stage. It may throw any error to end the migration.
    public typealias Handler = (NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void

    /// The version of the model before the stage.
    public let currentModel: NSManagedObjectModelReference
    /// The version of the model after the stage.
    public let nextModel: NSManagedObjectModelReference
    /// The closure that is called before the migration, with the store in the version of the current model.
    open var willMigrateHandler: Handler?
    /// The closure that is called after the migration, with the store in the version of the next model.
    open var didMigrateHandler: Handler?

    /// Creates a stage without handlers.
    /// - Parameters:
    ///   - currentModel: the version of the model before the stage.
    ///   - nextModel: the version of the model after the stage.
    public init(
        migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference
    ) {
        self.currentModel = currentModel
        self.nextModel = nextModel
    }
}
