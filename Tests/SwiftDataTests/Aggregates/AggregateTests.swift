import Foundation
import ObjectGraph
import SQLiteStore
import TestSupport
import Testing

@testable import SwiftData

enum Material: String, Codable, CaseIterable {
    case wood, glass, metal
}

@Model
final class Rack {
    var name: String
    var floor: Int
    @Relationship(deleteRule: .cascade, inverse: \Ware.rack) var wares: [Ware] = []

    init(_ name: String, floor: Int) {
        self.name = name
        self.floor = floor
    }
}

@Model
final class Ware {
    var name: String
    var count: Int
    var weight: Double?
    var price: Decimal
    var material: Material
    var bought: Date?
    var serial: UInt64 = 0
    var labels: [String] = []
    var rack: Rack?

    init(_ name: String, count: Int, weight: Double?, price: Decimal, _ material: Material, on rack: Rack?) {
        self.name = name
        self.count = count
        self.weight = weight
        self.price = price
        self.material = material
        self.rack = rack
    }
}

@Suite("Aggregates of models")
struct AggregateTests {
    let container: ModelContainer
    let log: StatementLog

    init() throws {
        (container, log) = try loggedContainer(Rack.self, Ware.self)
        let context = ModelContext(container)
        let (low, high) = (Rack("low", floor: 0), Rack("high", floor: 1))
        let wares = [
            Ware("bowl", count: 3, weight: 1.5, price: 10, .wood, on: low),
            Ware("cup", count: 5, weight: 0.5, price: Decimal(string: "2.50")!, .glass, on: low),
            Ware("pan", count: 2, weight: nil, price: 30, .metal, on: high),
            Ware("pot", count: 4, weight: 4, price: 40, .metal, on: high),
            Ware("jar", count: 1, weight: 1, price: 1, .glass, on: nil),
        ]
        wares[0].bought = Date(timeIntervalSinceReferenceDate: 100)
        for index in [0, 1, 3] { wares[index].labels = ["round"] }
        wares[3].bought = Date(timeIntervalSinceReferenceDate: 50)
        for ware in wares { context.insert(ware) }
        try context.save()
        log.clear()
    }

    @Test("values of all models are one statement")
    func totals() throws {
        let context = ModelContext(container)
        let (number, pieces, weight, price) = try context.aggregate(
            of: Ware.self, .count, .sum(\.count), .sum(\.weight), .sum(\.price))
        #expect(number == 5)
        #expect(pieces == 15)
        #expect(weight == 7)
        #expect(price == Decimal(string: "83.5"))
        #expect(log.statements.count == 1)
    }

