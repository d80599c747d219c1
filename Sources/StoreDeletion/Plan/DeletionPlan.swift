import ObjectGraph

/// The effect of a deletion, computed before anything is written: the deleted rows, the relationships that cascade to them, the
/// links that surviving rows lose, and the delete rules that forbid it.
///
/// ``execute()`` does exactly what the plan states.
///
/// ```swift
/// let plan = try context.deletionPlan(for: AnimalCategory.self, where: #Predicate { $0.name == "Mammal" })
/// print(plan)
/// try plan.execute()
/// ```
///
/// A context of SwiftData makes a plan for a predicate, a descriptor or identifiers; a context of Core Data makes one for an
/// `NSBatchDeleteRequest`. A plan is made from stored rows; unsaved changes of contexts are not considered. It is a value that can
/// be kept, shown and sent to other isolations.
///
/// Making a plan takes one or two statements for each relationship of each entity reached, and each level of a cascade,
/// whatever the number of rows.
public struct DeletionPlan: Sendable {
    package let plan: DeletePlan
    let deletion: any PlannedDeletion

    /// - Parameters:
    ///   - plan: the joined plan of all stores.
    ///   - deletion: carries the plan out.
    package init(_ plan: DeletePlan, _ deletion: any PlannedDeletion) {
        self.plan = plan
        self.deletion = deletion
    }

    /// The number of rows to be deleted, of all entities.
    public var count: Int { plan.deleted.count }
    /// The number of requested rows. The others are reached by cascades.
    public var requestedCount: Int { plan.roots.count }
    /// A Boolean value that states whether the plan deletes nothing.
    public var isEmpty: Bool { plan.isEmpty }
    /// A Boolean value that states whether no delete rule forbids the deletion.
    public var isPossible: Bool { !plan.isRefused }

    /// The rows to be deleted, by entity, in the order in which the delete rules reached them.
    public var deleted: [Deleted] {
        plan.groups.map {
            Deleted(entityName: $0.entity, count: $0.count, examples: $0.examples.map(RowIdentifier.init(storedRow:)))
        }
    }

    /// The rows to be deleted, by the relationship that reached them, in the order in which the delete rules were followed.
    public var paths: [Path] {
        plan.reaches.map { Path(entityName: $0.entity, relationship: $0.via?.description, count: $0.count) }
    }

    /// The links that surviving rows lose.
    public var clearedLinks: [ClearedLinks] {
        plan.cleared.map {
            ClearedLinks(
                relationship: $0.name.description, isToOne: $0.kind == .toOne, count: $0.keys.count,
                examples: $0.examples.map(RowIdentifier.init(storedRow:)))
        }
    }

    /// The delete rules, counts and mandatory relationships that forbid the deletion; empty if it is possible.
    public var obstacles: [Obstacle] { plan.refusals.map(Obstacle.init) }

    /// The identifiers of all rows to be deleted.
    /// - Complexity: O(1); the plan keeps sets of keys, and the sequence makes each identifier while it is iterated.
    public var rows: some Sequence<RowIdentifier> { plan.deleted.rowIdentifiers }
}

extension DeletionPlan: CustomStringConvertible {
    /// A text with one line for each entity, relationship and obstacle of the plan.
    public var description: String { plan.summary(of: "row") }
}
