import Foundation
import SwiftData
import Testing

@Suite("Long deletes")
struct LongDeletionTests {
    private func filled(regions: Int = 4, sites: Int = 5) throws -> ModelContainer {
        let container = try Park.container()
        try Park.fill(container, regions: regions, sites: sites)
        return container
    }

    private func options(_ models: Int, recoverable: Bool = false) -> DeletionOptions {
        .chunks(of: models, recoverable: recoverable)
    }

    private func start(
        _ container: ModelContainer, _ models: Int, recoverable: Bool = false
    ) throws -> LongDeletion {
        let plan = try ModelContext(container).deletionPlan(for: Park.Region.self)
        return try plan.start(options: options(models, recoverable: recoverable))
    }

    @Test("A long delete whose models were deleted elsewhere finishes")
    func nothingLeft() async throws {
        let container = try filled()
        let deletion = try start(container, 5)
        let other = ModelContext(container)
        try other.delete(model: Park.Region.self)
        try other.save()
        try await deletion.run()
        #expect(deletion.state.phase == .finished)
        #expect(deletion.progress.isFinished)
        #expect(deletion.progress.fractionCompleted == 1)
        #expect(try container.unfinishedDeletions().isEmpty)
    }

    @Test("With any chunk size, the result equals that of the delete at once", arguments: 1...5)
    func agrees(_ models: Int) async throws {
        let (chunked, whole) = (try filled(), try filled())
        let context = ModelContext(whole)
        try context.delete(model: Park.Region.self)
        try context.save()
        let deletion = try start(chunked, models)
        #expect(deletion.state.phase == .planned)
        #expect(deletion.state.total == 24)
        #expect(try Park.codes(ModelContext(chunked)).count == 20)
        try await deletion.run()
        #expect(deletion.state.phase == .finished)
        #expect(deletion.state.done == 24)
        #expect(deletion.state.chunkCount >= 24 / max(models, 1) - 4)
        #expect(deletion.progress.isFinished)
        #expect(deletion.token == nil)
        let (left, right) = (try Park.contents(chunked), try Park.contents(whole))
        #expect(left.values.sorted() == right.values.sorted())
        #expect(try chunked.unfinishedDeletions().isEmpty)
    }

    @Test("Updates report the start and each chunk, whose models live contexts have merged as deleted by then")
    func updates() async throws {
        let container = try filled(regions: 1, sites: 4)
        let watcher = ParkWatcher(modelContainer: container)
        let before = try await watcher.hold()
        #expect(before == 4)
        let deletion = try start(container, 1)
        var states: [DeletionState] = []
        for try await state in deletion.updates {
            states.append(state)
            // A later chunk may be done before this check, but no fewer.
            let left = try await watcher.sitesLeft()
            #expect(left <= max(0, 4 - state.done))
        }
        #expect(states.map(\.done) == [0, 1, 2, 3, 4, 5])
        #expect(states.map(\.chunkCount) == [0, 1, 2, 3, 4, 5])
        #expect(states.allSatisfy { $0.total == 5 })
        #expect(states.first?.phase == .planned)
        #expect(states.dropFirst().dropLast().allSatisfy { $0.phase == .deleting })
        #expect(states.last?.phase == .finished)
        #expect(try await watcher.sitesLeft() == 0)
    }

