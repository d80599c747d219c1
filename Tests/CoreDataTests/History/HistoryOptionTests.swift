import CoreData
import Testing

/// The effect of the history option when a file is opened.
@Suite struct HistoryOptionTests {
    private func reopened(_ stack: TestStack, _ options: [String: Any]) throws -> TestStack {
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        let other = try TestStack(.file, addsStore: false)
        try other.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.fileURL(), options: options)
        return other
    }

    private func transactions(_ stack: TestStack) throws -> [NSPersistentHistoryTransaction]? {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        return try (stack.context.execute(request) as? NSPersistentHistoryResult)?.result
            as? [NSPersistentHistoryTransaction]
    }

    @Test("A file without history gets one when it is opened with the option")
    func begun() throws {
        let first = try TestStack(.file)
        first.insert("Tag")
        try first.context.save()
        #expect(first.coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
        let second = try reopened(first, [NSPersistentHistoryTrackingKey: true])
        #expect(try transactions(second)?.isEmpty == true)
        second.insert("Tag")
        try second.context.save()
        #expect(try transactions(second)?.map { $0.changes?.count } == [1])
        #expect(second.coordinator.currentPersistentHistoryToken(fromStores: nil) != nil)
    }

    @Test("A file with history is opened read-only without the option", arguments: [nil, false] as [Bool?])
    func forcedReadOnly(_ option: Bool?) throws {
        let first = try TestStack(.file, options: [NSPersistentHistoryTrackingKey: true])
        first.insert("Tag")
        try first.context.save()
        let second = try reopened(first, option.map { [NSPersistentHistoryTrackingKey: $0] } ?? [:])
        #expect(second.coordinator.persistentStores.first?.isReadOnly == true)
        #expect(try second.count("Tag") == 1)
        second.insert("Tag")
        #expect(code { try second.context.save() } == 134030)
        let third = try reopened(first, [NSPersistentHistoryTrackingKey: true])
        third.insert("Tag")
        try third.context.save()
        #expect(try transactions(third)?.count == 2)
    }

    @Test("A limit and an offset whose sum overflows return the remaining transactions")
    func hugeLimits() throws {
        let stack = try TestStack(.file, options: [NSPersistentHistoryTrackingKey: true])
        for _ in 0..<2 {
            stack.insert("Tag")
            try stack.context.save()
        }
        let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
        (fetch.fetchLimit, fetch.fetchOffset) = (.max, 1)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        let result = try stack.context.execute(request) as? NSPersistentHistoryResult
        #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 1)
    }
}
