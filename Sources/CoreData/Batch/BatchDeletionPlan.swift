import Foundation
import ObjectGraph

/// What a batch delete would take, before anything happens: the rows that go and by which rule, those cut loose, and what
/// stands in the way. `execute()` does exactly that.
///
/// ```swift
/// let plan = try context.deletionPlan(for: request)
/// print(plan)
/// try plan.execute()
/// ```
public struct BatchDeletionPlan: @unchecked Sendable {
    // The request is a copy that nobody else has, and is only read; everything else is Sendable.
    private let run: BatchDelete
    private let shares: [BatchDelete.Share]
    private let plans: [DeletePlan]
    private let joined: DeletePlan

    init(_ request: NSBatchDeleteRequest, _ context: NSManagedObjectContext) throws {
        run = BatchDelete(request.copy() as? NSBatchDeleteRequest ?? request, context)
        var shares = try run.shares()
        // A limit is for the doing: a plan shows how many rows there are.
        for place in shares.indices { shares[place].request.mostRows = nil }
        let run = run
        plans = try run.plan(shares)
        self.shares = shares
        joined = plans.reduce(into: DeletePlan()) { $0.append($1) }
    }

    /// Rows of one entity that go by one way.
    public struct Path: Sendable, Hashable {
        public let entityName: String
        /// The cascading relationship, as `Entity.relationship`; `nil` for the rows asked for.
        public let relationship: String?
        public let count: Int
    }

    /// Rows that stay and lose a link.
    public struct CutLoose: Sendable, Hashable {
        /// As `Entity.relationship`.
        public let relationship: String
        public let isToOne: Bool
        public let count: Int
        /// At most five of them.
        public let examples: [NSManagedObjectID]
    }

    /// Rows of one entity that go.
    public struct Deleted: Sendable, Hashable {
        public let entityName: String
        public let count: Int
        /// At most five of them.
        public let examples: [NSManagedObjectID]
    }

    /// What the delete costs and frees.
    public struct Cost: Sendable, Hashable {
        /// Bytes of the rows' values in the stores' files, estimated from a sample.
        public let valueBytes: Int64
        /// Files beside the stores that hold large values and go too.
        public let externalFileCount: Int
        public let externalFileBytes: Int64
        /// Relationships, as `Entity.relationship`, whose rows can only be found by reading a whole table, as the file lacks
        /// an index.
        public let relationshipsWithoutIndex: [String]
        /// The statements that would be run, in their order.
        public let sql: [String]
    }

    /// All rows that go.
    public var count: Int { joined.deleted.count }
    public var isEmpty: Bool { joined.isEmpty }
    /// Whether nothing stands in the way.
    public var isPossible: Bool { !joined.isRefused }

    /// By entity, in the order in which the rules reached them.
    public var deleted: [Deleted] {
        joined.groups.map { Deleted(entityName: $0.entity, count: $0.count, examples: identifiers($0.examples)) }
    }

    private func identifiers(_ ids: some Sequence<ObjectID>) -> [NSManagedObjectID] {
        ids.map { NSManagedObjectID($0, run.core) }
    }

    public var paths: [Path] {
        joined.reaches.map { Path(entityName: $0.entity, relationship: $0.via?.description, count: $0.count) }
    }

    public var cutLoose: [CutLoose] {
        joined.cleared.map {
            CutLoose(
                relationship: $0.name.description, isToOne: $0.kind == .toOne, count: $0.keys.count,
                examples: identifiers($0.examples))
        }
    }

    /// What stands in the way, one line each.
    public var obstacles: [String] { joined.refusals.map(\.description) }

    /// Identifiers of every row that goes.
    public var objectIDs: [NSManagedObjectID] { identifiers(joined.deleted.ids) }

    /// - Throws: `CocoaError` for what reading the stores throws.
    public func cost() throws -> Cost {
        var cost = DeleteCost()
        do {
            for (share, plan) in zip(shares, plans) { cost.append(try share.member.store.cost(of: plan)) }
        } catch {
            throw ErrorMapping.reading(error)
        }
        return Cost(
            valueBytes: cost.rowBytes, externalFileCount: cost.fileCount, externalFileBytes: cost.fileBytes,
            relationshipsWithoutIndex: cost.unindexed.map(\.description), sql: cost.statements)
    }

    /// Does what the plan says, each store in one transaction, with the options of the request.
    /// - Throws: `CocoaError` 134070 when a store has changed so that the same delete would do something else; else as
    ///   executing the request.
    @discardableResult
    public func execute() throws -> NSBatchDeleteResult {
        try run.refuse(plans)
        var waiting = plans[...]
        let outcome = try run.execute(shares, RowMeter(run.request.progress)) { share in
            let plan = waiting.popFirst() ?? DeletePlan()
            return try share.member.store.execute(plan, of: share.request)
        }
        return NSBatchDeleteResult(outcome, run.request.resultType, run.core)
    }

    /// Starts what the plan says in chunks, as `startDeletion(_:options:)` of a context; nothing is deleted yet.
    /// - Throws: `CocoaError` 134070 when the store has changed so that the same delete would do something else; else as
    ///   starting the request.
    public func start(options: BatchDeletionOptions = BatchDeletionOptions()) throws -> LongBatchDeletion {
        try run.start(options, shares, plans)
    }
}

extension BatchDeletionPlan: CustomStringConvertible {
    /// One line for each thing that would happen.
    public var description: String { joined.summary(of: "row") }
}

extension NSManagedObjectContext {
    /// What executing the request would take now, made from what is stored.
    /// - Throws: As `execute(_:)`, except that obstacles are part of the plan.
    public func deletionPlan(for request: NSBatchDeleteRequest) throws -> BatchDeletionPlan {
        try BatchDeletionPlan(request, self)
    }
}
