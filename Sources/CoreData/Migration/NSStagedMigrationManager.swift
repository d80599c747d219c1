import Foundation
import ObjectGraph

/// The steps by which stores of older versions become stores of the newest. It is handed over in a store's options, under
/// `NSPersistentStoreStagedMigrationManagerOptionKey`.
nonisolated open class NSStagedMigrationManager: NSObject, @unchecked Sendable {
    // The stages are constants; the container is under the lock.

    /// Oldest first.
    public let stages: [NSMigrationStage]
    private let current = Locked<NSPersistentContainer?>(nil)

    public init(_ stages: [NSMigrationStage]) {
        self.stages = stages
    }

    /// The store while a handler runs, of the version it has then; `nil` at other times.
    open var container: NSPersistentContainer? { current.withLock { $0 } }

    final func withContainer(_ container: NSPersistentContainer, _ body: () throws -> Void) rethrows {
        current.withLock { $0 = container }
        defer { current.withLock { $0 = nil } }
        try body()
    }
}
