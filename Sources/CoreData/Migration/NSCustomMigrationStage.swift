import Foundation

/// A step from one version of a model to another with code before and after it.
///
/// The handlers find the store in the manager's `container`, of the version that it has at that moment. What they do not
/// save is lost. What they throw ends the migration, and the store is as it was before its first step.
nonisolated open class NSCustomMigrationStage: NSMigrationStage, @unchecked Sendable {
    // As its superclass: the handlers are set before the migration, and run by the thread that migrates.

    public typealias Handler = (NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void

    public let currentModel: NSManagedObjectModelReference
    public let nextModel: NSManagedObjectModelReference
    /// Called with the store of the current model.
    open var willMigrateHandler: Handler?
    /// Called with the store of the next model.
    open var didMigrateHandler: Handler?

    public init(
        migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference
    ) {
        self.currentModel = currentModel
        self.nextModel = nextModel
    }
}
