import Foundation
import ObjectGraph
import StoreDeletion

/// Carries out a batch delete.
///
/// 1. Every store's support for the request and its plan are checked before the first store is written.
/// 2. Deletions are written in every store before any of them commits: an error in one leaves all unchanged.
/// 3. Only stored rows count; unsaved changes of contexts stay unsaved.
struct BatchDelete {
    let request: NSBatchDeleteRequest
    let core: CoordinatorCore
    private weak var context: NSManagedObjectContext?
    let author: String?
    let contextName: String?
    private let purpose: Purpose

    /// The purpose for which rows are looked up.
    enum Purpose {
        case executing
        /// A plan can be made of stores that are opened for reading only.
        case planning
    }

    init(_ request: NSBatchDeleteRequest, _ context: NSManagedObjectContext, for purpose: Purpose = .executing) {
        self.purpose = purpose
        self.request = request
        core = context.core
        self.context = context
        author = context.authorOfRequests
        contextName = context.name
    }

    // MARK: Shares

    /// The share of each store.
    /// - Throws: `CocoaError` 134060 for identifiers of several entities, 134091 for a store that does not support the request.
    func shares() throws -> [GroupDelete.Share] {
        var shares = try request.objectIDs.map(shares) ?? sharesOfFetch()
        for place in shares.indices {
            shares[place].request.author = author
            shares[place].request.contextName = contextName
            shares[place].request.counts = request.enforcesMinimumCounts ? .checked : .notEmpty
        }
        return shares
    }

    private func share(_ member: StoreGroup.Member, _ roots: DeleteRequest.Roots) throws -> GroupDelete.Share {
        GroupDelete.Share(identifier: member.identifier, store: try store(member), request: DeleteRequest(roots))
    }

    private func store(_ member: StoreGroup.Member) throws -> any BatchStore {
        switch purpose {
        case .executing: return try core.writable(member, for: request, undone: "deleted")
        case .planning:
            guard let store = core.batchStore(member) else { throw DeletionError.notSupported }
            return store
        }
    }

    private func sharesOfFetch() throws -> [GroupDelete.Share] {
        let plan = try RequestPlan(request.fetchRequest, core)
        let members = core.members(with: plan.table.entity, for: request)
        if plan.query.hasWindow, members.count > 1 { return try shares(ofWindow: plan.query, members) }
        return try members.map { try share($0, .matching(plan.query)) }
    }

    /// Limit and offset apply to the rows of all stores, as in a fetch.
    private func shares(ofWindow query: Query, _ members: [StoreGroup.Member]) throws -> [GroupDelete.Share] {
        for member in members { _ = try store(member) }
        return try shares(of: StoreView(core.stores).fetchIDs(query, among: members), members)
    }

    private func shares(of ids: [ObjectID], _ members: [StoreGroup.Member]) throws -> [GroupDelete.Share] {
        let groups = Dictionary(grouping: ids) { $0.storeIdentifier }
        return try members.compactMap { member in
            try groups[member.identifier].map { try share(member, .rows(RowSet($0))) }
        }
    }

    /// An empty list deletes nothing, and neither does one of temporary identifiers.
    private func shares(_ ids: [NSManagedObjectID]) throws -> [GroupDelete.Share] {
        guard Set(ids.map { $0.id.entityName }).count < 2 else {
            throw CocoaError(
                .coreData, text: "mismatched objectIDs in batch delete initializer",
                userInfo: [NSLocalizedFailureReasonErrorKey: "The identifiers are of several entities."])
        }
        guard let entity = ids.first.flatMap({ core.model.entity(named: $0.id.entityName) }) else { return [] }
        return try shares(of: ids.map(\.id).filter { !$0.isTemporary }, core.members(with: entity, for: request))
    }

    // MARK: Run

    /// - Returns: The result in all stores.
    /// - Throws: `CocoaError`; nothing is deleted in a store that fails.
    func run() throws -> SavedRows {
        do {
            return try runUnmapped()
        } catch {
            throw BatchDeleteFailure.error(error)
        }
    }

    private func runUnmapped() throws -> SavedRows {
        let meter = RowMeter(request.progress)
        let shares = try shares()
        if meter == nil, let result = try deleteUnseen(shares) { return result }
        // A single store plans within its transaction. With several, no store may write if another one refuses.
        if shares.count > 1 { try refuse(GroupDelete(shares, mostRows: request.deletionLimit).plan()) }
        return try execute(shares, meter, archiving: request.archivesRows) { try $0.run() }
    }

    /// Deletes with one statement if the keys of the rows are not needed and no delete rule concerns them; otherwise returns
    /// `nil`.
    private func deleteUnseen(_ shares: [GroupDelete.Share]) throws -> SavedRows? {
        guard request.resultType != .resultTypeObjectIDs, !request.mergesIntoLiveContexts, !request.archivesRows,
            request.deletionLimit == nil, shares.count == 1, let share = shares.first, core.announcer == nil,
            case .matching(let query) = share.request.roots
        else { return nil }
        guard let count = try share.store.deleteUnseen(query) else { return nil }
        if count > 0 { core.owner?.postRemoteChanges(ofStores: [share.identifier]) }
        var result = SavedRows()
        result.unseenCount = count
        return result
    }

    func refuse(_ plan: DeletePlan) throws {
        if plan.isRefused { throw DeleteError.refused(plan.refusals) }
        let count = plan.deleted.count
        if let limit = request.deletionLimit, count > limit {
            throw DeleteError.tooManyRows(count: count, limit: limit)
        }
    }

    /// - Parameter meter: counts the rows; its progress finishes once all stores are done.
    func execute(
        _ shares: [GroupDelete.Share], _ meter: RowMeter?, archiving: Bool, _ body: (GroupDelete) throws -> SavedRows
    ) throws -> SavedRows {
        // One token for all stores, because they are restored together.
        let recovery: Recovery = archiving ? .archived() : .none
        var shares = shares
        for place in shares.indices {
            shares[place].request.recovery = recovery
            shares[place].request.meter = meter
            shares[place].request.observer = core.announcer
            // The limit applies to the plan of a single store, and to the joined plan of several.
            if shares.count == 1 { shares[place].request.mostRows = request.deletionLimit }
        }
        let result = try body(GroupDelete(shares, mostRows: request.deletionLimit))
        meter?.finish()
        core.notify(result.plan, to: request.audience, from: context)
        return result
    }
}

extension CoordinatorCore {
    /// Announces a completed batch delete.
    /// - Parameter sender: the context that executed the request.
    func notify(_ plan: DeletePlan, to audience: DeletionAudience, from sender: NSManagedObjectContext?) {
        guard !plan.isEmpty else { return }
        let changes = SavedChanges(deletion: plan)
        if audience == .liveContexts { mergeIntoAll(changes, from: sender) }
        owner?.postRemoteChanges(of: changes)
    }
}
