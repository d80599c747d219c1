import CoreData
import ObjectGraph
import SQLiteStore
import Testing

/// Batch deletes of a limited number of rows, and writes of other connections meanwhile.
@Suite("Batch deletes with a limit, with concurrent writers")
struct BatchDeleteLimitTests {
    @Test("With several stores, offset and limit apply to the rows of all stores, in store order")
    func windowOverStores() throws {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        for number in 0..<8 {
            let tag = stack.insert("Tag", ["label": "\(number)"])
            if number % 2 == 0 { stack.context.assign(tag, to: second) }
        }
        try stack.context.save()
        let fetch = stack.request("Tag")
        fetch.sortDescriptors = [NSSortDescriptor(key: "label", ascending: false)]
        (fetch.fetchLimit, fetch.fetchOffset) = (3, 2)
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeCount
        #expect(try (stack.context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 3)
        let left = try stack.newContext().fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        #expect(Set(left.compactMap { $0.value(forKey: "label") as? String }) == ["0", "1", "2", "6", "7"])
    }

    /// Tries to write while a batch is about to be committed.
    private final class Rival: DeletionDelegate {
        let url: URL
        let found = Locked<[Bool]>([])

        init(_ url: URL) { self.url = url }

        func willDelete(_ rows: [RowIdentifier]) throws {
            let canWrite = try canWrite()
            found.withLock { $0.append(canWrite) }
        }

        func canWrite() throws -> Bool {
            let connection = try Connection(.file(url), access: .readWrite)
            connection.busyTimeout = 0
            do {
                try connection.inTransaction(.immediate) {}
                return true
            } catch let error as SQLiteError where error.isBusy {
                return false
            }
        }
    }

    @Test(
        "Other connections cannot write during a batch delete; repeated deletes with a limit let them write in between"
    )
    func rivals() throws {
        let stack = try TestStack(.file)
        for number in 0..<25 { stack.insert("Tag", ["label": "\(number)"]) }
        try stack.context.save()
        let rival = Rival(stack.fileURL())
        stack.coordinator.deletionDelegate = rival
        let fetch = stack.request("Tag")
        fetch.fetchLimit = 10
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeCount
        var counts: [Int?] = []
        repeat {
            counts.append(try (stack.context.execute(request) as? NSBatchDeleteResult)?.result as? Int)
            #expect(try rival.canWrite())
        } while counts.last != 0 && counts.count < 10
        #expect(counts == [10, 10, 5, 0])
        #expect(rival.found.withLock { $0 } == [false, false, false])
        #expect(try stack.count("Tag") == 0)
    }

    @Test("A concurrent reader sees the rows unchanged until the delete is committed")
    func readers() throws {
        let stack = try TestStack(.file)
        for number in 0..<5 { stack.insert("Tag", ["label": "\(number)"]) }
        try stack.context.save()
        let reader = Reader(stack)
        stack.coordinator.deletionDelegate = reader
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: stack.request("Tag")))
        #expect(reader.counts.withLock { $0 } == [5])
        #expect(try stack.count("Tag") == 0)
    }

    private final class Reader: DeletionDelegate {
        let counts = Locked<[Int]>([])
        private let count: @Sendable () throws -> Int

        init(_ stack: TestStack) {
            let coordinator = stack.coordinator
            count = {
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
            }
        }

        func willDelete(_ rows: [RowIdentifier]) throws {
            let found = try count()
            counts.withLock { $0.append(found) }
        }
    }
}
