import ObjectGraph
import StoreDeletion

extension ModelContainer: StoreDeleting {
    /// The stores that deletions of this container work in, for the methods of `StoreDeleting`.
    public var deletionStores: DeletionStores { DeletionStores(core) }
}

extension ContainerCore: DeletionHost {
    var chunkingStores: [any ChunkedDeleting] { stores.compactMap(\.chunkedDeleting) }
    var archive: (any DeletionArchiving)? { store.archive }
    var audienceOfResumedDeletions: DeletionAudience { .liveContexts }

    func announce(_ plan: DeletePlan, to audience: DeletionAudience) {
        let changes = SavedChanges(deletion: plan)
        switch audience {
        case .observers:
            notify(changes)
            notifyNeighbours()
        case .liveContexts: announce(changes)
        }
    }

    func announce(_ restored: SavedRows) { announce(SavedChanges(restored)) }

    func faceError(_ error: any Error) -> any Error { ErrorMapping.saving(error) }
}

extension ContainerCore {
    /// Deletes all rows of the stores that delete sets, in all of them before it is committed in any.
    func eraseRows() throws -> DeletePlan {
        var request = DeleteRequest(.everything)
        request.observer = DeletionAnnouncer(self)
        let shares = stores.compactMap { store in
            store.setDeleting.map { GroupDelete.Share(identifier: store.identifier, store: $0, request: request) }
        }
        return try GroupDelete(shares, mostRows: nil).run().plan
    }
}

/// A planned deletion in the stores of a container.
struct ContainerDeletion: PlannedDeletion {
    let core: ContainerCore
    let request: DeleteRequest

    var host: any DeletionHost { core }
    var archivesRows: Bool { false }
    var rowLimit: Int? { nil }
    var audience: DeletionAudience { .liveContexts }

    func cost(of plan: DeletePlan) throws -> DeleteCost { try core.store.requireSetDeleting().cost(of: plan) }

    func execute(_ plan: DeletePlan, archiving: Bool) throws -> [RecoveryToken] {
        guard !core.store.isReadOnly else { throw DeletionError.readOnly }
        var request = request
        request.recovery = archiving ? .archived() : .none
        request.observer = DeletionAnnouncer(core)
        let result = try core.store.requireSetDeleting().execute(plan, of: request)
        core.announce(result.plan, to: audience)
        return [result.token].compactMap { $0 }
    }

    func partOfOneStore(_ plan: DeletePlan) throws -> DeletionPart {
        guard !core.store.isReadOnly else { throw DeletionError.readOnly }
        var request = request
        if case .rows = request.roots { request.roots = .rows(plan.roots) }
        let shares = try core.group?.shares(request) ?? []
        guard shares.count < 2 else { throw DeletionError.severalStores }
        let member = shares.first.flatMap { core.group?.member(identifier: $0.identifier) }
        guard let store = member?.store.chunkedDeleting ?? core.chunkingStores.first else {
            throw DeletionError.notSupported
        }
        return DeletionPart(store, shares.first?.request ?? request, plan)
    }
}
