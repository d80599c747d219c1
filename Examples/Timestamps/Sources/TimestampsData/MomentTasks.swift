import CoreData

/// Work on many items, beside the views: each runs on a queue of its own, and views learn of it by merging.
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

    /// Inserts all in one statement, without making objects.
    /// - Returns: how many were inserted.
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

    /// Deletes in one statement what is older.
    /// - Returns: how many were deleted.
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

    /// Batch requests pass by all contexts: the view's learns from this.
    private func merge(_ changes: [String: [NSManagedObjectID]]) {
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: changes, into: [controller.container.viewContext])
    }

    /// Which of the stores' transactions were made by tasks.
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
