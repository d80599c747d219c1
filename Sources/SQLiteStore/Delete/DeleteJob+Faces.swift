import Foundation
import ObjectGraph

/// What both faces say in their own types.
extension DeleteJob {
    /// As `updates()`, in the terms of a face. To be called once.
    package func updates<State: Sendable>(
        _ state: @escaping @Sendable (DeleteJobProgress) -> State,
        failure: @escaping @Sendable (any Error) -> any Error
    ) -> AsyncThrowingStream<State, any Error> {
        let updates = updates()
        return AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    for try await progress in updates { continuation.yield(state(progress)) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: failure(error))
                }
            }
            continuation.onTermination = { if case .cancelled = $0 { task.cancel() } }
        }
    }

    /// What it can be taken back by as far as it got, the last chunk first; none when it does not keep what it deletes.
    package var tokens: [RecoveryToken] {
        options.keeping == .none ? [] : RecoveryToken.chunks(current.chunkCount, of: id)
    }
}

extension DeleteJobOptions {
    /// - Parameters:
    ///   - rows: of one chunk, at most.
    ///   - milliseconds: for which one chunk may keep others from writing.
    ///   - logBytes: that one chunk may write to the write-ahead log.
    package init(rows: Int, milliseconds: Double, logBytes: Int64, keeping: Keeping, vacuuming: Vacuuming) {
        self.init()
        budget.rows = rows
        budget.milliseconds = milliseconds
        budget.bytes = logBytes
        self.keeping = keeping
        self.vacuuming = vacuuming
        self = withinLimits
    }
}

extension Sequence<SQLiteStore> {
    /// The store that a long delete was started in; `nil` when it is finished, or was dropped.
    package func store(ofJob id: UUID) throws -> SQLiteStore? {
        try first { try $0.jobs().contains { $0.id == id } }
    }
}
