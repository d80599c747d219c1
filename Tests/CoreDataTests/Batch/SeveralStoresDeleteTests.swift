import CoreData
import SQLiteStore
import Testing

/// Deletes over several stores, one of which fails.
@Suite struct SeveralStoresDeleteTests {
    private let stack: TestStack
    /// The store that is written last.
    private let last: URL

    /// A tag in each of two stores.
    init() throws {
        let stack = try TestStack(.file, options: [NSPersistentStoreTimeoutOption: 0.1])
        let second = try stack.add(.file, "second", options: [NSPersistentStoreTimeoutOption: 0.1])
        let tags = (0..<2).map { stack.insert("Tag", ["label": "\($0)"]) }
        stack.context.assign(tags[1], to: second)
        try stack.context.save()
        self.stack = stack
        let stores = stack.coordinator.persistentStores.sorted { $0.identifier < $1.identifier }
        last = try #require(stores.last?.url)
    }

    private func request(archiving: Bool = false) -> NSBatchDeleteRequest {
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Tag"))
        request.archivesRows = archiving
        return request
    }

    /// The error code of a closure that runs while another connection locks the store that is written last.
    private func codeWhileLocked(_ body: () throws -> Void) throws -> Int? {
        let writer = try Connection(.file(last), access: .readWrite)
        return try writer.inTransaction(.immediate) { code(of: body) }
    }

    @Test("If a store fails, nothing is deleted in any store")
    func deleting() throws {
        let failure = try codeWhileLocked { try stack.context.execute(request()) }
        #expect(failure == CocoaError.Code.persistentStoreTimeout.rawValue)
        #expect(try stack.count("Tag") == 2)
        try stack.context.execute(request())
        #expect(try stack.count("Tag") == 0)
    }

    @Test("If a store fails, a plan is executed in no store, and can be executed again")
    func planning() throws {
        let plan = try stack.context.deletionPlan(for: request())
        #expect(try codeWhileLocked { try plan.execute() } == CocoaError.Code.persistentStoreTimeout.rawValue)
        #expect(try stack.count("Tag") == 2)
        try plan.execute()
        #expect(try stack.count("Tag") == 0)
    }

    @Test("If a store fails, nothing is restored in any store; later the same token restores both")
    func restoring() throws {
        let result = try stack.context.execute(request(archiving: true)) as? NSBatchDeleteResult
        let token = try #require(result?.deletionToken)
        let failure = try codeWhileLocked { try stack.coordinator.restore(token) }
        #expect(failure == CocoaError.Code.persistentStoreTimeout.rawValue)
        #expect(try stack.count("Tag") == 0)
        #expect(try stack.coordinator.archivedDeletions().map(\.count) == [2])
        try stack.coordinator.restore(token)
        #expect(try stack.count("Tag") == 2)
        #expect(try stack.coordinator.archivedDeletions().isEmpty)
    }

    @Test("A deletion limit applies to all stores together")
    func limit() throws {
        let limited = request()
        limited.deletionLimit = 1
        #expect(code { try stack.context.execute(limited) } == 134070)
        #expect(try stack.count("Tag") == 2)
        limited.deletionLimit = 2
        try stack.context.execute(limited)
        #expect(try stack.count("Tag") == 0)
    }
}
