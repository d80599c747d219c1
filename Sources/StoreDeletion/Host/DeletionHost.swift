import ObjectGraph

/// A face as deletions use it: its stores, its contexts and its errors.
package protocol DeletionHost: AnyObject, Sendable {
    /// The stores that carry out deletions in chunks.
    var chunkingStores: [any ChunkedDeleting] { get }
    /// The stores that archive rows and restore them in one transaction; `nil` if there are none.
    var archive: (any DeletionArchiving)? { get }
    var delegateReference: DeletionDelegateReference { get }
    /// The contexts that merge the chunks of a resumed deletion.
    var audienceOfResumedDeletions: DeletionAudience { get }

    /// Announces a deletion that is committed.
    func announce(_ plan: DeletePlan, to audience: DeletionAudience)
    /// Announces rows that were restored.
    func announce(_ restored: SavedRows)

    /// Maps an error that is not about a deletion to the face's own.
    func faceError(_ error: any Error) -> any Error
}

extension DeletionHost {
    package var deletionDelegate: (any DeletionDelegate)? { delegateReference.delegate }

    /// The error to throw to the caller: `DeletionError`, the delegate's own error, or the face's.
    package func programError(_ error: any Error) -> any Error {
        switch error {
        case let refusal as DelegateRefusal: refusal.reason
        case is CancellationError: error
        default: DeletionError(error) ?? faceError(error)
        }
    }

    package func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw programError(error)
        }
    }
}
