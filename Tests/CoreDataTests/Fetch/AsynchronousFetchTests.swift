@testable import CoreData
import Testing

@Suite struct AsynchronousFetchTests {
    /// The results passed to a completion block.
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

    @Test("The result has a progress if there is a current one, and it finishes with the fetch")
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

    /// Records its updates, and cancels itself at a given number.
    private final class Watch: Progress, @unchecked Sendable {
        // Used by one thread at a time: the one that reads, and the test's before and after.
        var noted: [Int64] = []
        var end = Int64.max

        override var completedUnitCount: Int64 {
            get { super.completedUnitCount }
            set {
                super.completedUnitCount = newValue
                noted.append(newValue)
                if newValue >= end { cancel() }
            }
        }
    }

    private func manyTags() throws -> TestStack {
        let stack = try TestStack()
        let rows = (0..<1000).map { ["label": "\($0)"] }
        _ = try stack.context.execute(NSBatchInsertRequest(entityName: "Tag", objects: rows))
        return stack
    }

    private func tags(_ type: NSFetchRequestResultType) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Tag")
        request.resultType = type
        request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
        return request
    }

    /// The result of a fetch that is executed at once.
    private func finished<Own: NSFetchRequestResult>(
        _ type: Own.Type, _ resultType: NSFetchRequestResultType, in context: NSManagedObjectContext, _ watch: Watch
    ) -> NSAsynchronousFetchResult<Own> {
        let request = NSAsynchronousFetchRequest(fetchRequest: tags(resultType).converted(to: Own.self))
        let result = NSAsynchronousFetchResult(request, context, progress: watch)
        context.queue.sync { result.finish() }
        return result
    }

    @Test("The progress counts rows as they are read, page by page")
    func pages() throws {
        let stack = try manyTags()
        let objects = Watch(totalUnitCount: 0)
        #expect(
            finished(NSManagedObject.self, .managedObjectResultType, in: stack.context, objects).finalResult?.count
                == 1000)
        #expect(objects.noted == [256, 512, 768, 1000, 1000])
        #expect(objects.isFinished)
        let ids = Watch(totalUnitCount: 0)
        #expect(
            finished(NSManagedObjectID.self, .managedObjectIDResultType, in: stack.context, ids).finalResult?.count
                == 1000)
        #expect(ids.noted == [256, 512, 768, 1000, 1000])
        let dictionaries = Watch(totalUnitCount: 2000)
        #expect(
            finished(NSDictionary.self, .dictionaryResultType, in: stack.context, dictionaries).finalResult?.count
                == 1000)
        #expect(dictionaries.noted == [256, 512, 768, 1000, 1000])
        // The actual number of rows replaces the expected one.
        #expect(dictionaries.totalUnitCount == 1000)
    }

    @Test(
        "A fetch cancelled while it reads stops with an error; the context can still be used",
        arguments: [false, true])
    func cancelledWhileReading(hasUnsavedChanges: Bool) throws {
        let stack = try manyTags()
        if hasUnsavedChanges { stack.insert("Tag", ["label": "unsaved"]) }
        let watch = Watch(totalUnitCount: 0)
        watch.end = 512
        let result = finished(NSManagedObject.self, .managedObjectResultType, in: stack.context, watch)
        #expect(result.finalResult == nil)
        #expect((result.operationError as? CocoaError)?.code == .userCancelled)
        #expect(watch.noted == [256, 512])
        #expect(!watch.isFinished)
        #expect(try stack.context.count(for: tags(.managedObjectResultType)) == (hasUnsavedChanges ? 1001 : 1000))
        #expect(try stack.context.fetch(tags(.managedObjectResultType)).count == (hasUnsavedChanges ? 1001 : 1000))
    }

    @Test("A child's fetch is cancelled while its parent reads, a pinned context's while it reads its generation")
    func cancelledElsewhere() throws {
        let stack = try manyTags()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        let file = try TestStack(.file)
        for number in 0..<600 { file.insert("Tag", ["label": "\(number)"]) }
        try file.context.save()
        let pinned = file.newContext()
        try pinned.performAndWait { try pinned.setQueryGenerationFrom(.current) }
        for context in [child, pinned] {
            let watch = Watch(totalUnitCount: 0)
            watch.end = 256
            let result = finished(NSManagedObject.self, .managedObjectResultType, in: context, watch)
            #expect(result.finalResult == nil)
            #expect((result.operationError as? CocoaError)?.code == .userCancelled)
            #expect(watch.noted == [256])
        }
    }

    @Test("A fetch that another thread cancels while it waits for its turn reads nothing")
    func cancelledBefore() async throws {
        let stack = try manyTags()
        let result = try waiting(stack)
        await stack.context.perform(schedule: .enqueued) {}
        #expect(result.finalResult == nil)
        #expect((result.operationError as? CocoaError)?.code == .userCancelled)
    }

    /// A fetch that is cancelled while the context is busy.
    private func waiting(_ stack: TestStack) throws -> NSAsynchronousFetchResult<NSManagedObject> {
        let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        let isCancelled = DispatchSemaphore(value: 0)
        stack.context.perform { isCancelled.wait() }
        let result = try #require(try stack.context.execute(request) as? NSAsynchronousFetchResult<NSManagedObject>)
        result.cancel()
        isCancelled.signal()
        return result
    }

    @Test("An asynchronous fetch delivers its results on the context's queue")
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
        let cancelled = try context.performAndWait {
            let other = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<Animal>(entityName: "Animal"))
            let result = try context.execute(other) as? NSAsynchronousFetchResult<Animal>
            result?.cancel()
            return result
        }
        await context.perform(schedule: .enqueued) {}
        #expect(cancelled?.finalResult == nil)
        #expect((cancelled?.operationError as? CocoaError)?.code == .userCancelled)
    }
}
