import CoreData

/// Work on many items in the background: each task runs on a queue of its own, and merges its changes into the view context.
public struct MomentTasks: Sendable {
    private let controller: PersistenceController

    public init(controller: PersistenceController) { self.controller = controller }

    public struct Draft: Codable, Sendable {
        public var timestamp: Date
        public var note: String?

        public init(timestamp: Date, note: String? = nil) {
            self.timestamp = timestamp
            self.note = note
        }
    }

    /// Inserts all items in one statement, without making objects.
    /// - Returns: the number of inserted items.
    @discardableResult
    public func insert(_ drafts: [Draft]) async throws -> Int {
        let context = controller.newTaskContext()
        return try await context.perform {
            var index = 0
            let request = NSBatchInsertRequest(
                entity: Moment.entity(),
                managedObjectHandler: { object in
                    guard index < drafts.count, let item = object as? Moment else { return true }
                    item.timestamp = drafts[index].timestamp
                    item.note = drafts[index].note
                    index += 1
                    return false
                })
            request.resultType = .objectIDs
            let ids = try (context.execute(request) as? NSBatchInsertResult)?.result as? [NSManagedObjectID] ?? []
            merge([NSInsertedObjectIDsKey: ids])
            return ids.count
        }
    }

    /// Deletes all items before a date in one statement.
    /// - Returns: the number of deleted items.
    @discardableResult
    public func deleteItems(before date: Date) async throws -> Int {
        let context = controller.newTaskContext()
        return try await context.perform {
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Moment")
            request.predicate = NSPredicate(format: "timestamp < %@", date as NSDate)
            let deletion = NSBatchDeleteRequest(fetchRequest: request)
            deletion.resultType = .resultTypeObjectIDs
            let ids = try (context.execute(deletion) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID] ?? []
            merge([NSDeletedObjectIDsKey: ids])
            return ids.count
        }
    }

    /// Batch requests bypass all contexts, so their results are merged into the view context.
    private func merge(_ changes: [String: [NSManagedObjectID]]) {
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: changes, into: [controller.container.viewContext])
    }

    /// The number of history transactions made by tasks.
    public func transactionsOfTasks() async throws -> Int {
        let context = controller.newTaskContext()
        return try await context.perform {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
            return transactions.filter { $0.author == "task" }.count
        }
    }
}
