import Foundation
import ObjectGraph
import SQLiteStore
import StoreDeletion

/// Carries out a batch delete.
///
/// 1. Whether all stores take it, and what each would do, is known before the first writes. (BD22, BD31, BD36)
/// 2. Each store has a transaction of its own. When one fails after others are done, the error says what was done where.
/// 3. Only what is stored counts; unsaved work of contexts stays unsaved. (BD6, BD27)
struct BatchDelete {
    let request: NSBatchDeleteRequest
    let core: CoordinatorCore
    private weak var context: NSManagedObjectContext?
    let author: String?
    let contextName: String?
    private let purpose: Purpose

    /// What the rows are looked up for.
    enum Purpose {
        case executing
        /// A plan can be made of stores that are only read.
        case planning
    }

    /// What was done, in all stores.
    struct Outcome {
        var plan = DeletePlan()
        var tokens: [RecoveryToken] = []
        /// Rows that went without anybody learning which; the plan does not know of them.
        var unseenCount = 0

        var rootCount: Int { plan.roots.count + unseenCount }
    }

    init(_ request: NSBatchDeleteRequest, _ context: NSManagedObjectContext, for purpose: Purpose = .executing) {
        self.purpose = purpose
        self.request = request
        core = context.core
        self.context = context
        author = context.authorOfRequests
        contextName = context.name
    }

    /// What one store is to do.
    struct Share {
        let member: CoordinatorStore.Member
        var request: DeleteRequest

        func store() throws -> any SetDeleting { try member.store.requireSetDeleting() }
    }

    // MARK: Shares

    /// - Throws: `CocoaError` 134060 for identifiers of several entities, 134091 for a store that takes no such request.
    func shares() throws -> [Share] {
        var shares = try request.objectIDs.map(shares) ?? sharesOfFetch()
        for share in shares { try check(share.member) }
        for place in shares.indices {
            shares[place].request.author = author
            shares[place].request.contextName = contextName
            shares[place].request.mostRows = request.deletionLimit
            shares[place].request.counts = request.enforcesMinimumCounts ? .checked : .notEmpty
        }
        return shares
    }

    private func check(_ member: CoordinatorStore.Member) throws {
        switch purpose {
        case .executing: _ = try member.writable(for: request, undone: "deleted")
        case .planning: guard member.batches != nil else { throw DeletionError.notSupported }
        }
    }

    private func sharesOfFetch() throws -> [Share] {
        let plan = try RequestPlan(request.fetchRequest, core)
        let members = core.members(with: plan.table.entity, for: request)
        if plan.query.hasWindow, members.count > 1 { return try shares(ofWindow: plan.query, members) }
        return try members.map { member in
            Share(member: member, request: DeleteRequest(.matching(try member.query(plan.query))))
        }
    }

    /// Limit and offset pick among the rows of all stores, as in a fetch. (BD5)
    private func shares(ofWindow query: Query, _ members: [CoordinatorStore.Member]) throws -> [Share] {
        for member in members { try check(member) }
        return shares(of: try CoordinatorRows(model: core.model, stores: members).fetchIDs(query), members)
    }

    private func shares(of ids: [ObjectID], _ members: [CoordinatorStore.Member]) -> [Share] {
        let groups = Dictionary(grouping: ids) { $0.storeIdentifier }
        return members.compactMap { member in
            groups[member.store.identifier].map { Share(member: member, request: DeleteRequest(.rows(RowSet($0)))) }
        }
    }

    /// An empty list deletes nothing, as does one of temporary identifiers. (BD32, BD33)
    private func shares(_ ids: [NSManagedObjectID]) throws -> [Share] {
        guard Set(ids.map { $0.id.entityName }).count < 2 else {
            throw CocoaError(
                .coreData, text: "mismatched objectIDs in batch delete initializer",
                userInfo: [NSLocalizedFailureReasonErrorKey: "The identifiers are of several entities."])
        }
        guard let entity = ids.first.flatMap({ core.model.entity(named: $0.id.entityName) }) else { return [] }
        return shares(of: ids.map(\.id).filter { !$0.isTemporary }, core.members(with: entity, for: request))
    }

