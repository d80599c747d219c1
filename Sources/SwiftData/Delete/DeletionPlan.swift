import Foundation
import ObjectGraph

/// What a delete would take, before anything happens: the models that go and by which rule, the ones cut loose, and what
/// stands in the way. `execute()` does exactly that.
///
/// ```swift
/// let plan = try context.deletionPlan(for: AnimalCategory.self, where: #Predicate { $0.name == "Mammal" })
/// print(plan)
/// try plan.execute()
/// ```
///
/// A plan is made from what is stored; unsaved work of a context takes no part. It is a value and may be kept, shown and
/// sent to other isolations.
public struct DeletionPlan: Sendable {
    let plan: DeletePlan
    let request: DeleteRequest
    let core: ContainerCore

    /// Models of one class that go.
    public struct Deleted: Sendable, Hashable {
        public let entityName: String
        public let count: Int
        /// At most five of them.
        public let examples: [PersistentIdentifier]
    }

    /// One way the rules led to models that go.
    public struct Path: Sendable, Hashable {
        public let entityName: String
        /// The cascading relationship, as `Entity.relationship`; `nil` for the models asked for.
        public let relationship: String?
        public let count: Int
    }

    /// Models that stay and lose a link.
    public struct CutLoose: Sendable, Hashable {
        /// The relationship that becomes nil or loses members, as `Entity.relationship`.
        public let relationship: String
        public let isToOne: Bool
        public let count: Int
        /// At most five of them.
        public let examples: [PersistentIdentifier]
    }

    /// Why the delete cannot be done.
    public struct Obstacle: Sendable, Hashable, CustomStringConvertible {
        public enum Reason: Sendable, Hashable {
            /// A `.deny` rule, and models that stay.
            case denied
            /// A relationship that must have a value would be left empty.
            case mandatoryRelationshipLeftEmpty
            /// A relationship would have fewer models than it asks for.
            case tooFewModels
        }

        public let reason: Reason
        /// The relationship of the models that were to go, as `Entity.relationship`.
        public let relationship: String
        public let count: Int
        /// At most five of the models in the way.
        public let examples: [PersistentIdentifier]
        public let description: String
    }

    /// The number of models that go, of all classes.
    public var count: Int { plan.deleted.count }
    public var isEmpty: Bool { plan.isEmpty }
    /// Whether nothing stands in the way.
    public var isPossible: Bool { !plan.isRefused }

    /// By class, in the order in which the rules reached them.
    public var deleted: [Deleted] {
        plan.groups.map {
            Deleted(entityName: $0.entity, count: $0.count, examples: $0.examples.map(PersistentIdentifier.init))
        }
    }

    public var paths: [Path] {
        plan.reaches.map { Path(entityName: $0.entity, relationship: $0.via?.description, count: $0.count) }
    }

    public var cutLoose: [CutLoose] {
        plan.cleared.map {
            CutLoose(
                relationship: $0.name.description, isToOne: $0.kind == .toOne, count: $0.keys.count,
                examples: $0.examples.map(PersistentIdentifier.init))
        }
    }

    public var obstacles: [Obstacle] { plan.refusals.map(Obstacle.init) }

    /// Identifiers of every model that goes, made as they are asked for.
    public var identifiers: some Sequence<PersistentIdentifier> {
        plan.deleted.ids.lazy.map(PersistentIdentifier.init)
    }

    // MARK: Cost

    /// What the delete costs and frees.
    public struct Cost: Sendable, Hashable {
        /// Bytes of the models' values in the store's file, estimated from a sample.
        public let valueBytes: Int64
        /// Files beside the store that hold large values and go too.
        public let externalFileCount: Int
        public let externalFileBytes: Int64
        /// Relationships, as `Entity.relationship`, whose models can only be found by reading a whole table, as the file
        /// lacks an index.
        public let relationshipsWithoutIndex: [String]
        /// The statements that would be run, in their order.
        public let sql: [String]
    }

    /// - Throws: What reading the store throws.
    public func cost() throws -> Cost {
        let cost = try core.store.cost(of: plan)
        return Cost(
            valueBytes: cost.rowBytes, externalFileCount: cost.fileCount, externalFileBytes: cost.fileBytes,
            relationshipsWithoutIndex: cost.unindexed.map(\.description), sql: cost.statements)
    }

    // MARK: Doing it

    /// Does exactly what the plan says, in one transaction, and tells every live context of the container: their models
    /// that went say so, arrays lose them, to-one relationships become nil. Unsaved work of contexts stays unsaved.
    /// - Throws: `DeletionError.storeMoved` when the store has changed so that the same delete would do something else;
    ///   `CocoaError` 1600, 1570 or 1580 (1560 for several) when something stands in the way;
    ///   `CocoaError.fileWriteNoPermission` for a read-only store. Nothing is deleted then.
    /// - Complexity: The plan is made again inside the transaction; then a few statements for each class.
    public func execute() throws {
        _ = try execute(.none)
    }

    /// The same in a way that can be taken back, until it is given up.
    /// - Returns: What it can be taken back by; `nil` for a plan that deletes nothing.
    /// - Throws: As `execute()`.
    public func executeRecoverably() throws -> DeletionToken? {
        try execute(.kept()).map(DeletionToken.init)
    }

    private func execute(_ recovery: Recovery) throws -> RecoveryToken? {
        guard !core.store.isReadOnly else { throw CocoaError(.fileWriteNoPermission) }
        var request = request
        request.recovery = recovery
        request.observer = DeletionAnnouncer(core)
        do {
            let result = try core.store.execute(plan, of: request)
            core.tell(result)
            return result.token
        } catch {
            throw ErrorMapping.saving(error)
        }
    }
}

extension DeletionPlan.Obstacle {
    init(_ refusal: DeleteRefusal) {
        switch refusal.reason {
        case .denied: reason = .denied
        case .mandatory: reason = .mandatoryRelationshipLeftEmpty
        case .tooFew: reason = .tooFewModels
        }
        relationship = refusal.relationship.description
        count = refusal.count
        examples = refusal.examples.map(PersistentIdentifier.init)
        description = refusal.description
    }
}

extension DeletionPlan: CustomStringConvertible {
    /// One line for each thing that would happen.
    public var description: String { plan.summary(of: "model") }
}
