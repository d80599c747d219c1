import Foundation

/// Versions of a model that follow each other by changes that need no code.
nonisolated open class NSLightweightMigrationStage: NSMigrationStage, @unchecked Sendable {
    // A constant beside what its superclass has.

    /// As `NSManagedObjectModel.versionChecksum` gives them, oldest first.
    public let versionChecksums: [String]

    /// - Parameter versionChecksums: of versions among the program's models, or that other stages refer to. One that is not
    ///   found is passed over: its neighbours are migrated to each other.
    public init(_ versionChecksums: [String]) {
        self.versionChecksums = versionChecksums
    }
}