    // MARK: Plan

    /// What would be done now.
    func plan(_ shares: [Share]) throws -> [DeletePlan] { try shares.map { try $0.store().plan($0.request) } }

    // MARK: Run

    /// - Throws: `CocoaError`; nothing is deleted in a store that fails.
    func run() throws -> Outcome {
        do {
            return try runUnmapped()
        } catch {
            throw BatchDeleteFailure.error(error)
        }
    }

    private func runUnmapped() throws -> Outcome {
        let meter = RowMeter(request.progress)
        let shares = try shares()
        if meter == nil, let outcome = try deleteUnseen(shares) { return outcome }
        // One store plans within its transaction. With several, none is to write when another one refuses.
        if shares.count > 1 { try refuse(plan(shares)) }
        return try execute(shares, meter, archiving: request.archivesRows, BatchDeleteFailure.error) {
            try $0.store().delete($0.request)
        }
    }

    /// One statement, where it need not be known which rows go, and no rule concerns them; `nil` where that is not so.
    private func deleteUnseen(_ shares: [Share]) throws -> Outcome? {
        guard request.resultType != .resultTypeObjectIDs, !request.mergesIntoLiveContexts, !request.archivesRows,
            request.deletionLimit == nil, shares.count == 1, let share = shares.first, core.announcer == nil,
            case .matching(let query) = share.request.roots
        else { return nil }
        guard let count = try share.store().deleteUnseen(query) else { return nil }
        if count > 0 { core.owner?.postRemoteChanges(ofStores: [share.member.store.identifier]) }
        return Outcome(unseenCount: count)
    }

    func refuse(_ plans: [DeletePlan]) throws {
        let refusals = plans.flatMap(\.refusals)
        if !refusals.isEmpty { throw DeleteError.refused(refusals) }
        let count = plans.reduce(0) { $0 + $1.deleted.count }
        if let limit = request.deletionLimit, count > limit {
            throw DeleteError.tooManyRows(count: count, limit: limit)
        }
    }

    /// - Parameters:
    ///   - meter: counts the rows; its progress is finished once all stores are done.
    ///   - mapping: the program's error for one of a store, where other stores were done before.
    func execute(
        _ shares: [Share], _ meter: RowMeter?, archiving: Bool, _ mapping: (any Error) -> any Error,
        _ body: (Share) throws -> DeleteResult
    ) throws -> Outcome {
        var outcome = Outcome()
        // One token for all stores, as they are restored together.
        let recovery: Recovery = archiving ? .kept() : .none
        for (place, var share) in shares.enumerated() {
            share.request.recovery = recovery
            share.request.meter = meter
            share.request.observer = core.announcer
            do {
                let result = try body(share)
                outcome.plan.append(result.plan)
                if let token = result.token, !result.plan.isEmpty, !outcome.tokens.contains(token) {
                    outcome.tokens.append(token)
                }
            } catch {
                tell(outcome)
                throw place == 0 ? error : CocoaError.incomplete(mapping(error), after: place, of: shares.count)
            }
        }
        meter?.finish()
        tell(outcome)
        return outcome
    }

    private func tell(_ outcome: Outcome) {
        core.tell(outcome.plan, to: request.audience, from: context)
    }
}

extension CoordinatorCore {
    /// Announces a batch delete that is done.
    /// - Parameter sender: the context that deleted.
    func tell(_ plan: DeletePlan, to audience: DeletionAudience, from sender: NSManagedObjectContext?) {
        guard !plan.isEmpty else { return }
        var changes = SavedChanges()
        changes.planned = plan
        if audience == .liveContexts { mergeIntoAll(changes, from: sender) }
        owner?.postRemoteChanges(of: changes)
    }
}
