import Foundation

/// A stage of a staged migration: `NSLightweightMigrationStage` or `NSCustomMigrationStage`.
nonisolated open class NSMigrationStage: NSObject, @unchecked Sendable {
    // Set before the migration, and only read afterwards.

    /// A name of the stage for people.
    open var label: String?
}
