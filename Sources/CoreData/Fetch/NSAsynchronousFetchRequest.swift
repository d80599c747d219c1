import Foundation
import ObjectGraph

/// A fetch that is carried out later on its context's queue, with the results given to a closure.
nonisolated open class NSAsynchronousFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest,
    AsynchronousFetch
{
    public let fetchRequest: NSFetchRequest<ResultType>
    /// Called on the context's queue.
    public let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
    /// The total of the progress until the fetch is done; without it there is none.
    open var estimatedResultCount = 0

    public init(
        fetchRequest request: NSFetchRequest<ResultType>,
        completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
    ) {
        fetchRequest = request
        completionBlock = blk
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSAsynchronousFetchRequest(fetchRequest: fetchRequest, completionBlock: completionBlock)
        copy.affectedStores = affectedStores
        copy.estimatedResultCount = estimatedResultCount
        return copy
    }

    /// The fetch, of the stores that this request is for.
    final var narrowed: NSFetchRequest<ResultType> {
        guard let affectedStores, fetchRequest.affectedStores == nil else { return fetchRequest }
        let narrowed = fetchRequest.converted(to: ResultType.self)
        narrowed.affectedStores = affectedStores
        return narrowed
    }

    /// `nil` where no progress is current.
    final var partOfCurrentProgress: Progress? {
        Progress.current() == nil ? nil : Progress(totalUnitCount: Int64(max(0, estimatedResultCount)))
    }

    func begin(in context: NSManagedObjectContext) -> NSPersistentStoreResult {
        let result = NSAsynchronousFetchResult(self, context, progress: partOfCurrentProgress)
        context.enqueue { result.finish() }
        return result
    }
}

/// What the context asks of asynchronous requests, whatever their results.
protocol AsynchronousFetch {
    func begin(in context: NSManagedObjectContext) -> NSPersistentStoreResult
}

/// What comes later.
nonisolated open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    public let managedObjectContext: NSManagedObjectContext
    /// Why there is no result.
    public final internal(set) var operationError: (any Error)?
    /// Counts rows as they are read; to cancel it cancels the fetch. `nil` unless a progress was current when the request was
    /// executed.
    public let progress: Progress?
    /// The same, or one that nobody sees.
    private final let counting: Progress

    init(_ context: NSManagedObjectContext, _ progress: Progress?) {
        managedObjectContext = context
        self.progress = progress
        counting = progress ?? .discreteProgress(totalUnitCount: 0)
    }

    /// Gives the result up. A fetch that reads SQLite is stopped; then, or when it has not begun, `operationError` is
    /// `CocoaError.userCancelled` (3072). One that is done stays done.
    open func cancel() { counting.cancel() }

    final var meter: RowMeter { RowMeter(counting) }
}

/// Results of a fetch that was carried out later.
nonisolated open class NSAsynchronousFetchResult<ResultType: NSFetchRequestResult>: NSPersistentStoreAsynchronousResult
{
    public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
    /// `nil` until the fetch is done, and when it failed or was given up.
    public final private(set) var finalResult: [ResultType]?

    package init(
        _ request: NSAsynchronousFetchRequest<ResultType>, _ context: NSManagedObjectContext, progress: Progress?
    ) {
        fetchRequest = request
        super.init(context, progress)
    }

    /// On the context's queue.
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
