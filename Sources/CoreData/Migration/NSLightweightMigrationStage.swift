import Foundation

/// A stage of consecutive versions of a model whose differences need no code.
nonisolated open class NSLightweightMigrationStage: NSMigrationStage, @unchecked Sendable {
    // A constant beside the superclass's state.

    /// The checksums of the versions, from `NSManagedObjectModel.versionChecksum`, oldest first.
    public let versionChecksums: [String]

    /// Creates a stage.
    /// - Parameter versionChecksums: the checksums of versions among the program's models, or that other stages refer to,
    ///   oldest first. A version that is not found is skipped: its neighbours are migrated to each other.
    public init(_ versionChecksums: [String]) {
        self.versionChecksums = versionChecksums
    }
}
