import Foundation
import ObjectGraph
import SQLiteStore
import Testing

@testable import CoreData

/// Long deletions check the numbers of destinations as the batch delete does, whatever others write meanwhile.
@Suite("Long deletions that would leave a mandatory many-to-many relationship empty")
struct LongDeletionCountTests {
    /// Animals that must have a tag, and have two.
    private func stack(animals count: Int) throws -> TestStack {
        let model = Zoo.model()
        model.entitiesByName["Animal"]?.relationshipsByName["tags"]?.isOptional = false
        let stack = try TestStack(.file, model: model)
        let tags = ["first", "second"].map { stack.insert("Tag", ["label": $0]) }
        for number in 0..<count { stack.insert("Animal", ["name": "\(number)", "tags": Set(tags)]) }
        try stack.context.save()
        return stack
    }

    /// A request that deletes the first tag.
    private func request(_ stack: TestStack) -> NSBatchDeleteRequest {
        NSBatchDeleteRequest(fetchRequest: stack.request("Tag", NSPredicate(format: "label == 'first'")))
    }

    private func store(_ stack: TestStack) throws -> any ChunkedDeleting {
        try #require(stack.coordinator.core.chunkingStores.first)
    }

    /// Sets the tags of all animals in another context.
    private func tagAnimals(_ labels: Set<String>, _ stack: TestStack) throws {
        let context = stack.newContext()
        let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).filter {
            labels.contains($0.value(forKey: "label") as? String ?? "")
        }
        for animal in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Animal")) {
            animal.setValue(Set(tags), forKey: "tags")
        }
        try context.save()
    }

    private func count(taggedOnce stack: TestStack) throws -> Int {
        try stack.count("Animal", NSPredicate(format: "tags.@count == 1"))
    }

    @Test("A resumed deletion is refused if a relationship would be left empty by then")
    func resumed() async throws {
        let stack = try stack(animals: 1)
        let deletion = try stack.context.deletionPlan(for: request(stack)).start()
        try tagAnimals(["first"], stack)
        #expect(code { _ = try stack.coordinator.resumeDeletion(deletion.id) } == 1570)
        await #expect(throws: DeletionError.self) { try await deletion.run() }
        #expect(try stack.count("Tag") == 2)
        #expect(try count(taggedOnce: stack) == 1)
        #expect(try stack.coordinator.unfinishedDeletions().map(\.id) == [deletion.id])
        try tagAnimals(["first", "second"], stack)
        try await stack.coordinator.resumeDeletion(deletion.id).run()
        #expect(try stack.count("Tag") == 1)
        #expect(try count(taggedOnce: stack) == 1)
    }

    @Test("A row with too many links for one chunk loses none before the others are checked")
    func manyLinks() async throws {
        let stack = try stack(animals: 10)
        let share = try #require(try BatchDelete(request(stack), stack.context).shares().first)
        #expect(share.request.counts == .notEmpty)
        var options = DeleteJobOptions()
        options.budget.links = 4
        // However slow the machine is.
        options.budget.milliseconds = 1e9
        let store = try store(stack)
        let job = try store.startJob(share.request, options, observer: nil, expecting: nil)
        try tagAnimals(["first"], stack)
        await #expect(throws: DeleteError.self) { _ = try await job.run() }
        #expect(job.current.chunkCount == 0)
        #expect(try stack.count("Tag") == 2)
        #expect(try count(taggedOnce: stack) == 10)
        try tagAnimals(["first", "second"], stack)
        let resumed = try store.resumeJob(job.id, observer: nil)
        _ = try await resumed.run()
        #expect(try stack.count("Tag") == 1)
        #expect(try count(taggedOnce: stack) == 10)
    }

    @Test("The record of a deletion keeps the rule by which counts are checked", arguments: [true, false])
    func records(_ enforces: Bool) throws {
        let stack = try stack(animals: 1)
        let request = request(stack)
        request.enforcesMinimumCounts = enforces
        _ = try stack.context.deletionPlan(for: request).start()
        let store = try store(stack)
        let rule: DeleteRequest.CountRule = enforces ? .checked : .notEmpty
        #expect(try store.jobs().map(\.counts) == [rule])
        // Older files have only whether minimum counts are checked.
        let sqlite = try #require(stack.coordinator.persistentStores.first?.sqlite)
        let field = "\"refusesEmpty\":\(!enforces)"
        try sqlite.pool.withWriter { connection in
            for text in ["\(field),", ",\(field)"] {
                try connection.execute("UPDATE OSD_DELETEJOB SET OSD_OPTIONS = replace(OSD_OPTIONS, '\(text)', '')")
            }
        }
        let known: DeleteRequest.CountRule = enforces ? .checked : .unchecked
        #expect(try store.jobs().map(\.counts) == [known])
    }
}
