import Foundation
import ObjectGraph

extension NSManagedObjectContext {
    /// Executes a request that is no save. Batch requests go to the stores and past contexts, this one too; from a child
    /// context, to the stores of the context at the top. A fetch gives an `NSAsynchronousFetchResult` that is complete.
    /// - Throws: `CocoaError`: 134091 for a store that does not know the request, 134050 for a batch delete that would leave
    ///   a mandatory relationship empty, 1600 for one that a deny rule forbids (where several rules stand in the way, all are
    ///   in `NSDetailedErrors`), 134040 when a batch update is done in some stores only.
    @discardableResult
    public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        checkQueue()
        processChangesBeforeRequest()
        try requireCoordinator()
        if let result = try executeInIncrementalStore(request) { return result }
        switch request {
        case let request as NSBatchDeleteRequest: return try execute(request)
        case let request as NSBatchInsertRequest: return try execute(request)
        case let request as NSBatchUpdateRequest: return try execute(request)
        case let request as NSPersistentHistoryChangeRequest:
            return try HistoryExecution(request: request, core: core).run()
        case let request as any AsynchronousFetch: return request.begin(in: self)
        case let request as any ExecutableFetch: return try request.result(in: self)
        default:
            throw CocoaError(
                .persistentStoreUnsupportedRequestType, text: "Unknown command type \(request)")
        }
    }

    /// The author of transactions that requests make: the context's own, else that of the root context, which executes the
    /// requests of its descendants. Only on this context's queue.
    final var authorOfRequests: String? { transactionAuthor ?? authorOfRoot }

    private final var authorOfRoot: String? {
        guard let parent else { return transactionAuthor }
        return parent.queue.sync { parent.authorOfRoot }
    }

    final func requireCoordinator() throws {
        guard persistentStoreCoordinator != nil else {
            throw CocoaError(
                .persistentStoreOperation,
                text: "The context has no persistent store coordinator; set it before a request is executed.")
        }
    }

    private func execute(_ request: NSBatchDeleteRequest) throws -> NSPersistentStoreResult {
        let outcome = try BatchDelete(request, self).run()
        return NSBatchDeleteResult(outcome, request.resultType, core)
    }

    /// Executes a batch delete, and takes what it did into this context and all others of its coordinator: rows deleted by
    /// rule and survivors that were cut loose, too. Unsaved work stays unsaved.
    /// - Throws: As `execute(_:)`.
    public func executeAndMergeChanges(using batchDeleteRequest: NSBatchDeleteRequest) throws {
        checkQueue()
        let request = batchDeleteRequest.copy() as? NSBatchDeleteRequest ?? batchDeleteRequest
        request.mergesIntoLiveContexts = true
        _ = try execute(request) as NSPersistentStoreResult
    }
}
