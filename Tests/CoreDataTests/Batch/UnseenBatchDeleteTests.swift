import ObjectGraph
import Testing

@testable import CoreData

@Suite("Batch deletes whose deleted rows need not be known")
struct UnseenBatchDeleteTests {
    /// Notes that nothing refers to, numbered from 0.
    private func stack(notes: Int, options: [String: Any] = [:]) throws -> TestStack {
        let model = NSManagedObjectModel()
        let note = Zoo.entity("Note", NSManagedObject.self)
        note.properties = [Zoo.attribute("number", .integer64AttributeType)]
        model.entities = [note]
        let stack = try TestStack(.file, model: model, options: options)
        for number in 0..<notes { stack.insert("Note", ["number": number]) }
        try stack.context.save()
        return stack
    }

    private func run(
        _ stack: TestStack, _ change: (NSBatchDeleteRequest) -> Void = { _ in }
    ) throws -> SavedRows {
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Note", NSPredicate(format: "number >= 2")))
        change(request)
        return try BatchDelete(request, stack.context).run()
    }

    @Test(
        "are executed without a plan, and return the same count",
        arguments: [NSBatchDeleteRequestResultType.resultTypeStatusOnly, .resultTypeCount])
    func count(_ type: NSBatchDeleteRequestResultType) throws {
        let stack = try stack(notes: 5)
        let outcome = try run(stack) { $0.resultType = type }
        #expect(outcome.unseenCount == 3)
        #expect(outcome.plan.isEmpty)
        #expect(outcome.rootCount == 3)
        #expect(try stack.count("Note") == 2)
    }

    @Test("are not used for requests that need the identity of the rows")
    func planned() throws {
        let changes: [(NSBatchDeleteRequest) -> Void] = [
            { $0.resultType = .resultTypeObjectIDs }, { $0.mergesIntoLiveContexts = true }, { $0.archivesRows = true },
            { $0.deletionLimit = 3 }, { $0.fetchRequest.fetchLimit = 3 },
        ]
        for (place, change) in changes.enumerated() {
            let stack = try stack(notes: 5)
            let outcome = try run(stack, change)
            #expect(outcome.unseenCount == 0 && outcome.plan.roots.count == 3, "\(place)")
            #expect(try stack.count("Note") == 2, "\(place)")
        }
        let logged = try stack(notes: 5, options: [NSPersistentHistoryTrackingKey: true])
        #expect(try run(logged).plan.roots.count == 3)
    }

    @Test("post one remote change to coordinators with that option, and none if nothing was deleted")
    func remoteChange() throws {
        let stack = try stack(notes: 3, options: [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
        let remote = Recorded(.NSPersistentStoreRemoteChange, object: stack.coordinator)
        _ = try run(stack)
        #expect(remote.notifications.count == 1)
        _ = try run(stack)
        #expect(remote.notifications.count == 1)
    }
}
