import Foundation

/// A fetch that is carried out later on its context's queue, with the results given to a closure.
open class NSAsynchronousFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest, AsynchronousFetch {
    public let fetchRequest: NSFetchRequest<ResultType>
    /// Called on the context's queue.
    public let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
    /// Kept for programs that set it, as the total of the progress.
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

    func begin(in context: NSManagedObjectContext) -> NSPersistentStoreResult {
        let result = NSAsynchronousFetchResult(self, context)
        context.perform { result.finish() }
        return result
    }
}

/// What the context asks of asynchronous requests, whatever their results.
protocol AsynchronousFetch {
    func begin(in context: NSManagedObjectContext) -> NSPersistentStoreResult
}

/// What comes later.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    public let managedObjectContext: NSManagedObjectContext
    /// Why there is no result.
    public final internal(set) var operationError: (any Error)?
    /// `nil` unless a progress was current when the request was executed.
    public let progress: Progress?
    private final let isCancelled = CancelFlag()

    init(_ context: NSManagedObjectContext, total: Int) {
        managedObjectContext = context
        progress = Progress.current() == nil ? nil : Progress(totalUnitCount: Int64(max(1, total)))
    }

    /// Gives the result up; a fetch that has begun is finished, and its results are dropped.
    open func cancel() {
        isCancelled.set()
        progress?.cancel()
    }

    final var wasCancelled: Bool { isCancelled.isSet || progress?.isCancelled == true }
}

/// Results of a fetch that was carried out later.
open class NSAsynchronousFetchResult<ResultType: NSFetchRequestResult>: NSPersistentStoreAsynchronousResult {
    public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
    /// `nil` until the fetch is done, and when it failed or was given up.
    public final private(set) var finalResult: [ResultType]?

    init(_ request: NSAsynchronousFetchRequest<ResultType>, _ context: NSManagedObjectContext) {
        fetchRequest = request
        super.init(context, total: request.estimatedResultCount)
    }

    /// On the context's queue.
    final func finish() {
        if wasCancelled {
            operationError = CocoaError(.userCancelled)
        } else {
            do {
                finalResult = try managedObjectContext.fetch(fetchRequest.narrowed)
                progress?.completedUnitCount = progress?.totalUnitCount ?? 0
            } catch {
                operationError = error
            }
        }
        fetchRequest.completionBlock?(self)
    }
}
