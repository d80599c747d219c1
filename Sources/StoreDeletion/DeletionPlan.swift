import ObjectGraph

/// What a deletion would do, worked out before anything is written: the rows that go and the relationships that take them
/// along, the links that other rows lose, and what the delete rules forbid. `execute()` does exactly that.
///
/// ```swift
/// let plan = try context.deletionPlan(for: AnimalCategory.self, where: #Predicate { $0.name == "Mammal" })
/// print(plan)
/// try plan.execute()
/// ```
///
/// A context of SwiftData makes one for a predicate, a descriptor or identifiers, a context of Core Data for an
/// `NSBatchDeleteRequest`. A plan is made from what is stored; unsaved work of contexts has no part in it. It is a value and
/// may be kept, shown and sent to other isolations.
///
/// Making a plan takes one or two statements for each relationship of each entity reached, and each level of a cascade,
/// whatever the number of rows.
public struct DeletionPlan: Sendable {
    package let plan: DeletePlan
    let deletion: any PlannedDeletion

    /// - Parameters:
    ///   - plan: of all stores.
    ///   - deletion: what carries it out.
    package init(_ plan: DeletePlan, _ deletion: any PlannedDeletion) {
        self.plan = plan
        self.deletion = deletion
    }

    /// The number of rows that go, of all entities.
    public var count: Int { plan.deleted.count }
    /// The number of rows that were asked for. The others are those that cascades lead to.
    public var requestedCount: Int { plan.roots.count }
    /// Whether nothing would be deleted.
    public var isEmpty: Bool { plan.isEmpty }
    /// Whether no delete rule forbids it.
    public var isPossible: Bool { !plan.isRefused }

    /// The rows that go, by entity, in the order in which the rules reached them.
    public var deleted: [Deleted] {
        plan.groups.map {
            Deleted(entityName: $0.entity, count: $0.count, examples: $0.examples.map(RowIdentifier.init(storedRow:)))
        }
    }

    /// The rows that go, by the relationship that led to them, in the order in which the rules were followed.
    public var paths: [Path] {
        plan.reaches.map { Path(entityName: $0.entity, relationship: $0.via?.description, count: $0.count) }
    }

    /// The links that rows lose which stay.
    public var clearedLinks: [ClearedLinks] {
        plan.cleared.map {
            ClearedLinks(
                relationship: $0.name.description, isToOne: $0.kind == .toOne, count: $0.keys.count,
                examples: $0.examples.map(RowIdentifier.init(storedRow:)))
        }
    }

    /// Why it cannot be done; empty when it can.
    public var obstacles: [Obstacle] { plan.refusals.map(Obstacle.init) }

    /// Every row that goes.
    /// - Complexity: Identifiers are made as they are asked for; the plan keeps sets of keys.
    public var rows: some Sequence<RowIdentifier> { plan.deleted.rowIdentifiers }
}

extension DeletionPlan: CustomStringConvertible {
    /// One line for each thing that would happen.
    public var description: String { plan.summary(of: "row") }
}
