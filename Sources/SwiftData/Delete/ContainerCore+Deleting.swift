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
        guard let store = shares.first?.store as? any ChunkedDeleting ?? core.chunkingStores.first else {
            throw DeletionError.notSupported
        }
        return DeletionPart(store, shares.first?.request ?? request, plan)
    }
}
