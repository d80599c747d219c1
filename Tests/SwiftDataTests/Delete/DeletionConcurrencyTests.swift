import Foundation
import SwiftData
import Testing

@Suite("Bulk deletes with concurrent readers and writers")
struct DeletionConcurrencyTests {
    /// An invariant at any time: every model found can be read, and its links refer to existing models.
    @discardableResult
    private func readSession(_ container: ModelContainer) throws -> Int {
        let context = ModelContext(container)
        let sites = try context.fetch(FetchDescriptor<Park.Site>())
        for site in sites where site.modelContext != nil { #expect(!site.code.isEmpty) }
        for visit in try context.fetch(FetchDescriptor<Park.Visit>()) {
            if let site = visit.site, site.modelContext != nil { #expect(!site.code.isEmpty) }
        }
        return sites.count
    }

    /// In memory and in a file: one region with sites of the sizes 0, 1, ….
    private func inBothStores(sites: Int, _ test: (ModelContainer) async throws -> Void) async throws {
        let memory = try Park.container()
        try Park.fill(memory, regions: 1, sites: sites)
        try await test(memory)
        let folder = try ParkFolder()
        let file = try folder.container()
        try Park.fill(file, regions: 1, sites: sites)
        try await test(file)
    }

    @Test(
        "One actor deletes in small saves while others insert, edit and read: no insert is lost, no deleted model stays"
    )
    func sweeping() async throws {
        try await inBothStores(sites: 30) { container in
            let sweeper = ParkSweeper(modelContainer: container)
            let writers = (0..<3).map { _ in ParkWriter(modelContainer: container) }
            let written = try await withThrowingTaskGroup(of: [String].self) { group in
                group.addTask {
                    _ = try await sweeper.sweep(sizes: 0..<30)
                    return []
                }
                for (number, writer) in writers.enumerated() {
                    group.addTask { try await writer.write("W\(number)", count: 15) }
                }
                group.addTask {
                    try await ParkWriter(modelContainer: container).edit(rounds: 10)
                    return []
                }
                group.addTask {
                    for _ in 0..<10 {
                        try look(container)
                        await Task.yield()
                    }
                    return []
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let context = ModelContext(container)
            #expect(try Park.codes(context) == written.sorted())
            #expect(written.count == 45)
            let visits = try context.fetch(FetchDescriptor<Park.Visit>())
            #expect(visits.count == 60 + 45)
            #expect(visits.filter { $0.site != nil }.count == 45)
            #expect(visits.filter { $0.note == "edited 9" }.count == 3)
            for keeper in try context.fetch(FetchDescriptor<Park.Keeper>()) { #expect(keeper.sites.isEmpty) }
        }
    }

    @Test("Archived deletes of one actor are restored completely while others write")
    func recovering() async throws {
        try await inBothStores(sites: 10) { container in
            let before = try Park.contents(container)
            let sweeper = ParkSweeper(modelContainer: container)
            let writer = ParkWriter(modelContainer: container)
            async let written = writer.write("W", count: 20)
            let tokens = try await sweeper.sweepRecoverably(sizes: 0..<10)
            #expect(tokens.count == 10)
            for token in tokens.reversed() {
                try container.restore(token)
                await Task.yield()
            }
            #expect(try await written.count == 20)
            let after = try Park.contents(container)
            #expect(before.allSatisfy { after[$0.key] == $0.value })
            #expect(after.count == before.count + 41)
        }
    }

    @Test("A long delete runs while others insert and read; it deletes exactly its models, and is restored completely")
    func longDelete() async throws {
        try await inBothStores(sites: 30) { container in
            let before = try Park.contents(container)
            let context = ModelContext(container)
            let options = DeletionOptions.chunks(of: 3, recoverable: true)
            let plan = try context.deletionPlan(for: Park.Region.self, where: #Predicate { $0.name == "R0" })
            let deletion = try plan.start(options: options)
            let writers = (0..<2).map { _ in ParkWriter(modelContainer: container) }
            async let done: Void = deletion.run()
            async let one = writers[0].write("W0", count: 15)
            async let two = writers[1].write("W1", count: 15)
            for _ in 0..<10 {
                try look(container)
                await Task.yield()
            }
            try await done
            let written = try await one + two
            #expect(try Park.codes(context) == written.sorted())
            #expect(deletion.state.done == 31)
            try container.restore(try #require(deletion.token))
            let after = try Park.contents(container)
            #expect(before.allSatisfy { after[$0.key] == $0.value })
            #expect(after.count == before.count + 62)
        }
    }

    @Test("Between two chunks, other contexts' changes count: models moved away stay, models added below are deleted")
    func betweenChunks() async throws {
        let container = try Park.container()
        try Park.fill(container, regions: 2, sites: 4)
        let context = ModelContext(container)
        let pause = Announcements(refusesAtPage: 2)
        container.deletionDelegate = pause
        let options = DeletionOptions.chunks(of: 1, recoverable: true)
        let plan = try context.deletionPlan(for: Park.Region.self, where: #Predicate { $0.name == "R0" })
        let deletion = try plan.start(options: options)
        await #expect(throws: Announcements.Refusal.self) { try await deletion.run() }
        #expect(deletion.state.done == 2)
        let left = try Park.region("R0", context).sites.sorted { $0.code < $1.code }
        #expect(left.count == 2)
        // One is moved to another region, one is edited, one is new, and so is a visit.
        left[0].region = try Park.region("R1", context)
        left[1].size = 77
        context.insert(Park.Site(code: "Late", region: try Park.region("R0", context)))
        context.insert(Park.Visit(note: "Late", site: left[1]))
        context.insert(Park.Keeper(name: "C"))
        let moved = left[0].code
        try context.save()
        let between = try Park.contents(container)
        pause.allow()
        try await deletion.run()
        #expect(deletion.state.phase == .finished)
        #expect(try Park.codes(context) == (["R1-0", "R1-1", "R1-2", "R1-3"] + [moved]).sorted())
        #expect(try Park.visit("Late", context).site == nil)
        #expect(try context.fetchCount(FetchDescriptor<Park.Region>()) == 1)
        #expect(try container.archivedDeletions().reduce(0) { $0 + $1.count } == 5)
        try container.restore(try #require(deletion.token))
        let after = try Park.contents(container)
        // Everything is as between the chunks, and the two models deleted before are restored.
        #expect(after.count == between.count + 2)
        #expect(try Park.site(moved, context).region?.name == "R1")
        #expect(try Park.region("R0", context).sites.count == 4)
        #expect(try Park.visit("Late", context).site?.size == 77)
        #expect(try Park.contents(context) == after)
    }

    @Test("A long delete continues if another context deleted a model before its chunk")
    func deletedByOthers() async throws {
        let container = try Park.container()
        try Park.fill(container, regions: 1, sites: 4)
        let context = ModelContext(container)
        let pause = Announcements(refusesAtPage: 1)
        container.deletionDelegate = pause
        let options = DeletionOptions.chunks(of: 1)
        let plan = try context.deletionPlan(for: Park.Region.self)
        let deletion = try plan.start(options: options)
        await #expect(throws: Announcements.Refusal.self) { try await deletion.run() }
        context.delete(try Park.region("R0", context))
        try context.save()
        pause.allow()
        try await deletion.run()
        #expect(deletion.state.phase == .finished)
        #expect(deletion.state.done == 1)
        #expect(try container.unfinishedDeletions().isEmpty)
        #expect(try Park.contents(container).count == 10)
    }
}
