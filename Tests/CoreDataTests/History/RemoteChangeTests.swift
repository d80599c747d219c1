import CoreData
import Foundation
import TestSupport
import Testing

/// `.NSPersistentStoreRemoteChange`, for any writer.
@Suite(.timeLimit(.minutes(1))) struct RemoteChangeTests {
    private static var options: [String: Any] {
        [NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
    }

    /// The transaction numbers of the notifications' tokens.
    private func tokens(
        of coordinator: NSPersistentStoreCoordinator
    ) -> (AsyncStream<NSPersistentHistoryToken>, any NSObjectProtocol) {
        let (stream, continuation) = AsyncStream.makeStream(of: NSPersistentHistoryToken.self)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { notification in
            if let token = notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken {
                continuation.yield(token)
            }
        }
        return (stream, observer)
    }

    @Test("A save of another process is posted, and is in the history", .enabled(if: BuiltProgram.crashChild.exists))
    func anotherProcess() async throws {
        let neighbour = try Neighbour()
        let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: neighbour.storeURL)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: neighbour.storeURL, options: Self.options)
        let before = coordinator.currentPersistentHistoryToken(fromStores: nil)
        let (stream, observer) = tokens(of: coordinator)
        try neighbour.insert(labels: 3, author: "neighbour")
        let now = coordinator.currentPersistentHistoryToken(fromStores: [store])
        for await token in stream where token == now { break }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let found = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: before))
        let transactions = (found as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction]
        #expect(transactions?.map(\.author) == ["neighbour", "neighbour", "neighbour"])
        NotificationCenter.default.removeObserver(observer)
    }

    @Test("Another coordinator of the process is notified once for each save, as is the writer")
    func sameProcess() async throws {
        let writer = try TestStack(.file, options: Self.options)
        let reader = try TestStack(.file, addsStore: false)
        try reader.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: writer.fileURL(), options: Self.options)
        let own = Recorded(.NSPersistentStoreRemoteChange, object: writer.coordinator)
        let others = Recorded(.NSPersistentStoreRemoteChange, object: reader.coordinator)
        let (stream, observer) = tokens(of: reader.coordinator)
        for count in 1...3 {
            writer.insert("Tag")
            try writer.context.save()
            #expect(own.notifications.count == count)
        }
        // The reader may detect the save before the writer notifies it, and then posts on its own thread.
        var count = 0
        for await _ in stream {
            count += 1
            if count == 3 { break }
        }
        NotificationCenter.default.removeObserver(observer)
        #expect(others.notifications.count == 3)
        let userInfo = try #require(others.notifications.last?.userInfo)
        #expect(userInfo[NSStoreUUIDKey] as? String == writer.coordinator.persistentStores.first?.identifier)
        #expect(userInfo[NSPersistentStoreURLKey] as? URL == writer.fileURL())
        #expect(userInfo[NSPersistentHistoryTokenKey] is NSPersistentHistoryToken)
    }

    @Test("Nothing is posted without the option, or after the store was removed")
    func notAsked() throws {
        let writer = try TestStack(.file, options: [NSPersistentHistoryTrackingKey: true])
        let reader = try TestStack(.file, addsStore: false)
        let store = try reader.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: writer.fileURL(), options: Self.options)
        let own = Recorded(.NSPersistentStoreRemoteChange, object: writer.coordinator)
        let others = Recorded(.NSPersistentStoreRemoteChange, object: reader.coordinator)
        try reader.coordinator.remove(store)
        writer.insert("Tag")
        try writer.context.save()
        #expect(own.notifications.isEmpty)
        #expect(others.notifications.isEmpty)
    }

    @Test("An in-memory store that two coordinators share posts remote changes, too")
    func sharedMemory() throws {
        let url = URL(fileURLWithPath: "/dev/null/\(UUID().uuidString)")
        let stacks = try (0..<2).map { _ in
            let stack = try TestStack(addsStore: false)
            try stack.coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: Self.options)
            return stack
        }
        let others = Recorded(.NSPersistentStoreRemoteChange, object: stacks[1].coordinator)
        stacks[0].insert("Tag")
        try stacks[0].context.save()
        #expect(others.notifications.count == 1)
    }
}
