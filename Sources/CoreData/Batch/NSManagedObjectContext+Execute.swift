import Foundation
import ObjectGraph

extension NSManagedObjectContext {
    /// Executes a request other than a save.
    ///
    /// Batch requests and history requests are executed by the stores and change no context; those of a child context are
    /// executed by the stores of the context at the top. A fetch request gives a complete `NSAsynchronousFetchResult`. Call it
    /// on the context's queue.
    /// - Parameter request: a batch, history or fetch request.
    /// - Returns: The result, of the class that belongs to the request.
    /// - Throws: `CocoaError`: 134070 for a context without a coordinator; 134091 for a store that does not support the
    ///   request; 134050 for a batch delete that would leave a mandatory relationship empty, 1600 for one that a deny rule
    ///   forbids (if several rules forbid it, all are in `NSDetailedErrors`); 1550, 1551 and 1570 for values that a batch
    ///   insert or update cannot write; 134040 when a batch update is done in some stores only; 134301 for a history token that
    ///   expired; 3072 after cancellation.
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

    /// The author of transactions that requests write: the context's own, else that of the root context, which executes the
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
        NSBatchDeleteResult(try BatchDelete(request, self).run(), request.resultType, core)
    }

    /// Executes a batch delete, and merges it into this context and all others of its coordinator, cascaded rows and surviving rows
    /// that lost links included. Unsaved changes stay unsaved.
    ///
    /// Call it on the context's queue.
    /// - Parameter batchDeleteRequest: the request; its `mergesIntoLiveContexts` is not changed.
    /// - Throws: `CocoaError`: 134050 for a mandatory relationship that would be left empty, 1600 for a deny rule (if several rules
    ///   forbid it, all are in `NSDetailedErrors`), 134091 for a store that does not support the request, 134070 beyond the
    ///   request's `deletionLimit`, 3072 after cancellation.
    public func executeAndMergeChanges(using batchDeleteRequest: NSBatchDeleteRequest) throws {
        checkQueue()
        let request = batchDeleteRequest.copy() as? NSBatchDeleteRequest ?? batchDeleteRequest
        request.mergesIntoLiveContexts = true
        _ = try execute(request) as NSPersistentStoreResult
    }
}