    @Test("minimum, maximum and average ignore nil, and are nil without values")
    func extremes() throws {
        let context = ModelContext(container)
        let (least, most, average) = try context.aggregate(
            of: Ware.self, .minimum(\.weight), .maximum(\.bought), .average(\.weight))
        #expect(least == 0.5)
        #expect(most == Date(timeIntervalSinceReferenceDate: 100))
        #expect(average == 1.75)
        let none = try context.aggregate(
            of: Ware.self, .minimum(\.name), .average(\.price), .sum(\.count), where: #Predicate { $0.count > 100 })
        #expect(none.0 == nil)
        #expect(none.1 == nil)
        #expect(none.2 == 0)
        #expect(try context.aggregate(of: Ware.self, .count(\.weight)) == 4)
        #expect(try context.aggregate(of: Ware.self, .countDistinct(\.material)) == 3)
        #expect(try context.aggregate(of: Ware.self, .countDistinct(\.rack)) == 2)
    }

    @Test("groups by an attribute of a related model are in the order of their keys, nil first, in one statement")
    func byRelatedAttribute() throws {
        let context = ModelContext(container)
        let groups = try context.fetchGroups(
            AggregateDescriptor(of: Ware.self, .count, .sum(\.count), by: \.rack?.name))
        #expect(groups.map(\.key) == [nil, "high", "low"])
        #expect(groups.map(\.value.0) == [1, 2, 2])
        #expect(groups.map(\.value.1) == [1, 6, 8])
        #expect(log.statements.count == 1)
        #expect(log.statements.first?.contains("GROUP BY") == true)
    }

    @Test("groups by the identifier of a related model are one statement")
    func byIdentifier() throws {
        let context = ModelContext(container)
        let groups = try context.fetchGroups(
            AggregateDescriptor(of: Ware.self, .count, by: \.rack?.persistentModelID))
        #expect(log.statements.count == 1)
        #expect(groups.map(\.value) == [1, 2, 2])
        let racks = try context.fetch(FetchDescriptor<Rack>(sortBy: [SortDescriptor(\.name, order: .reverse)]))
        #expect(groups.map(\.key) == [nil] + racks.map(\.persistentModelID))
    }

    @Test("keys are enums, models and several values")
    func keys() throws {
        let context = ModelContext(container)
        let byMaterial = try context.fetchGroups(AggregateDescriptor(of: Ware.self, .count, by: \.material))
        #expect(byMaterial.map(\.key) == [.glass, .metal, .wood])
        #expect(byMaterial.map(\.value) == [2, 2, 1])

        let byRack = try context.fetchGroups(AggregateDescriptor(of: Ware.self, .maximum(\.price), by: \.rack))
        #expect(byRack.map(\.key?.name) == [nil, "low", "high"])
        #expect(byRack.map(\.value) == [1, 10, 40])
        #expect(byRack.last?.key?.modelContext === context)

        let byBoth = try context.fetchGroups(
            AggregateDescriptor(of: Ware.self, .count, by: \.rack?.floor, \.material))
        #expect(byBoth.map(\.key.0) == [nil, 0, 0, 1])
        #expect(byBoth.map(\.key.1) == [.glass, .glass, .wood, .metal])
        #expect(byBoth.map(\.value) == [1, 1, 1, 2])
    }

    @Test("predicates choose models before, and groups after the aggregates")
    func conditions() throws {
        let context = ModelContext(container)
        let groups = try context.fetchGroups(
            AggregateDescriptor(
                of: Ware.self, .count, by: \.material, where: #Predicate { $0.count > 1 },
                having: .count >= 2 || .average(\.weight) < 1))
        #expect(groups.map(\.key) == [.glass, .metal])
        let heavy = try context.fetchGroups(
            AggregateDescriptor(of: Ware.self, .count, by: \.material, having: !(.sum(\.price) <= 10)))
        #expect(heavy.map(\.key) == [.metal])
        let dated = try context.fetchGroups(
            AggregateDescriptor(
                of: Ware.self, .count, by: \.material,
                having: .minimum(\.bought) == Date(timeIntervalSinceReferenceDate: 50)))
        #expect(dated.map(\.key) == [.metal])
    }

    @Test("unsaved changes are considered unless they are excluded")
    func unsavedChanges() throws {
        let context = ModelContext(container)
        let low = try #require(try context.fetch(FetchDescriptor<Rack>(predicate: #Predicate { $0.floor == 0 })).first)
        context.insert(Ware("lid", count: 10, weight: 1, price: 1, .metal, on: low))
        low.name = "lowest"
        try context.delete(model: Ware.self, where: #Predicate { $0.name == "cup" })
        var descriptor = AggregateDescriptor(of: Ware.self, .sum(\.count), by: \.rack?.name)
        #expect(try context.fetchGroups(descriptor).map(\.key) == [nil, "high", "lowest"])
        #expect(try context.fetchGroups(descriptor).map(\.value) == [1, 6, 13])
        descriptor.includePendingChanges = false
        #expect(try context.fetchGroups(descriptor).map(\.key) == [nil, "high", "low"])
        #expect(try context.fetchGroups(descriptor).map(\.value) == [1, 6, 8])
        descriptor.includePendingChanges = true
        try context.save()
        #expect(try context.fetchGroups(descriptor).map(\.value) == [1, 6, 13])
    }

    @Test("a predicate that only memory can evaluate gives the same groups")
    func evaluatedInMemory() throws {
        let context = ModelContext(container)
        let groups = try context.fetchGroups(
            AggregateDescriptor(
                of: Ware.self, .sum(\.count), by: \.rack?.name, where: #Predicate { $0.labels.contains("round") }))
        #expect(groups.map(\.key) == ["high", "low"])
        #expect(groups.map(\.value) == [4, 8])
    }

    @Test("values without an order in the store, and sums beyond 64 bits, are refused")
    func refusals() throws {
        let context = ModelContext(container)
        #expect(throws: SwiftDataError.unsupportedKeyPath) {
            try context.aggregate(of: Ware.self, .maximum(\.serial))
        }
        #expect(throws: SwiftDataError.unsupportedKeyPath) {
            try context.fetchGroups(AggregateDescriptor(of: Rack.self, .count, by: \.wares))
        }
        for _ in 0..<2 { context.insert(Ware("all", count: .max, weight: nil, price: 0, .wood, on: nil)) }
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.aggregate(of: Ware.self, .sum(\.count)) }
        try context.save()
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.aggregate(of: Ware.self, .sum(\.count)) }
    }

    @Test(
        "aggregates equal those computed from models, with and without unsaved changes",
        arguments: 0..<40 as Range<UInt64>)
    func agreement(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let context = ModelContext(container)
        var racks = try context.fetch(FetchDescriptor<Rack>())
        for step in 0..<30 {
            let wares = try context.fetch(FetchDescriptor<Ware>())
            let rack = random.roll(4) == 0 ? nil : racks.randomElement(using: &random)
            switch random.roll(6) {
            case 0, 1:
                context.insert(
                    Ware(
                        "w\(step)", count: random.roll(9), weight: random.roll(3) == 0 ? nil : 0.5,
                        price: Decimal(random.roll(100)), Material.allCases[random.roll(3)], on: rack))
            case 2: wares.randomElement(using: &random)?.rack = rack
            case 3: wares.randomElement(using: &random)?.count += 1
            case 4: if let ware = wares.randomElement(using: &random) { context.delete(ware) }
            default:
                if random.roll(2) == 0 {
                    try context.save()
                } else {
                    let new = Rack("s\(step)", floor: random.roll(3))
                    context.insert(new)
                    racks.append(new)
                }
            }
            let found = try context.fetchGroups(
                AggregateDescriptor(of: Ware.self, .count, .sum(\.count), .maximum(\.weight), by: \.rack?.floor))
            let models = Dictionary(grouping: try context.fetch(FetchDescriptor<Ware>())) { $0.rack?.floor }
            #expect(Set(found.map(\.key)) == Set(models.keys), "seed \(seed), step \(step)")
            for group in found {
                let members = try #require(models[group.key])
                #expect(group.value.0 == members.count, "seed \(seed), step \(step)")
                #expect(group.value.1 == members.map(\.count).reduce(0, +), "seed \(seed), step \(step)")
                #expect(group.value.2 == members.compactMap(\.weight).max(), "seed \(seed), step \(step)")
            }
        }
    }
}
