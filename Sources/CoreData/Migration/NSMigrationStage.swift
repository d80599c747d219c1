import Foundation

/// One step of a staged migration: `NSLightweightMigrationStage` or `NSCustomMigrationStage`.
nonisolated open class NSMigrationStage: NSObject, @unchecked Sendable {
    // Set before the migration, by whoever makes the stages, and only read afterwards.

    /// What people call the step.
    open var label: String?
}