    @Test("A stopped delete is listed and can be resumed; its token restores all chunks")
    func resuming() async throws {
        let folder = try ParkFolder()
        let before: [PersistentIdentifier: String]
        let id: UUID
        do {
            let container = try folder.container()
            try Park.fill(container, regions: 2, sites: 3)
            before = try Park.contents(container)
            let context = ModelContext(container)
            context.author = "me"
            let deletion = try context.deletionPlan(for: Park.Region.self).start(options: options(2, recoverable: true))
            id = deletion.id
            #expect(deletion.token == nil)
            try await run(deletion, chunks: 2, container)
            let token = try #require(deletion.token)
            #expect(try Park.codes(context).count == 2)
            try container.restore(token)
            #expect(try Park.contents(context) == before)
            #expect(try container.archivedDeletions().isEmpty)
        }
        let container = try folder.container()
        let unfinished = try #require(try container.unfinishedDeletions().first)
        #expect(unfinished.id == id)
        #expect(unfinished.author == "me")
        #expect(unfinished.done == 4)
        #expect(unfinished.total == 8)
        let deletion = try container.resumeDeletion(id)
        #expect(deletion.state.done == 4)
        try await deletion.run()
        #expect(deletion.state.phase == .finished)
        #expect(try Park.codes(ModelContext(container)) == [])
        #expect(try container.unfinishedDeletions().isEmpty)
        #expect(throws: DeletionError.unknownDeletion(id)) { try container.resumeDeletion(id) }
        try container.restore(try #require(deletion.token))
        #expect(try Park.contents(container) == before)
    }

    /// Runs a number of chunks, and no more.
    private func run(_ deletion: LongDeletion, chunks: Int, _ container: ModelContainer) async throws {
        let stopper = Stopper(afterChunks: chunks)
        stopper.stop(deletion)
        container.deletionDelegate = stopper
        await #expect(throws: CancellationError.self) { try await deletion.run() }
        #expect(deletion.state.chunkCount == chunks)
        container.deletionDelegate = nil
    }

    @Test("Stopped after a chunk, it can be abandoned and restored, or resumed in the same container")
    func halfWay() async throws {
        let container = try filled(regions: 2, sites: 3)
        let before = try Park.contents(container)
        let deletion = try start(container, 2, recoverable: true)
        try await run(deletion, chunks: 3, container)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Park.Site>()) == 0)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Park.Region>()) == 2)
        try container.abandonDeletion(deletion.id)
        try container.restore(try #require(deletion.token))
        #expect(try Park.contents(container) == before)
    }

    @Test("Cancelled before or during its run, it can be resumed or abandoned, and written chunks stay")
    func cancelling() async throws {
        let container = try filled()
        let before = try Park.contents(container)
        let one = try start(container, 3)
        one.cancel()
        await #expect(throws: CancellationError.self) { try await one.run() }
        #expect(try Park.contents(container) == before)
        let two = try start(container, 3)
        let stopper = Stopper(afterChunks: 1)
        stopper.stop(two)
        container.deletionDelegate = stopper
        await #expect(throws: CancellationError.self) { for try await _ in two.updates {} }
        #expect(Set(try container.unfinishedDeletions().map(\.id)) == [one.id, two.id])
        try container.abandonDeletion(one.id)
        #expect(throws: DeletionError.unknownDeletion(one.id)) { try container.abandonDeletion(one.id) }
        #expect(throws: DeletionError.unknownDeletion(one.id)) { try container.resumeDeletion(one.id) }
        #expect(try container.unfinishedDeletions().map(\.id) == [two.id])
        #expect(try container.unfinishedDeletions().map(\.done) == [3])
        let left = try Park.contents(container)
        #expect(left.count == before.count - 3)
        try container.abandonDeletion(two.id)
        #expect(try Park.contents(container) == left)
        #expect(try container.unfinishedDeletions().isEmpty)
    }

    @Test("Ending the iteration of its updates stops the delete")
    func listening() async throws {
        let container = try filled(regions: 1, sites: 60)
        let deletion = try start(container, 1)
        for try await state in deletion.updates where state.chunkCount == 1 { break }
        try await stopped(deletion)
        #expect(deletion.state.phase == .deleting)
        #expect(try container.unfinishedDeletions().map(\.done) == [deletion.state.done])
    }

    /// Returns once no chunk is running any more.
    private func stopped(_ deletion: LongDeletion) async throws {
        deletion.cancel()
        for _ in 0..<100_000 {
            do {
                return try await deletion.run()
            } catch is CancellationError {
                return
            } catch {
                await Task.yield()
            }
        }
        Issue.record("It does not stop.")
    }

    @Test("Cancelling the task stops the delete")
    func cancelledTask() async throws {
        let container = try filled()
        let deletion = try start(container, 1)
        let task = Task { try await deletion.run() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(deletion.state.phase != .finished)
        #expect(try container.unfinishedDeletions().map(\.id) == [deletion.id])
        try await container.resumeDeletion(deletion.id).run()
        #expect(try Park.codes(ModelContext(container)) == [])
    }

    @Test("Observers of survivors and of deleted models are notified once for each chunk that affects them")
    func observers() async throws {
        let container = try filled(regions: 1, sites: 3)
        let watcher = ParkWatcher(modelContainer: container)
        try await watcher.watch()
        try await start(container, 1).run()
        // Keeper "B" has two of the sites.
        #expect(try await watcher.merge() == [1, 2, 1, 0])
        #expect(await watcher.state() == ["nil", "0", "gone"])
    }

    @Test("A plan is not started if its store changed; a current one is")
    func movedPlan() async throws {
        let container = try filled()
        let context = ModelContext(container)
        let plan = try context.deletionPlan(for: Park.Region.self)
        let other = ModelContext(container)
        other.insert(Park.Region(name: "late"))
        try other.save()
        #expect(throws: DeletionError.storeChanged) { try plan.start() }
        #expect(try container.unfinishedDeletions().isEmpty)
        try await context.deletionPlan(for: Park.Region.self).start().run()
        #expect(try context.fetchCount(FetchDescriptor<Park.Region>()) == 0)
    }

    @Test("Live contexts merge chunks unless that is turned off", arguments: [true, false])
    func merging(_ merges: Bool) async throws {
        let container = try filled(regions: 1, sites: 3)
        let context = ModelContext(container)
        let site = try Park.site("R0-0", context)
        #expect(site.code == "R0-0")
        let deletion = try start(container, 2)
        #expect(deletion.mergesIntoLiveContexts)
        deletion.mergesIntoLiveContexts = merges
        try await deletion.run()
        context.processPendingChanges()
        #expect((site.modelContext == nil) == merges)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Park.Site>()) == 0)
    }

    // MARK: Restoring

    @Test("The token of an archived long delete restores all models", arguments: [1, 2, 5, 100])
    func recoverable(_ models: Int) async throws {
        let container = try filled()
        let before = try Park.contents(container)
        let deletion = try start(container, models, recoverable: true)
        try await deletion.run()
        #expect(try Park.codes(ModelContext(container)) == [])
        let token = try #require(deletion.token)
        let coded = try JSONDecoder().decode(DeletionToken.self, from: JSONEncoder().encode(token))
        #expect(coded == token)
        #expect(try container.archivedDeletions().count == deletion.state.chunkCount)
        #expect(try container.archivedDeletions().reduce(0) { $0 + $1.count } == 24)
        try container.restore(token)
        #expect(try Park.contents(container) == before)
        #expect(try container.archivedDeletions().isEmpty)
        #expect(throws: DeletionError.unknownToken) { try container.restore(token) }
    }

    @Test("Restoring chunk by chunk causes no conflicts by the order of the chunks")
    func noFalseConflicts() async throws {
        let container = try filled()
        let deletion = try start(container, 2, recoverable: true)
        try await deletion.run()
        #expect(try container.conflicts(restoring: try #require(deletion.token)) == [])
    }

    @Test("A conflict of one chunk keeps all from being restored; chunks restored separately are skipped")
    func restoringAgain() async throws {
        let container = try filled(regions: 1, sites: 3)
        let before = try Park.contents(container)
        let deletion = try start(container, 1, recoverable: true)
        try await deletion.run()
        let token = try #require(deletion.token)
        let context = ModelContext(container)
        let blocker = Park.Site(code: "R0-0")
        context.insert(blocker)
        try context.save()
        let between = try Park.contents(container)
        let conflicts = try container.conflicts(restoring: token)
        #expect(conflicts.first?.contains("code") == true)
        #expect(throws: DeletionError.conflicts(conflicts)) { try container.restore(token) }
        #expect(try Park.contents(container) == between)
        // A chunk can be restored by its own token; the common token then applies to the others.
        try container.restore(try #require(try container.archivedDeletions().last).token)
        context.delete(blocker)
        try context.save()
        try container.restore(token)
        #expect(try Park.contents(container) == before)
        #expect(try container.archivedDeletions().isEmpty)
    }

    @Test("With conflicts skipped, all other models of its chunks are restored")
    func skipping() async throws {
        let container = try filled(regions: 1, sites: 3)
        let deletion = try start(container, 1, recoverable: true)
        try await deletion.run()
        let token = try #require(deletion.token)
        let context = ModelContext(container)
        context.insert(Park.Site(code: "R0-1", size: 77))
        try context.save()
        let restored = try container.restoreSkippingConflicts(token)
        #expect(restored.count == 3)
        #expect(!restored.skipped.isEmpty)
        #expect(try Park.region("R0", context).sites.map(\.code).sorted() == ["R0-0", "R0-2"])
        #expect(try container.archivedDeletions().map(\.count) == [1])
    }

    @Test("Discarding an archived long delete discards all of its chunks")
    func purging() async throws {
        let container = try filled()
        let deletion = try start(container, 2, recoverable: true)
        try await deletion.run()
        let token = try #require(deletion.token)
        try container.discard(token)
        #expect(try container.archivedDeletions().isEmpty)
        #expect(throws: DeletionError.unknownToken) { try container.restore(token) }
    }

    // MARK: Refusals and stores

    @Test("A mandatory relationship refuses it before anything is deleted or recorded in the file")
    func refused() async throws {
        let container = try ModelContainer(
            for: Crew.self, Post.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        for name in ["Alpha", "Beta"] { context.insert(Post(title: name, crew: Crew(name: name))) }
        try context.save()
        let plan = try context.deletionPlan(for: Crew.self)
        let error = #expect(throws: DeletionError.self) { try plan.start(options: options(1)) }
        #expect(error?.errorCode == 1570)
        #expect(try container.unfinishedDeletions().isEmpty)
        #expect(try context.fetchCount(FetchDescriptor<Crew>()) == 2)
        // If the obstacle is added later, the delete stops there.
        try context.delete(model: Post.self)
        try context.save()
        let deletion = try context.deletionPlan(for: Crew.self).start(options: options(1))
        let beta = try #require(
            try context.fetch(FetchDescriptor<Crew>(predicate: #Predicate { $0.name == "Beta" })).first)
        context.insert(Post(title: "New", crew: beta))
        try context.save()
        let stopped = await #expect(throws: DeletionError.self) { try await deletion.run() }
        #expect(stopped?.errorCode == 1570)
        #expect(try ModelContext(container).fetch(FetchDescriptor<Crew>()).contains { $0.name == "Beta" })
        #expect(try container.unfinishedDeletions().map(\.id) == [deletion.id])
        try context.delete(model: Post.self)
        try context.save()
        try await container.resumeDeletion(deletion.id).run()
        #expect(try context.fetchCount(FetchDescriptor<Crew>()) == 0)
    }

    @Test("A delete of no models is finished at once")
    func nothing() async throws {
        let container = try filled()
        let plan = try ModelContext(container).deletionPlan(
            for: Park.Region.self, where: #Predicate { $0.name == "none" })
        let deletion = try plan.start(options: options(1, recoverable: true))
        #expect(try container.unfinishedDeletions().isEmpty)
        try await deletion.run()
        #expect(deletion.state.phase == .finished)
        #expect(deletion.state.done == 0)
        #expect(deletion.token == nil)
    }

    @Test("In a container of several stores it deletes in the store of its models, and is listed there")
    func severalStores() async throws {
        let folder = try ParkFolder()
        let container = try folder.twoStores()
        try Park.fill(container)
        let context = ModelContext(container)
        for name in ["Fish", "Birds"] {
            let category = AnimalCategory(name: name)
            context.insert(category)
            category.animals = [Animal(name: "of \(name)")]
        }
        let tag = Tag(label: "Tag")
        context.insert(tag)
        try context.save()
        let before = try Park.contents(container)
        func counts() throws -> [Int] {
            let context = ModelContext(container)
            return [
                try context.fetchCount(FetchDescriptor<AnimalCategory>()),
                try context.fetchCount(FetchDescriptor<Animal>()), try context.fetchCount(FetchDescriptor<Tag>()),
                try context.fetchCount(FetchDescriptor<Park.Region>()),
                try context.fetchCount(FetchDescriptor<Park.Site>()),
                try context.fetchCount(FetchDescriptor<Park.Visit>()),
                try context.fetchCount(FetchDescriptor<Park.Keeper>()),
            ]
        }
        let none = try context.deletionPlan(for: Tag.self, where: #Predicate { $0.label == "none" })
        try await none.start(options: options(1)).run()
        #expect(try counts() == [2, 2, 1, 2, 6, 12, 2])
        let fish = try context.deletionPlan(for: AnimalCategory.self, where: #Predicate { $0.name == "Fish" })
        let zoo = try fish.start(options: options(1, recoverable: true))
        #expect(zoo.state.total == 2)
        #expect(try container.unfinishedDeletions().map(\.id) == [zoo.id])
        try await container.resumeDeletion(zoo.id).run()
        #expect(try counts() == [1, 1, 1, 2, 6, 12, 2])
        let park = try context.deletionPlan(for: Park.Region.self).start(options: options(2, recoverable: true))
        try await park.run()
        #expect(try counts() == [1, 1, 1, 0, 0, 12, 2])
        try container.restore(try #require(park.token))
        #expect(try Park.contents(container) == before)
        let both =
            try context.fetchIdentifiers(FetchDescriptor<Tag>())
            + context.fetchIdentifiers(FetchDescriptor<Park.Keeper>())
        #expect(throws: DeletionError.severalStores) {
            try context.deletionPlan(for: both).start(options: options(1))
        }
        #expect(try counts() == [1, 1, 1, 2, 6, 12, 2])
    }
}
