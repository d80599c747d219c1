import ObjectGraph
import SQLiteStore
import Testing

@testable import CoreData

/// `NSPersistentHistoryChangeRequest.deleteHistory(before:)` when it fails.
@Suite struct HistoryDeletingTests {
    private static var options: [String: Any] {
        [NSPersistentHistoryTrackingKey: true, NSPersistentStoreTimeoutOption: 0.1]
    }

    private func stack(saves: Int = 2) throws -> TestStack {
        let stack = try TestStack(.file, options: Self.options)
        for _ in 0..<saves {
            stack.insert("Tag")
            try stack.context.save()
        }
        return stack
    }

    private func numbers(_ stack: TestStack) throws -> [Int64] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try (stack.context.execute(request) as? NSPersistentHistoryResult)?.result
        return (result as? [NSPersistentHistoryTransaction] ?? []).map(\.transactionNumber)
    }

    @Test("A token of other stores, or of a later state of the file, throws 134301, and no history is deleted")
    func foreignTokens() throws {
        let (stack, other) = (try stack(), try stack(saves: 1))
        let foreign = try #require(other.coordinator.currentPersistentHistoryToken(fromStores: nil))
        let store = try #require(stack.coordinator.persistentStores.first)
        let later = NSPersistentHistoryToken(HistoryToken([store.identifier: 3]))
        for token in [foreign, later] {
            let request = NSPersistentHistoryChangeRequest.deleteHistory(before: token)
            #expect(code { try stack.context.execute(request) } == 134301)
        }
        #expect(try numbers(stack) == [1, 2])
        let newest = NSPersistentHistoryToken(HistoryToken([store.identifier: 2]))
        let request = NSPersistentHistoryChangeRequest.deleteHistory(before: newest)
        request.resultType = .count
        #expect(try (stack.context.execute(request) as? NSPersistentHistoryResult)?.result as? Int == 1)
        #expect(try numbers(stack) == [2])
        // Deleting history that is already deleted does nothing.
        let first = NSPersistentHistoryToken(HistoryToken([store.identifier: 1]))
        try stack.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: first))
        #expect(try numbers(stack) == [2])
    }

    @Test("If one of several stores refuses, no history is deleted in any")
    func refused() throws {
        let (stack, other) = (try stack(), try stack(saves: 1))
        let options = Self.options.merging([NSReadOnlyPersistentStoreOption: true]) { $1 }
        try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: other.fileURL(), options: options)
        let request = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
        #expect(code { try stack.context.execute(request) } == 134030)
        #expect(try numbers(stack).sorted() == [1, 1, 2])
    }

    @Test("If a store fails after another is done, the error is 134040, and contains the store's own error")
    func partialFailure() throws {
        let stack = try stack()
        let second = try stack.add(.file, "second", options: Self.options)
        let tag = stack.insert("Tag")
        stack.context.assign(tag, to: second)
        try stack.context.save()
        let writer = try Connection(.file(stack.fileURL("second")), access: .readWrite)
        let request = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
        let error = try writer.inTransaction(.immediate) {
            #expect(throws: CocoaError.self) { try stack.context.execute(request) }
        }
        #expect(error?.errorCode == 134040)
        #expect((error?.userInfo[NSDetailedErrorsKey] as? [CocoaError])?.map(\.errorCode) == [134090])
        #expect(try numbers(stack) == [1])
    }
}
