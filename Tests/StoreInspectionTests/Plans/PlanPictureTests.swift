import Testing

@testable import ObjectGraph
@testable import StoreInspection

@Suite("Plans as text diagrams")
struct PlanPictureTests {
    private let space = IDSpace.intern(storeIdentifier: "PICTURE", entityName: "Item")

    private func plan(_ keys: Int64...) -> DeletePlan {
        var plan = DeletePlan()
        plan.roots.insert(KeySet([1]), in: space)
        plan.deleted.insert(KeySet(keys), in: space)
        return plan
    }

    private func text(_ plan: DeletePlan, cost: DeleteCost? = nil) throws -> String {
        let model = try Model([EntityDescription("Item")])
        return PlanPicture(plan, cost: cost, model: model).lines.map(\.text).joined(separator: "\n")
    }

    private func name(_ entity: String, _ relationship: String) -> RelationshipName {
        RelationshipName(entity: entity, relationship: relationship)
    }

    @Test("Deleted rows are listed below their cause, each path once, also with cyclic rules")
    func branches() throws {
        var plan = plan(1, 2, 3)
        plan.reaches = [
            CascadePath(entity: "Folder", via: nil, count: 1),
            CascadePath(entity: "File", via: name("Folder", "files"), count: 1200),
            CascadePath(entity: "Folder", via: name("Folder", "folders"), count: 30),
            CascadePath(entity: "Line", via: name("File", "lines"), count: 5),
        ]
        #expect(
            try text(plan) == """
                Deleting 1 Folder takes 2 more rows along: 3 in all.

                Goes
                  Folder                    1  asked for
                  ├─ files ─▶ File      1,200  cascade
                  │  └─ lines ─▶ Line       5  cascade
                  └─ folders ─▶ Folder     30  cascade
                """)
    }

    @Test("Nullified links, refusals and the cost are listed")
    func rest() throws {
        var plan = plan(1)
        plan.reaches = [CascadePath(entity: "Item", via: nil, count: 1)]
        plan.cleared = [
            NullifiedLink(
                space: space, relationshipIndex: 0, slot: 0, name: name("Part", "item"), kind: .toOne,
                keys: KeySet([4, 5]))
        ]
        plan.removedJoinRows = [RemovedJoinRows(name: name("Item", "tags"), count: 1)]
        var cost = DeleteCost()
        cost.rowBytes = 2048
        cost.dangling = [
            DanglingLinks(name: name("Note", "about"), count: 2, examples: [ObjectID(space: space, key: 3)])
        ]
        cost.statements = ["x"]
        cost.unindexed = [name("Item", "parts")]
        #expect(
            try text(plan, cost: cost) == """
                Deleting 1 Item takes nothing else along.

                Goes
                  Item  1  asked for

                Stays, loses links
                  Part.item  2  becomes nil

                Links that go
                  Item.tags  1  link

                Left dangling
                  Note.about  2  links
                      Item/p3, …

                Cost
                  about 2 kB of values, 1 statement
                  ! no index for Item.parts: its table is read from end to end
                """)
        plan.refusals = [
            DeleteRefusal(
                reason: .denied, relationship: name("Item", "owner"), count: 7,
                examples: [ObjectID(space: space, key: 9)])
        ]
        let refused = try text(plan, cost: cost)
        #expect(refused.hasPrefix("Deleting 1 Item is not possible as things are."))
        #expect(
            refused.contains(
                "  ✗ Item.owner (deny) references 7 objects\n      Item/p9, …\n      → delete or unlink them first"))
        #expect(!refused.contains("Cost"))
        #expect(try text(DeletePlan()) == "Nothing matches; nothing would go.")
    }
}
