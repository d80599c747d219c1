import ObjectGraph
import StoreDeletion

extension NSPersistentStoreCoordinator: StoreDeleting {
    public final var deletionStores: DeletionStores { DeletionStores(core) }
}

extension NSPersistentContainer: StoreDeleting {
    public final var deletionStores: DeletionStores { persistentStoreCoordinator.deletionStores }
}

extension CoordinatorCore: DeletionHost {
    var chunkingStores: [any ChunkedDeleting] { stores.members.compactMap { batchStore($0)?.chunkedDeleting } }
    var archive: (any DeletionArchiving)? { stores }
    var audienceOfResumedDeletions: DeletionAudience { .observers }

    /// `nil` where there is no delegate, so that stores need not find out which rows they delete.
    var announcer: DeletionAnnouncer? { deletionDelegate == nil ? nil : DeletionAnnouncer(self) }

    func announce(_ plan: DeletePlan, to audience: DeletionAudience) { tell(plan, to: audience, from: nil) }

    func announce(_ restored: RestoreResult) {
        // Others may have deleted the rows: contexts take that in first.
        owner?.noticeSaves()
        tell(restored.savedChanges, from: nil)
    }

    func faceError(_ error: any Error) -> any Error { ErrorMapping.saving(error, nil) }
}
