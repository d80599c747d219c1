import Foundation
import SwiftData
import Testing

/// Holds models of a container in a context of its own.
@ModelActor
actor ParkWatcher {
    private var sites: [Park.Site] = []
    private var held: [any PersistentModel] = []

    private var watches: [Watch] = []

    func hold() throws -> Int {
        sites = try modelContext.fetch(FetchDescriptor<Park.Site>())
        return sites.count
    }

    /// Held models that are not deleted.
    func sitesLeft() throws -> Int {
        modelContext.processPendingChanges()
        let alive = sites.count { $0.modelContext != nil }
        #expect(try modelContext.fetchCount(FetchDescriptor<Park.Site>()) <= alive)
        return alive
    }

    func watch() throws {
        let visit = try Park.visit("R0-0x", modelContext)
        let keeper = try Park.keeper("B", modelContext)
        let goner = try Park.site("R0-1", modelContext)
        let apart = try Park.keeper("A", modelContext)
        watches = [
            Watch { _ = visit.site }, Watch { _ = keeper.sites.count }, Watch { _ = goner.code },
            Watch { _ = apart.name },
        ]
        held = [visit, keeper, goner, apart]
    }

    /// - Returns: the number of notifications for each.
    func merge() throws -> [Int] {
        modelContext.processPendingChanges()
        return watches.map(\.count)
    }

    func state() -> [String] {
        [
            (held[0] as? Park.Visit)?.site?.code ?? "nil", "\((held[1] as? Park.Keeper)?.sites.count ?? -1)",
            held[2].modelContext == nil ? "gone" : "there",
        ]
    }
}

/// Edits models that another actor deletes.
@ModelActor
actor ParkEditor {
    private var held: [any PersistentModel] = []

    func edit() throws {
        let site = try Park.site("R0-0", modelContext)
        let visit = try Park.visit("R1-0x", modelContext)
        let region = try Park.region("R0", modelContext)
        site.size = 500
        visit.site = site
        visit.note = "edited"
        let new = Park.Site(code: "New", region: region)
        modelContext.insert(new)
        held = [site, visit, region, new]
    }

    func save() throws {
        try modelContext.save()
        #expect(held.map { $0.modelContext == nil } == [true, false, true, false])
        #expect((held[1] as? Park.Visit)?.site == nil)
        #expect((held[3] as? Park.Site)?.region == nil)
    }

    func agreesWithStore() throws -> Bool {
        try Park.contents(modelContext) == Park.contents(modelContainer)
    }
}

/// Deletes by predicate, a few models at a time.
@ModelActor
actor ParkSweeper {
    /// - Returns: the number of saves.
    func sweep(sizes: Range<Int>) throws -> Int {
        for size in sizes {
            try modelContext.delete(model: Park.Site.self, where: #Predicate { $0.size == size })
            try modelContext.save()
        }
        return sizes.count
    }

    /// The same, with each delete archived.
    func sweepRecoverably(sizes: Range<Int>) throws -> [DeletionToken] {
        try sizes.compactMap { size in
            let token = try modelContext.deleteAndArchive(model: Park.Site.self, where: #Predicate { $0.size == size })
            try modelContext.save()
            return token
        }
    }
}

/// Inserts sites that are never deleted, and edits the sites it finds.
@ModelActor
actor ParkWriter {
    func write(_ name: String, count: Int) async throws -> [String] {
        let region = Park.Region(name: name)
        modelContext.insert(region)
        try modelContext.save()
        var codes: [String] = []
        for number in 0..<count {
            let site = Park.Site(code: "\(name)-\(number)", size: 1_000_000, region: region)
            modelContext.insert(site)
            modelContext.insert(Park.Visit(note: "of \(site.code)", site: site))
            codes.append(site.code)
            try modelContext.save()
            await Task.yield()
        }
        return codes
    }

    /// Visits whose sites other actors delete meanwhile.
    func edit(rounds: Int) async throws {
        let visits = try modelContext.fetch(
            FetchDescriptor<Park.Visit>(predicate: #Predicate { $0.note.contains("x") }))
        for round in 0..<rounds {
            for visit in visits.prefix(3) { visit.note = "edited \(round)" }
            try modelContext.save()
            await Task.yield()
        }
    }
}
