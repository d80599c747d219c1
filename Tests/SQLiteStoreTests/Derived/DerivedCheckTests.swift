import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Store checker and repair: derived attributes")
struct DerivedCheckTests {
    private func model() throws -> Model {
        var descriptions = Zoo.descriptions
        for (entity, name, type, text) in [
            ("Category", "animalCount", AttributeType.integer64, "animals.@count"),
            ("Category", "ages", .integer64, "animals.@sum.age"),
            ("Category", "weights", .double, "animals.@sum.weight"),
            ("Animal", "categoryName", .string, "category.name"), ("Animal", "search", .string, "canonical:(name)"),
            ("Keeper", "bossName", .string, "boss.name"), ("Photo", "seen", .date, "now()"),
        ] {
            var attribute = Attribute(name, type, optional: true)
            attribute.derivation = text
            guard let place = descriptions.firstIndex(where: { $0.name == entity }) else { continue }
            descriptions[place].attributes.append(attribute)
        }
        return try Model(descriptions)
    }

    private func summary(_ findings: [StoreFinding]) -> [String] {
        findings.map { "\($0.severity) \($0.kind) \($0.place) \($0.count) \($0.examples.map(\.key))" }
    }

    @Test("outdated values are found, and recomputed without a new row version")
    func stale() throws {
        let zoo = try ZooStore(.file, model: try model())
        let category = try zoo.insert("Category", ["name": .text("Birds"), "rank": .integer(1)])
        for age in [3, 4] {
            try zoo.insert(
                "Animal",
                ["name": .text("a\(age)"), "age": .integer(Int64(age)), "category": .reference(category.id)])
        }
        let boss = try zoo.insert("Person", ["name": .text("Ida")])
        let keeper = try zoo.insert("Keeper", ["name": .text("Ali"), "boss": .reference(boss.id)])
        #expect(try zoo.store.check() == [])
        let url = try #require(zoo.url)
        let connection = try Connection(.file(url), access: .readWrite)
        for (table, column, value) in [
            ("ZCATEGORY", "ZANIMALCOUNT", "7"), ("ZCATEGORY", "ZAGES", "NULL"), ("ZCATEGORY", "ZWEIGHTS", "1e3"),
            ("ZANIMAL", "ZCATEGORYNAME", "'Fish'"), ("ZANIMAL", "ZSEARCH", "'x'"), ("ZPERSON", "ZBOSSNAME", "'x'"),
        ] {
            try connection.execute("UPDATE \(table) SET \(column) = \(value)")
        }
        // A person has no such name; the value in its row belongs to no property.
        #expect(
            Set(summary(try zoo.store.check())) == [
                "warning staleValue Category.animalCount 1 [1]", "warning staleValue Category.ages 1 [1]",
                "warning staleValue Animal.categoryName 2 [1, 2]", "warning staleValue Keeper.bossName 1 [2]",
            ])
        let plan = try zoo.store.repairPlan()
        #expect(plan.steps.count == 4 && plan.unrepairable.isEmpty)
        let result = try zoo.store.repair(plan)
        #expect(result.changedRows == 0 && result.transactionNumber == nil)
        #expect(try zoo.store.check() == [])
        #expect(try zoo.value(try zoo.snapshot(keeper.id), "bossName") == .text("Ida"))
        #expect(try zoo.snapshot(category.id).version == category.version)
    }
}
