import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

/// Damage of every kind, many at once and in any order, so that repairs interact.
@Suite("Random damage")
struct RandomDamageTests {
    @Test(
        "after a repair nothing repairable is left, and rows outside of the plan are unchanged",
        arguments: Seeds.rounds(30))
    func repaired(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let zoo = try Village.store(households: 3)
        let layout = CheckLayout(zoo.store.map)
        for _ in 0...random.roll(30) { try damage(zoo, layout, &random) }
        let before = try zoo.dumpedTables()
        let found = try zoo.store.check()
        let plan = try zoo.store.repairPlan()
        #expect(found.isEmpty == (plan.isEmpty && plan.unrepairable.isEmpty), "seed \(seed): \(found)")
        let result = try zoo.store.repair(plan)
        let rest = try zoo.store.repairPlan()
        #expect(rest.steps.isEmpty, "seed \(seed): \(rest)\nafter\n\(plan)")
        let kinds = Set(rest.unrepairable.map(\.finding.kind))
        for finding in try zoo.store.check() {
            #expect(kinds.contains(finding.kind), "seed \(seed): \(finding)\nafter\n\(plan)")
        }
        let touched = try Touched(plan, zoo)
        for change in try zoo.changes(since: before) {
            #expect(touched.allows(change), "seed \(seed): \(change)\nafter\n\(plan)")
        }
        #expect(try zoo.history(result.transactionNumber).count == result.changedRows + result.deletedRows)
        #expect(try zoo.rows("PRAGMA integrity_check") == [[.text("ok")]])
    }

    @Test("the delete rules delete the same rows as a repair, and no survivor loses a link to them")
    func deletions() throws {
        var deletedCount = 0
        for seed in Seeds.rounds(30) {
            var random = SeededGenerator(seed: seed)
            let zoo = try Village.store(households: 3)
            let layout = CheckLayout(zoo.store.map)
            for _ in 0...random.roll(30) { try damage(zoo, layout, &random) }
            let repair = try zoo.store.repairPlan()
            let deleted = RowSet(repair.steps.flatMap(\.deletedRows))
            if deleted.isEmpty { continue }
            deletedCount += deleted.count
            let others = StoreRepairPlan(
                steps: repair.steps.filter(\.deletedRows.isEmpty), unrepairable: repair.unrepairable)
            let plan = try zoo.store.pool.withWriter { connection in
                try connection.inTransaction(.immediate) {
                    var repair = StoreRepair(runner: zoo.store.saveRunner, connection: connection)
                    _ = try repair.run(others)
                    return try zoo.store.saveRunner.deleteRunner.plan(DeleteRequest(.rows(deleted)), connection)
                }
            }
            #expect(
                plan.deleted == deleted && plan.cleared.isEmpty && plan.refusals.isEmpty,
                "seed \(seed): \(plan)\nof\n\(repair)")
        }
        #expect(deletedCount > 0)
    }

    private func damage(_ zoo: ZooStore, _ layout: CheckLayout, _ random: inout SeededGenerator) throws {
        // Often where rows of one table depend on each other, so that one repair affects another.
        let keys = random.roll(2) == 0 ? layout.keys : layout.keys.filter { $0.table == "ZVEHICLE" }
        let row = 1 + random.roll(keys.count == layout.keys.count ? 9 : 6)
        guard let table = random.pick(Array(Set(layout.keys.map(\.table))).sorted()), let key = random.pick(keys)
        else { return }
        let target = random.roll(8)
        switch random.roll(16) {
        case 0: try zoo.damage("DELETE FROM \(table) WHERE Z_PK = \(row)")
        case 1, 9, 10, 11: try zoo.damage("UPDATE \(key.table) SET \(key.column) = NULL WHERE Z_PK = \(row)")
        case 2, 3, 12, 13, 14, 15:
            try zoo.damage("UPDATE \(key.table) SET \(key.column) = \(target) WHERE Z_PK = \(row)")
        case 4:
            guard let number = key.numberColumn else { return }
            try zoo.damage("UPDATE \(key.table) SET \(number) = \(target) WHERE Z_PK = \(row)")
        case 5:
            guard let order = key.orderColumn else { return }
            let places = ["NULL", "2048", "-1", "\(Int64.max)"]
            try zoo.damage("UPDATE \(key.table) SET \(order) = \(places[random.roll(4)]) WHERE Z_PK <= \(row)")
        case 6:
            guard let join = random.pick(layout.joins) else { return }
            let columns = join.ends.map(\.column).joined(separator: ", ")
            try zoo.damage("INSERT OR IGNORE INTO \(join.table) (\(columns)) VALUES (\(row), \(target))")
        case 7: try zoo.damage("UPDATE Z_PRIMARYKEY SET Z_MAX = \(random.roll(5)) WHERE Z_ENT = \(1 + random.roll(20))")
        default:
            let number = random.roll(3) == 0 ? 77 : 1 + random.roll(20)
            try zoo.damage("UPDATE \(table) SET Z_ENT = \(number) WHERE Z_PK = \(row)")
        }
    }

    /// The rows that a plan may change.
    private struct Touched {
        private var rows: Set<String> = []
        private var reordered: Set<String> = []
        private var deletesRows = false

        init(_ plan: StoreRepairPlan, _ zoo: ZooStore) throws {
            func name(_ id: ObjectID) throws -> String {
                "\(zoo.store.map.entities[try zoo.entity(id.entityName).index].table) \(id.key)"
            }
            for step in plan.steps {
                switch step.action {
                case .clearKeys(let ids), .renameDestinations(let ids), .recompute(let ids):
                    rows.formUnion(try ids.map(name))
                case .completeLinks(let links), .addMembers(let links):
                    rows.formUnion(try links.map { try name($0.row) })
                case .deleteRows(let ids):
                    rows.formUnion(try ids.map(name))
                    deletesRows = true
                case .deleteJoinRows(let joins):
                    rows.formUnion(try joins.compactMap(\.survivor).map(name))
                    let table = try table(step, zoo)
                    rows.formUnion(joins.map { "\(table) \($0.rowID)" })
                case .placeMembers(let places):
                    let table = try table(step, zoo)
                    reordered.insert(table)
                    for place in places {
                        rows.insert("\(table) \(place.member)")
                        rows.insert(try name(place.owner))
                    }
                case .raiseCounter, .removeFiles: break
                }
            }
        }

        private func table(_ step: StoreRepairStep, _ zoo: ZooStore) throws -> String {
            let entity = try zoo.entity(step.entity ?? "")
            let relationship = try zoo.relationship(entity.name, step.property ?? "")
            switch zoo.store.map.entities[entity.index].toMany[relationship.index] {
            case .joinTable(let name, _, _, _)?: return name
            case .foreignKey(let table, _, _, _, _)?: return table
            case nil: return ""
            }
        }

        /// Join rows have no key by which a plan could name them.
        func allows(_ change: String) -> Bool {
            let parts = change.split(separator: " ").map(String.init)
            if rows.contains("\(parts[0]) \(parts[1].trimmingCharacters(in: [":"]))") { return true }
            guard parts[0].hasPrefix("Z_") else { return false }
            return change.hasSuffix("gone") ? deletesRows : reordered.contains(parts[0]) && parts[2].hasPrefix("Z_FOK")
        }
    }
}

extension StoreRepairStep {
    fileprivate var deletedRows: [ObjectID] {
        if case .deleteRows(let rows) = action { rows } else { [] }
    }
}
