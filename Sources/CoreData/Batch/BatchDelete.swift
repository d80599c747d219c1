import Foundation
import ObjectGraph
import SQLiteStore

/// Carries out a batch delete.
///
/// 1. Whether all stores take it, and what each would do, is known before the first writes. (BD22, BD31, BD36)
/// 2. Each store has a transaction of its own. When one fails after others are done, the error says what was done where.
/// 3. Only what is stored counts; unsaved work of contexts stays unsaved. (BD6, BD27)
struct BatchDelete {
    let request: NSBatchDeleteRequest
    let core: CoordinatorCore
    let author: String?
    let contextName: String?

    /// What was done, in all stores.
    struct Outcome {
        var plan = DeletePlan()
        var tokens: [RecoveryToken] = []
    }

    init(_ request: NSBatchDeleteRequest, _ context: NSManagedObjectContext) {
        self.request = request
        core = context.core
        author = context.transactionAuthor
        contextName = context.name
    }

    /// What one store is to do.
    struct Share {
        let member: CoordinatorStore.Member
        var request: DeleteRequest
    }

    // MARK: Shares

    /// - Throws: `CocoaError` 134060 for identifiers of several entities, 134091 for a store that takes no such request.
    func shares() throws -> [Share] {
        var shares = try request.objectIDs.map(shares) ?? sharesOfFetch()
        for share in shares where share.member.batches == nil { throw unknownCommand(share.member) }
        for share in shares where share.member.store.isReadOnly {
            throw CocoaError(
                .persistentStoreSave, text: "The store was opened for reading only; nothing was deleted.",
                userInfo: [NSAffectedStoresErrorKey: [share.member.persistentStore.store].compactMap { $0 }])
        }
        for place in shares.indices {
            shares[place].request.author = author
            shares[place].request.contextName = contextName
            shares[place].request.mostRows = request.deletionLimit
            shares[place].request.counts = request.enforcesMinimumCounts ? .checked : .unchecked
        }
        return shares
    }

    private func sharesOfFetch() throws -> [Share] {
        let plan = try RequestPlan(request.fetchRequest, core)
        return try members(with: plan.table.entity).map { member in
            Share(member: member, request: DeleteRequest(.matching(try member.query(plan.query))))
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
        let groups = Dictionary(grouping: ids.map(\.id).filter { !$0.isTemporary }) { $0.storeIdentifier }
        return members(with: entity).compactMap { member in
            groups[member.store.identifier].map { Share(member: member, request: DeleteRequest(.rows(RowSet($0)))) }
        }
    }

    /// `affectedStores` of the request itself decides, not that of its fetch request. (BD20)
    private func members(with entity: Entity) -> [CoordinatorStore.Member] {
        let wanted = request.affectedStores.map { Set($0.map(\.storeIdentifier)) }
        return core.store.members.filter { $0.has(entity) && wanted?.contains($0.store.identifier) ?? true }
    }

    private func unknownCommand(_ member: CoordinatorStore.Member) -> CocoaError {
        CocoaError(
            .persistentStoreUnsupportedRequestType, text: "Unknown command type \(request)",
            userInfo: [NSAffectedStoresErrorKey: [member.persistentStore.store].compactMap { $0 }])
    }

    // MARK: Plan

    /// What would be done now.
    func plan(_ shares: [Share]) throws -> [DeletePlan] {
        do {
            return try shares.map { try $0.member.store.plan($0.request) }
        } catch {
            throw BatchDeleteFailure.error(error)
        }
    }

    // MARK: Run

    /// - Throws: `CocoaError`; nothing is deleted in a store that fails.
    func run() throws -> Outcome {
        let shares = try shares()
        // One store plans within its transaction. With several, none is to write when another one refuses.
        if shares.count > 1 { try refuse(plan(shares)) }
        return try execute(shares) { try $0.member.store.delete($0.request) }
    }

    func refuse(_ plans: [DeletePlan]) throws {
        let refusals = plans.flatMap(\.refusals)
        if !refusals.isEmpty { throw BatchDeleteFailure.error(DeleteError.refused(refusals)) }
        let count = plans.reduce(0) { $0 + $1.deleted.count }
        if let limit = request.deletionLimit, count > limit {
            throw BatchDeleteFailure.error(DeleteError.tooManyRows(count: count, limit: limit))
        }
    }

    func execute(_ shares: [Share], _ body: (Share) throws -> DeleteResult) throws -> Outcome {
        var outcome = Outcome()
        // One token for all stores, as they are taken back together.
        let recovery: Recovery = request.isRecoverable ? .kept() : .none
        for (place, var share) in shares.enumerated() {
            share.request.recovery = recovery
            do {
                let result = try body(share)
                outcome.plan.append(result.plan)
                if let token = result.token, !result.plan.isEmpty, !outcome.tokens.contains(token) {
                    outcome.tokens.append(token)
                }
            } catch {
                tell(outcome)
                throw BatchDeleteFailure.error(error, after: place, of: shares.count)
            }
        }
        tell(outcome)
        return outcome
    }

    private func tell(_ outcome: Outcome) {
        guard !outcome.plan.isEmpty else { return }
        var changes = SavedChanges()
        changes.planned = outcome.plan
        if request.mergesIntoLiveContexts { core.mergeIntoAll(changes) }
        core.owner?.postRemoteChanges(of: changes)
    }
}

extension CoordinatorCore {
    /// Takes changes into every live context, whether it merges by itself or not: first those at the top. Contexts of the
    /// main queue take them in later when this is another thread, as nobody can tell whether the main queue waits for it.
    func mergeIntoAll(_ changes: SavedChanges) {
        func merge(into context: NSManagedObjectContext) {
            if context.concurrencyType == .mainQueueConcurrencyType, !context.queue.isCurrent {
                context.perform {
                    context.merge(changes)
                    for child in context.children.all { merge(into: child) }
                }
                return
            }
            context.performAndWait { context.merge(changes) }
            for child in context.children.all { merge(into: child) }
        }
        for context in contexts.all where context.parent == nil { merge(into: context) }
    }
}
