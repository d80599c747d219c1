import Foundation
import ObjectGraph

/// A manager of the stages by which stores of older versions become stores of the newest one. Set it as the store's option
/// `NSPersistentStoreStagedMigrationManagerOptionKey`.
nonisolated open class NSStagedMigrationManager: NSObject, @unchecked Sendable {
    // The stages are constants; the container is guarded by the lock.

    /// The stages, oldest first.
    public let stages: [NSMigrationStage]
    private let current = Locked<NSPersistentContainer?>(nil)

    /// Creates a manager.
    /// - Parameter stages: the stages, oldest first.
    public init(_ stages: [NSMigrationStage]) {
        self.stages = stages
    }

    /// A container of the store while a handler runs, in the store's version at that time; `nil` at other times.
    open var container: NSPersistentContainer? { current.withLock { $0 } }

    final func withContainer(_ container: NSPersistentContainer, _ body: () throws -> Void) rethrows {
        current.withLock { $0 = container }
        defer { current.withLock { $0 = nil } }
        try body()
    }
}
