import CoreData
import Testing

@Suite struct AsynchronousFetchTests {
    /// What a completion block was given, each time.
    private final class Counts: @unchecked Sendable {
        // Under the lock.
        private var noted: [Int?] = []
        private let lock = NSLock()

        var all: [Int?] { lock.withLock { noted } }
        func note(_ count: Int?) { lock.withLock { noted.append(count) } }
    }

    /// Not in an async function, where no progress may be current.
    private func execute(
        _ request: NSAsynchronousFetchRequest<Animal>, in context: NSManagedObjectContext, within progress: Progress
    ) throws -> NSAsynchronousFetchResult<Animal>? {
        progress.becomeCurrent(withPendingUnitCount: 1)
        defer { progress.resignCurrent() }
        return try context.execute(request) as? NSAsynchronousFetchResult<Animal>
    }

    @Test("There is a progress where one is current, and it is done with the fetch")
    func progress() async throws {
        let stack = try TestStack()
        try stack.saveFamily(animals: 3)
        let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<Animal>(entityName: "Animal"))
        request.estimatedResultCount = 3
        let parent = Progress(totalUnitCount: 1)
        let result = try execute(request, in: stack.context, within: parent)
        let progress = try #require(result?.progress)
        #expect(progress.totalUnitCount == 3)
        await stack.context.perform(schedule: .enqueued) {}
        #expect(progress.isFinished && parent.isFinished)
    }

    @Test("An asynchronous fetch gives its results on the context's queue")
    func results() async throws {
        let stack = try TestStack()
        try stack.saveFamily(animals: 3)
        let context = stack.context
        let counts = Counts()
        let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<Animal>(entityName: "Animal")) { result in
            counts.note(result.finalResult?.count)
        }
        let result = try context.execute(request) as? NSAsynchronousFetchResult<Animal>
        #expect(result?.progress == nil)
        await context.perform(schedule: .enqueued) {}
        #expect(result?.finalResult?.count == 3)
        #expect(counts.all == [3])
        let other = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<Animal>(entityName: "Animal"))
        let cancelled = try context.performAndWait {
            let result = try context.execute(other) as? NSAsynchronousFetchResult<Animal>
            result?.cancel()
            return result
        }
        await context.perform(schedule: .enqueued) {}
        #expect(cancelled?.finalResult == nil)
        #expect((cancelled?.operationError as? CocoaError)?.code == .userCancelled)
    }
}
