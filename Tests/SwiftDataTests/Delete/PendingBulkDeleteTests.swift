import Foundation
import SwiftData
import Testing

/// A context with a pending bulk delete, compared with one that deleted the same models one by one: both give the same results to
/// all queries.
@Suite("Fetching with pending bulk deletes")
struct PendingBulkDeleteTests {
    enum Deletion: String, CaseIterable, Sendable {
        case region, allRegions, middleSites, allSites, keeper, someVisits, sitesThenKeeper, visitsThenRegion,
            byRelationship
    }

    enum Edits: String, CaseIterable, Sendable {
        case none, before, after
    }

    private struct Pair {
        let bulk: ModelContext
        let single: ModelContext

        init(_ deletion: Deletion, _ edits: Edits) throws {
            let containers = [try Park.container(), try Park.container()]
            for container in containers { try Park.fill(container) }
            (bulk, single) = (ModelContext(containers[0]), ModelContext(containers[1]))
            for context in [bulk, single] {
                if edits == .before { try Self.edit(context) }
                try Self.delete(deletion, context, inBulk: context === bulk)
                if edits == .after { try Self.edit(context) }
            }
        }

        private static func edit(_ context: ModelContext) throws {
            // Models that are already deleted are not edited.
            let visit = try context.fetch(
                FetchDescriptor<Park.Visit>(predicate: #Predicate { $0.note == "R1-0y" })
            ).first
            visit?.note = "R1-0z"
            visit?.site = try context.fetch(
                FetchDescriptor<Park.Site>(predicate: #Predicate { $0.code == "R1-1" })
            ).first
            let region = try context.fetch(
                FetchDescriptor<Park.Region>(predicate: #Predicate { $0.name == "R1" })
            ).first
            let site = Park.Site(code: "New", size: 1, region: region)
            context.insert(site)
            site.keepers = try context.fetch(
                FetchDescriptor<Park.Keeper>(predicate: #Predicate { $0.name == "B" }))
            context.insert(Park.Visit(note: "New", site: site))
        }

        private static func delete(_ deletion: Deletion, _ context: ModelContext, inBulk: Bool) throws {
            func delete<T: PersistentModel>(_ predicate: Predicate<T>? = nil) throws {
                if inBulk { return try context.delete(model: T.self, where: predicate) }
                try context.fetch(FetchDescriptor<T>(predicate: predicate)).forEach(context.delete)
            }
            switch deletion {
            case .region: try delete(#Predicate<Park.Region> { $0.name == "R0" })
            case .allRegions: try delete(nil as Predicate<Park.Region>?)
            case .middleSites: try delete(#Predicate<Park.Site> { $0.size == 1 })
            case .allSites: try delete(nil as Predicate<Park.Site>?)
            case .keeper: try delete(#Predicate<Park.Keeper> { $0.name == "A" })
            case .someVisits: try delete(#Predicate<Park.Visit> { $0.note.contains("y") })
            case .sitesThenKeeper:
                try delete(#Predicate<Park.Site> { $0.size == 1 })
                try delete(#Predicate<Park.Keeper> { $0.name == "B" })
            case .visitsThenRegion:
                try delete(#Predicate<Park.Visit> { $0.note.contains("x") })
                try delete(#Predicate<Park.Region> { $0.sites.count == 3 && $0.name == "R0" })
            case .byRelationship: try delete(#Predicate<Park.Site> { $0.keepers.contains { $0.name == "B" } })
            }
        }
    }

    // MARK: Queries

    private static let sites: [Predicate<Park.Site>?] = [
        nil, #Predicate { $0.region != nil }, #Predicate { $0.region?.name == "R1" }, #Predicate { $0.visits.isEmpty },
        #Predicate { $0.visits.count > 1 }, #Predicate { $0.keepers.contains { $0.name == "B" } },
        #Predicate { $0.region?.sites.count == 3 }, #Predicate { $0.size > 0 },
        #Predicate { !$0.keepers.contains { $0.sites.count > 3 } },
    ]
    private static let visits: [Predicate<Park.Visit>?] = [
        nil, #Predicate { $0.site == nil }, #Predicate { $0.site != nil }, #Predicate { $0.site?.region?.name == "R0" },
        #Predicate { $0.note.contains("x") },
    ]
    private static let keepers: [Predicate<Park.Keeper>?] = [
        nil, #Predicate { $0.sites.count == 4 }, #Predicate { $0.sites.isEmpty },
        #Predicate { $0.sites.contains { $0.size == 1 } }, #Predicate { $0.sites.allSatisfy { $0.region != nil } },
        #Predicate { $0.sites.filter { $0.region?.name == "R0" }.isEmpty },
    ]
    private static let regions: [Predicate<Park.Region>?] = [
        nil, #Predicate { $0.sites.isEmpty }, #Predicate { $0.sites.contains { $0.visits.isEmpty } },
    ]

    private static let windows: [(offset: Int?, limit: Int?)] = [
        (nil, nil), (nil, 2), (1, nil), (1, 2), (2, 1), (50, 5), (0, 100),
    ]

    private func answers<T: PersistentModel>(
        _ context: ModelContext, _ predicate: Predicate<T>?, _ orders: [[SortDescriptor<T>]], _ name: (T) -> String
    ) throws -> [String] {
        var answers: [String] = []
        for order in [[]] + orders {
            for window in predicate == nil ? Self.windows : [(nil, nil), (1, 2)] {
                var descriptor = FetchDescriptor<T>(predicate: predicate, sortBy: order)
                (descriptor.fetchOffset, descriptor.fetchLimit) = window
                let names = try context.fetch(descriptor).map(name)
                answers.append(names.joined(separator: " "))
                #expect(try context.fetchCount(descriptor) == names.count)
                var enumerated: [String] = []
                try context.enumerate(descriptor, batchSize: 2) { enumerated.append(name($0)) }
                #expect(enumerated == names)
                if order.isEmpty {
                    let ids = try context.fetchIdentifiers(descriptor)
                    #expect(ids.compactMap { (context.model(for: $0) as? T).map(name) } == names)
                }
            }
        }
        return answers
    }

    private func answers(_ context: ModelContext) throws -> [[String]] {
        try Self.sites.map {
            try answers(
                context, $0,
                [[SortDescriptor(\.code)], [SortDescriptor(\.size, order: .reverse), SortDescriptor(\.code)]]
            ) { "\($0.code):\($0.region?.name ?? "-"):\($0.visits.count):\($0.keepers.count)" }
        }
            + Self.visits.map {
                try answers(
                    context, $0, [[SortDescriptor(\.note)], [SortDescriptor(\.site?.code), SortDescriptor(\.note)]]
                ) {
                    "\($0.note):\($0.site?.code ?? "-")"
                }
            }
            + Self.keepers.map {
                try answers(context, $0, [[SortDescriptor(\.name)]]) { "\($0.name):\($0.sites.map(\.code).sorted())" }
            }
            + Self.regions.map {
                try answers(context, $0, [[SortDescriptor(\.name)]]) { "\($0.name):\($0.sites.map(\.code).sorted())" }
            }
    }

    @Test("Both contexts give the same results", arguments: Deletion.allCases, Edits.allCases)
    func agrees(_ deletion: Deletion, _ edits: Edits) throws {
        let pair = try Pair(deletion, edits)
        let (bulk, single) = (try answers(pair.bulk), try answers(pair.single))
        for (number, (left, right)) in zip(bulk, single).enumerated() { #expect(left == right, "question \(number)") }
        #expect(try Park.contents(pair.bulk).values.sorted() == Park.contents(pair.single).values.sorted())
    }

    @Test(
        "Both contexts and their stores have the same contents after the save", arguments: Deletion.allCases,
        Edits.allCases)
    func agreesOnceSaved(_ deletion: Deletion, _ edits: Edits) throws {
        let pair = try Pair(deletion, edits)
        for context in [pair.bulk, pair.single] {
            try context.save()
            #expect(try Park.contents(context) == Park.contents(context.container))
        }
        #expect(try Park.contents(pair.bulk).values.sorted() == Park.contents(pair.single).values.sorted())
        #expect(try answers(pair.bulk) == answers(pair.single))
    }

    @Test("Rollback restores the former state", arguments: Deletion.allCases, Edits.allCases)
    func rollback(_ deletion: Deletion, _ edits: Edits) throws {
        let pair = try Pair(deletion, edits)
        _ = try answers(pair.bulk)
        pair.bulk.rollback()
        #expect(!pair.bulk.hasChanges)
        #expect(try Park.contents(pair.bulk) == Park.contents(pair.bulk.container))
        try pair.bulk.save()
        #expect(try Park.contents(pair.bulk.container).count == 22)
    }

    @Test("Without pending changes, all stored models are found", arguments: Deletion.allCases)
    func withoutPending(_ deletion: Deletion) throws {
        let pair = try Pair(deletion, .none)
        for context in [pair.bulk, pair.single] {
            var descriptor = FetchDescriptor<Park.Site>(sortBy: [SortDescriptor(\.code)])
            descriptor.includePendingChanges = false
            #expect(try context.fetch(descriptor).map(\.code) == ["R0-0", "R0-1", "R0-2", "R1-0", "R1-1", "R1-2"])
            #expect(try context.fetchCount(descriptor) == 6)
            #expect(try context.fetchIdentifiers(descriptor).count == 6)
            #expect(try context.fetch(descriptor, batchSize: 4).count == 6)
        }
        var descriptor = FetchDescriptor<Park.Site>(sortBy: [SortDescriptor(\.code)])
        descriptor.includePendingChanges = false
        #expect(try pair.bulk.fetch(descriptor).map(\.isDeleted) == pair.single.fetch(descriptor).map(\.isDeleted))
    }

    @Test("A deleted model can be read by identifier and is marked deleted, as is one held from before")
    func byIdentifier() throws {
        let container = try Park.container()
        try Park.fill(container)
        let context = ModelContext(container)
        let held = try Park.site("R0-0", context)
        let ids = try context.fetchIdentifiers(FetchDescriptor<Park.Site>())
        try context.delete(model: Park.Region.self)
        #expect(held.isDeleted)
        #expect(held.code == "R0-0")
        #expect(ids.allSatisfy { context.model(for: $0).isDeleted })
        #expect(context.registeredModel(for: held.persistentModelID) == held)
        #expect(context.deletedModelsArray.contains { $0.persistentModelID == held.persistentModelID })
        try context.save()
        #expect(held.modelContext == nil)
        #expect(context.registeredModel(for: held.persistentModelID) as Park.Site? == nil)
        for case let site as Park.Site in ids.map(context.model) {
            // Read when first used.
            #expect(site.code.isEmpty)
            #expect(site.modelContext == nil)
        }
    }

    @Test("Models inserted after the call are not deleted, and may take a unique value of a deleted one")
    func insertedLater() throws {
        let container = try Park.container()
        try Park.fill(container)
        let context = ModelContext(container)
        try context.delete(model: Park.Region.self)
        let region = Park.Region(name: "R0")
        context.insert(region)
        context.insert(Park.Site(code: "R0-0", size: 9, region: region))
        #expect(try Park.codes(context) == ["R0-0"])
        try context.save()
        #expect(try Park.codes(context) == ["R0-0"])
        let other = ModelContext(container)
        #expect(try Park.site("R0-0", other).size == 9)
        #expect(try Park.region("R0", other).sites.count == 1)
        #expect(try Park.visit("R0-0x", other).site == nil)
    }

    @Test("Models inserted elsewhere below a deleted model are deleted with it; others stay")
    func insertedByOthers() throws {
        let container = try Park.container()
        try Park.fill(container)
        let (context, other) = (ModelContext(container), ModelContext(container))
        try context.delete(model: Park.Region.self, where: #Predicate { $0.name == "R0" })
        other.insert(Park.Site(code: "Late", region: try Park.region("R0", other)))
        other.insert(Park.Site(code: "Stays", region: try Park.region("R1", other)))
        try Park.visit("R1-0x", other).site = try Park.site("R0-0", other)
        try other.save()
        try context.save()
        let all = ModelContext(container)
        #expect(try Park.codes(all) == ["R1-0", "R1-1", "R1-2", "Stays"])
        #expect(try Park.visit("R1-0x", all).site == nil)
        #expect(try Park.contents(context) == Park.contents(all))
        #expect(try Park.contents(other) == Park.contents(all))
    }
}
