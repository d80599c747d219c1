import Foundation
import ObjectGraph

/// A request that fetches later on its context's queue and passes the results to a closure.
///
/// Execute it with the context's `execute(_:)`, which returns an ``NSAsynchronousFetchResult`` at once.
nonisolated open class NSAsynchronousFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest,
    AsynchronousFetch
{
    /// The fetch to be carried out.
    public let fetchRequest: NSFetchRequest<ResultType>
    /// The closure that is called on the context's queue when the fetch is done, has failed or was cancelled.
    public let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
    /// The expected number of results, which is the total of the progress until the fetch is done: 0, unless set.
    open var estimatedResultCount = 0

    /// Creates a request.
    /// - Parameters:
    ///   - request: the fetch to be carried out.
    ///   - blk: called on the context's queue when the fetch is done, has failed or was cancelled.
    public init(
        fetchRequest request: NSFetchRequest<ResultType>,
        completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
    ) {
        fetchRequest = request
        completionBlock = blk
    }

    /// Returns a copy of the request with all its options.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSAsynchronousFetchRequest(fetchRequest: fetchRequest, completionBlock: completionBlock)
        copy.affectedStores = affectedStores
        copy.estimatedResultCount = estimatedResultCount
        return copy
    }

    /// The fetch, restricted to the affected stores of this request.
    final var narrowed: NSFetchRequest<ResultType> {
        guard let affectedStores, fetchRequest.affectedStores == nil else { return fetchRequest }
        let narrowed = fetchRequest.converted(to: ResultType.self)
        narrowed.affectedStores = affectedStores
        return narrowed
    }

    /// A child of the current progress; `nil` if no progress is current.
    final var partOfCurrentProgress: Progress? {
        Progress.current() == nil ? nil : Progress(totalUnitCount: Int64(max(0, estimatedResultCount)))
    }

    func begin(in context: NSManagedObjectContext) -> NSPersistentStoreResult {
        let result = NSAsynchronousFetchResult(self, context, progress: partOfCurrentProgress)
        context.enqueue { result.finish() }
        return result
    }
}

/// Asynchronous fetch requests, regardless of the type of their results.
protocol AsynchronousFetch {
    func begin(in context: NSManagedObjectContext) -> NSPersistentStoreResult
}

/// The result of a request that is carried out later.
nonisolated open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    /// The context that carries out the request.
    public let managedObjectContext: NSManagedObjectContext
    /// The error because of which there is no result; `nil` before the request has ended, and if it succeeded.
    public final internal(set) var operationError: (any Error)?
    /// The progress in rows; `nil` unless a progress was current when the request was executed. Cancelling it cancels the request.
    public let progress: Progress?
    /// The same progress, or one of its own that makes cancelling possible.
    private final let counting: Progress

    init(_ context: NSManagedObjectContext, _ progress: Progress?) {
        managedObjectContext = context
        self.progress = progress
        counting = progress ?? .discreteProgress(totalUnitCount: 0)
    }

    /// Cancels the request, from any thread.
    ///
    /// A fetch from a SQLite store is stopped; then, or if it has not begun, `operationError` becomes
    /// `CocoaError.userCancelled` (3072). A fetch that is done stays done.
    open func cancel() { counting.cancel() }

    final var meter: RowMeter { RowMeter(counting) }
}

/// The result of a fetch that is carried out later.
nonisolated open class NSAsynchronousFetchResult<ResultType: NSFetchRequestResult>: NSPersistentStoreAsynchronousResult
{
    /// The request that was executed.
    public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
    /// The fetched results; `nil` until the fetch is done, and if it failed or was cancelled.
    public final private(set) var finalResult: [ResultType]?

    package init(
        _ request: NSAsynchronousFetchRequest<ResultType>, _ context: NSManagedObjectContext, progress: Progress?
    ) {
        fetchRequest = request
        super.init(context, progress)
    }

    /// Carries out the fetch. Call it on the context's queue.
    package final func finish() {
        let meter = meter
        do {
            finalResult = try managedObjectContext.fetch(fetchRequest.narrowed, meter)
            meter.finish()
        } catch {
            operationError = error
        }
        fetchRequest.completionBlock?(self)
    }
}
