import Foundation
import GRDB
import Synchronization

/// Observers of the readings, and how many changes they have delivered.
final class Observed: Sendable {
    private let delivered = Mutex(0)
    private let arrived = DispatchSemaphore(value: 0)
    private let queue = DispatchQueue(label: "observers")
    private let cancellables = Mutex<[AnyDatabaseCancellable]>([])

    /// Observes the results of a request from its first fetch on.
    func observe(_ request: QueryInterfaceRequest<Reading>, in database: DatabasePool) {
        let observation = ValueObservation.tracking { try request.fetchAll($0) }
        let cancellable = observation.start(
            in: database, scheduling: .async(onQueue: queue),
            onError: { error in
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(1)
            },
            onChange: { [self] _ in
                delivered.withLock { $0 += 1 }
                arrived.signal()
            })
        cancellables.withLock { $0.append(cancellable) }
    }

    /// Waits until the observers have delivered a number of changes since the former call.
    func wait(for count: Int) {
        for _ in 0..<count { arrived.wait() }
    }
}
