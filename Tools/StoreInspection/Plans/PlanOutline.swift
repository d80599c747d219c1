import ObjectGraph
import SQLiteStore

/// A delete plan as JSON values.
package enum PlanOutline {
    /// - Parameter triggers: other programs' triggers that the delete fires.
    package static func value(
        _ plan: DeletePlan, cost: DeleteCost?, triggers: [ForeignTrigger] = []
    ) -> InspectedValue {
        var fields = [
            InspectedField("possible", .boolean(!plan.isRefused)), InspectedField("asked", .count(plan.roots.count)),
            InspectedField("deleted", .count(plan.deleted.count)),
            InspectedField("paths", .list(plan.reaches.map(path))),
            InspectedField("clearedLinks", .list(plan.cleared.map(link))),
            InspectedField("links", .list(plan.removedJoinRows.map { counted($0.name, $0.count) })),
            InspectedField("dangling", .list(cost?.dangling.map(dangling) ?? [])),
            InspectedField("obstacles", .list(plan.refusals.map(obstacle))),
        ]
        if !triggers.isEmpty {
            fields.append(InspectedField("foreignTriggers", .texts(triggers.map { "\($0.name) on \($0.table)" })))
        }
        if let cost { fields.append(InspectedField("cost", value(cost))) }
        return .fields(fields)
    }

    private static func path(_ reach: CascadePath) -> InspectedValue {
        .fields([
            InspectedField("entity", .text(reach.entity)), InspectedField("through", .optional(reach.via?.description)),
            InspectedField("count", .count(reach.count)),
        ])
    }

    private static func counted(_ name: RelationshipName, _ count: Int) -> InspectedValue {
        .fields([InspectedField("relationship", .text(name.description)), InspectedField("count", .count(count))])
    }

    private static func dangling(_ links: DanglingLinks) -> InspectedValue {
        .fields([
            InspectedField("relationship", .text(links.name.description)), InspectedField("count", .count(links.count)),
            InspectedField("examples", .texts(links.examples.map(\.address))),
        ])
    }

    private static func link(_ link: NullifiedLink) -> InspectedValue {
        .fields([
            InspectedField("relationship", .text(link.name.description)),
            InspectedField("effect", .text(link.kind == .toOne ? "becomes nil" : "loses members")),
            InspectedField("count", .count(link.keys.count)),
            InspectedField(
                "examples", .texts(link.keys.prefix(5).keys.map { ObjectID(space: link.space, key: $0).address })),
        ])
    }

    private static func obstacle(_ refusal: DeleteRefusal) -> InspectedValue {
        let reason =
            switch refusal.reason {
            case .denied: "denied"
            case .mandatory: "mandatory"
            case .tooFew: "tooFew"
            }
        return .fields([
            InspectedField("reason", .text(reason)),
            InspectedField("relationship", .text(refusal.relationship.description)),
            InspectedField("count", .count(refusal.count)),
            InspectedField("examples", .texts(refusal.examples.map(\.address))),
            InspectedField("text", .text(refusal.description)),
        ])
    }

    private static func value(_ cost: DeleteCost) -> InspectedValue {
        .fields([
            InspectedField("valueBytes", .integer(cost.rowBytes)), InspectedField("files", .count(cost.fileCount)),
            InspectedField("fileBytes", .integer(cost.fileBytes)),
            InspectedField("withoutIndex", .texts(cost.unindexed.map(\.description))),
            InspectedField("statements", .texts(cost.statements)),
        ])
    }
}
