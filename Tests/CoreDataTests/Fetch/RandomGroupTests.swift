import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Dictionaries of groups: those computed by a store equal those computed in memory.
@Suite struct RandomGroupTests {
    @Test("Groups and distinct rows are equal, computed by the store and in memory", arguments: 0..<16)
    func agree(_ seed: Int) throws {
        var world = try World(seed)
        var byStore = 0
        for number in 0..<120 {
            let request = world.request()
            let fetch = try DictionaryFetch(
                request, RequestPlan(request, world.stack.context.core), world.stack.context)
            let expected = try fetch.rowsInMemory().map(World.text)
            guard let found = try fetch.rowsGroupedByStore()?.map(World.text) else { continue }
            byStore += 1
            if found != expected {
                Issue.record("seed \(seed), request \(number), \(request)\n\(found)\nin memory\n\(expected)")
                return
            }
        }
        #expect(byStore > 80, "seed \(seed): the store made \(byStore) groups")
    }

    struct World {
        private var random: SeededGenerator
        let stack: TestStack

        init(_ seed: Int) throws {
            random = SeededGenerator(seed: UInt64(seed))
            stack = try TestStack(model: Self.model())
            let shops = ["Shop", "Shop", "Kiosk"].enumerated().map { number, entity in
                stack.insert(entity, ["title": ["a", "B", "b"][number]])
            }
            for _ in 0..<40 {
                let sale = stack.insert(random.chance(20) ? "Refund" : "Sale")
                for name in sale.entity.attributesByName.keys.sorted() where random.chance(80) {
                    sale.setValue(value(name), forKey: name)
                }
                if random.chance(80) { sale.setValue(random.pick(shops), forKey: "shop") }
                if random.chance(30) { sale.setValue(NSSet(array: [random.pick(shops) as Any]), forKey: "seenBy") }
            }
            try stack.context.save()
        }

        static func model() -> NSManagedObjectModel {
            let (sale, refund) = (ModelZoo.entity("Sale"), ModelZoo.entity("Refund"))
            let (shop, kiosk) = (ModelZoo.entity("Shop"), ModelZoo.entity("Kiosk"))
            sale.properties = [
                ModelZoo.attribute("kind", .integer16), ModelZoo.attribute("big", .integer64),
                ModelZoo.attribute("price", .decimal), ModelZoo.attribute("ratio", .double),
                ModelZoo.attribute("share", .float), ModelZoo.attribute("flag", .boolean),
                ModelZoo.attribute("moment", .date), ModelZoo.attribute("name", .string),
                ModelZoo.attribute("token", .uuid), ModelZoo.attribute("blob", .binaryData),
            ]
            shop.properties = [ModelZoo.attribute("title", .string)]
            ModelZoo.relate(sale, "shop", maximum: 1, shop, inverse: "sales", maximum: 0)
            ModelZoo.relate(sale, "seenBy", maximum: 0, shop, inverse: "seen", maximum: 0)
            sale.subentities = [refund]
            shop.subentities = [kiosk]
            return ModelZoo.model([sale, refund, shop, kiosk])
        }

        private mutating func value(_ name: String) -> Any? {
            switch name {
            case "kind": random.pick([0, 1, 1, 2, -3])
            case "big": random.chance(3) ? Int64.max : random.pick([0, 1, 1 << 53, (1 << 53) + 1, -5])
            case "price": Decimal(string: random.pick(["0.1", "0.2", "2.5", "1000000.07", "-3", "7"]) ?? "0")
            case "ratio": random.pick([0.1, 0.2, 0.3, 1e16, -1e16, 1, 2.5])
            case "share": random.pick([Float(0.1), 2, 3.5])
            case "flag": random.chance(50)
            case "moment": Date(timeIntervalSinceReferenceDate: random.pick([0, 5.25, 700_000_000, -1]) ?? 0)
            case "name": random.pick(["", "a", "A", "b", "é", "e\u{301}", "x10", "x2"])
            case "token":
                UUID(uuidString: "\(random.pick(["0", "A", "F"]) ?? "0")0000000-0000-4000-8000-00000000000F")
            default: random.pick([Data(), Data([0]), Data([255, 1])])
            }
        }

        // MARK: Requests

        private static let columns = [
            "kind", "big", "price", "ratio", "share", "flag", "moment", "name", "token", "blob", "shop", "shop.title",
        ]

        mutating func request() -> NSFetchRequest<NSDictionary> {
            let request = NSFetchRequest<NSDictionary>(entityName: random.chance(85) ? "Sale" : "Refund")
            request.resultType = .dictionaryResultType
            let keys = (0..<random.roll(3)).compactMap { _ in random.pick(Self.columns) }
            if random.chance(70) {
                request.propertiesToGroupBy = keys
                let results = (0..<random.roll(4) + 1).map { result($0) }
                request.propertiesToFetch = (keys.filter { _ in random.chance(80) } as [Any]) + results
                if !keys.isEmpty, random.chance(30) { request.havingPredicate = NSPredicate(format: "$r0 > 1") }
            } else {
                request.propertiesToFetch = keys + [random.pick(Self.columns) ?? "kind"]
                request.returnsDistinctResults = true
            }
            for _ in 0..<random.roll(3) {
                guard let key = random.pick(random.chance(50) && !keys.isEmpty ? keys : Self.columns), key != "shop",
                    key != "blob"
                else { continue }
                let selector: Selector = random.chance(50) ? "compare:" : "localizedStandardCompare:"
                request.sortDescriptors =
                    (request.sortDescriptors ?? []) + [
                        NSSortDescriptor(key: key, ascending: random.chance(50), selector: selector)
                    ]
            }
            if random.chance(30) { request.predicate = NSPredicate(format: "kind > %d", random.roll(4) - 2) }
            if random.chance(30) { request.includesSubentities = false }
            if random.chance(30) { request.returnsDistinctResults = true }
            if random.chance(30) { (request.fetchLimit, request.fetchOffset) = (random.roll(5), random.roll(3)) }
            return request
        }

        private mutating func result(_ number: Int) -> NSExpressionDescription {
            let result = NSExpressionDescription()
            result.name = "r\(number)"
            let functions = ["sum:", "count:", "min:", "max:", "average:", "median:", "stddev:"]
            var function = random.pick(functions) ?? "sum:"
            let numbers = [
                "kind", "big", "price", "ratio", "share", "flag", "kind * 2", "ratio + big", "seenBy.@count",
            ]
            var operand = random.pick(numbers) ?? "kind"
            if random.chance(25) {
                function = random.pick(["count:", "min:", "max:"]) ?? "count:"
                operand = random.pick(["name", "moment", "token", "blob", "shop.title", "uppercase(name)"]) ?? "name"
            }
            if function == "count:", random.chance(30) { operand = random.pick(["SELF", "shop"]) ?? "SELF" }
            result.expression = NSExpression(forFunction: function, arguments: [NSExpression(format: operand)])
            return result
        }

        /// With the types, which are part of the result.
        static func text(_ row: NSDictionary) -> String {
            row.map { "\($0.key)=\(type(of: $0.value)) \($0.value)" }.sorted().joined(separator: ", ")
        }
    }
}
