import CoreData
import Testing

@Suite struct AsynchronousFetchTests {
    @Test("An asynchronous fetch gives its results on the context's queue")
    func results() async throws {
        let stack = try TestStack()
        try stack.saveFamily(animals: 3)
        let context = stack.context
        let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<Animal>(entityName: "Animal")) { result in
            #expect(result.finalResult?.count == 3)
        }
        let result = try context.execute(request) as? NSAsynchronousFetchResult<Animal>
        #expect(result?.progress == nil)
        await context.perform(schedule: .enqueued) {}
        #expect(result?.finalResult?.count == 3)
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
