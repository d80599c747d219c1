import ObjectGraph

/// What deletions need of a face: its stores, its contexts and its errors.
package protocol DeletionHost: AnyObject, Sendable {
    /// The stores that carry out deletions in chunks.
    var chunkingStores: [any ChunkedDeleting] { get }
    /// The stores that archive rows, which restore in one transaction; `nil` where there is none.
    var archive: (any DeletionArchiving)? { get }
    var delegateReference: DeletionDelegateReference { get }
    /// Which contexts take in the chunks of a deletion that was resumed.
    var audienceOfResumedDeletions: DeletionAudience { get }

    /// Announces a deletion that is committed.
    func announce(_ plan: DeletePlan, to audience: DeletionAudience)
    /// Announces rows that were restored.
    func announce(_ restored: RestoreResult)

    /// The face's own error for one that is not of a deletion.
    func faceError(_ error: any Error) -> any Error
}

extension DeletionHost {
    package var deletionDelegate: (any DeletionDelegate)? { delegateReference.delegate }

    /// The error that a program gets: `DeletionError`, the delegate's own, or the face's.
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

extension RestoreResult {
    /// As a save would have it.
    package var savedChanges: SavedChanges {
        var changes = SavedChanges()
        changes.inserted = Array(restored.ids)
        changes.updatedIDs = Array(updated.ids)
        return changes
    }
}
