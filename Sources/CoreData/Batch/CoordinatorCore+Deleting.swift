import ObjectGraph
import StoreDeletion

extension NSPersistentStoreCoordinator: StoreDeleting {
    /// The coordinator's stores, as the deletion operations of ``StoreDeleting`` use them.
    public final var deletionStores: DeletionStores { DeletionStores(core) }
}

extension NSPersistentContainer: StoreDeleting {
    /// The container's stores, as the deletion operations of ``StoreDeleting`` use them.
    public final var deletionStores: DeletionStores { persistentStoreCoordinator.deletionStores }
}

extension CoordinatorCore: DeletionHost {
    var chunkingStores: [any ChunkedDeleting] { stores.members.compactMap { batchStore($0)?.chunkedDeleting } }
    var archive: (any DeletionArchiving)? { stores }
    var audienceOfResumedDeletions: DeletionAudience { .observers }

    /// `nil` without a delegate, so that stores need not read the keys of the rows they delete.
    var announcer: DeletionAnnouncer? { deletionDelegate == nil ? nil : DeletionAnnouncer(self) }

    func announce(_ plan: DeletePlan, to audience: DeletionAudience) { notify(plan, to: audience, from: nil) }

    func announce(_ restored: SavedRows) {
        // Contexts merge the saves of others first, which may have deleted the rows.
        owner?.noticeSaves()
        notify(SavedChanges(restored), from: nil)
    }

    func faceError(_ error: any Error) -> any Error { ErrorMapping.saving(error, nil) }
}
