import ObjectGraph
import StoreDeletion

extension NSManagedObjectContext {
    /// Makes a plan of a batch delete: the rows that the request would delete, the links that others would lose, and the rules that
    /// forbid it.
    ///
    /// The plan is made from stored rows; unsaved changes are not considered. It is carried out with the request's options; the
    /// `deletionLimit` is checked then.
    ///
    /// ``DeletionPlan/execute()`` throws `DeletionError` where `execute(_:)` of this context throws `CocoaError`: 1570 in place of
    /// 134050 for a mandatory relationship that would be left empty. Call it on the context's queue.
    /// - Parameter request: is copied; later changes of it have no effect on the plan.
    /// - Returns: The plan.
    /// - Throws: `DeletionError`: `notSupported` (134091) for a store that is not of the type `NSSQLiteStoreType`,
    ///   `cannotBePlanned` (134060). `CocoaError` 134060 for identifiers of several entities, 134070 for a context without a
    ///   coordinator, and errors of reading the stores.
    /// - Complexity: One or two statements for each relationship of each entity reached, and each level of a cascade.
    public func deletionPlan(for request: NSBatchDeleteRequest) throws -> DeletionPlan {
        try requireCoordinator()
        return try core.mappingErrors {
            let request = request.copy() as? NSBatchDeleteRequest ?? request
            let deletion = try BatchDeletion(BatchDelete(request, self, for: .planning))
            return DeletionPlan(deletion.joined, deletion)
        }
    }
}

/// A plan of a batch delete.
struct BatchDeletion: PlannedDeletion, @unchecked Sendable {
    // The request is a copy that is only read; everything else is Sendable.
    private let run: BatchDelete
    private let shares: [GroupDelete.Share]
    private let plans: [DeletePlan]

    init(_ run: BatchDelete) throws {
        self.run = run
        shares = try run.shares().sorted { $0.identifier < $1.identifier }
        plans = try shares.map { try $0.store.plan($0.request) }
    }

    var joined: DeletePlan { plans.reduce(into: DeletePlan()) { $0.append($1) } }

    var host: any DeletionHost { run.core }
    var archivesRows: Bool { run.request.archivesRows }
    var rowLimit: Int? { run.request.deletionLimit }
    var audience: DeletionAudience { run.request.audience }

    func cost(of plan: DeletePlan) throws -> DeleteCost {
        try zip(shares, plans).reduce(into: DeleteCost()) { $0.append(try $1.0.store.cost(of: $1.1)) }
    }

    func execute(_ plan: DeletePlan, archiving: Bool) throws -> [RecoveryToken] {
        try run.refuse(plan)
        for share in shares { try writable(share) }
        let meter = RowMeter(run.request.progress)
        let deleted = try run.execute(shares, meter, archiving: archiving) { try $0.execute(plan) }
        return deleted.token.map { [$0] } ?? []
    }

    /// A chunk is a transaction of one store.
    func partOfOneStore(_ plan: DeletePlan) throws -> DeletionPart {
        let parts = Array(zip(shares, plans))
        let concerned = parts.filter { !$1.isEmpty }
        guard concerned.count < 2 else { throw DeletionError.severalStores }
        if let (share, plan) = concerned.first ?? parts.first {
            try writable(share)
            let member = run.core.stores.member(identifier: share.identifier)
            guard let store = member?.store.chunkedDeleting else { throw DeletionError.notSupported }
            return DeletionPart(store, share.request, plan)
        }
        // An empty deletion may run in any store.
        guard let store = run.core.chunkingStores.first else { throw DeletionError.notSupported }
        return DeletionPart(store, DeleteRequest(.rows(RowSet())), DeletePlan())
    }

    private func writable(_ share: GroupDelete.Share) throws {
        guard run.core.stores.member(identifier: share.identifier)?.store.isReadOnly != true else {
            throw DeletionError.readOnly
        }
    }
}
