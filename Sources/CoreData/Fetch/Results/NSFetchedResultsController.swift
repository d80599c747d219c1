import Foundation

/// A controller that holds the results of a fetch in the form of a table, in order and in sections, and keeps them up to date
/// as its context changes.
///
/// ```swift
/// let request = NSFetchRequest<Animal>(entityName: "Animal")
/// request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
/// let controller = NSFetchedResultsController(
///     fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
/// controller.delegate = self
/// try controller.performFetch()
/// ```
///
/// Use it on its context's queue. Results are kept up to date only with a delegate. Unsaved changes of the context are always
/// considered, and saves of others once the context has merged them. Finding out what an event changes costs what has changed,
/// and runs no statement, but to read rows that others have changed; the array of the results may be copied.
nonisolated open class NSFetchedResultsController<ResultType>: NSObject {
    /// The request. Changes of it take effect at the next ``performFetch()``.
    public let fetchRequest: NSFetchRequest<ResultType>
    let results: FetchedResults
    private var typed: (content: FetchedContent, version: Int, objects: [ResultType])?

    /// Creates a controller without results; call ``performFetch()``.
    /// - Parameters:
    ///   - fetchRequest: has sort descriptors; an empty list gives results in the order of the store. With sections, the
    ///     results of one section must be consecutive: the first descriptor sorts by the section's key path, or in the same
    ///     order.
    ///   - context: the context to fetch from.
    ///   - sectionNameKeyPath: the key path whose value is the name of a result's section; `nil` for a single section.
    ///   - name: has no effect, as no cache is kept.
    public init(
        fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?, cacheName name: String?
    ) {
        self.fetchRequest = fetchRequest
        results = FetchedResults(context, sectionNameKeyPath: sectionNameKeyPath, cacheName: name)
        super.init()
        results.owner = self
    }

    /// A controller of the same results for a delegate, which does not know their type.
    fileprivate init(of results: FetchedResults, _ request: NSFetchRequest<ResultType>) {
        fetchRequest = request
        self.results = results
        super.init()
    }

    /// The context that results are fetched from.
    public var managedObjectContext: NSManagedObjectContext { results.context }
    /// The key path whose value is the name of a result's section; `nil` for a single section.
    public var sectionNameKeyPath: String? { results.sectionNameKeyPath }
    /// The name given at initialisation, which has no effect.
    public var cacheName: String? { results.cacheName }

    /// The object that is notified of changes; it is not retained. Without a delegate, results stay as they were fetched.
    open var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { results.delegate }
        set { results.delegate = newValue }
    }

    /// Does nothing, as no cache is kept.
    open class func deleteCache(withName name: String?) {}

    /// Fetches the results in place of former ones. The delegate is not notified.
    /// - Throws: `CocoaError` 134060 for a request without sort descriptors, one whose order scatters a section, or one that
    ///   the model does not allow; errors of reading the stores.
    open func performFetch() throws {
        try results.fetch(fetchRequest.converted())
    }

    // MARK: Results

    /// All results in order; `nil` before the first fetch.
    open var fetchedObjects: [ResultType]? {
        guard let content = results.content else { return nil }
        if let typed, typed.content === content, typed.version == content.version { return typed.objects }
        let objects = content.objects.compactMap { $0 as? ResultType }
        typed = (content, content.version, objects)
        return objects
    }

    /// Returns the result at an index path.
    ///
    /// The process ends for an index path that is not in the table.
    /// - Parameter indexPath: an index path of the table.
    open func object(at indexPath: IndexPath) -> ResultType {
        guard let object = results.content?.object(at: indexPath) as? ResultType else {
            Misuse.stop("no object at index path \(indexPath) of the fetched results; performFetch() comes first.")
        }
        return object
    }

    /// Returns the index path of a result.
    /// - Parameter object: an object.
    /// - Returns: `nil` for an object that is not among the results.
    open func indexPath(forObject object: ResultType) -> IndexPath? {
        (object as? NSObject).flatMap(results.indexPath)
    }

    // MARK: Sections

    /// The sections; `nil` before the first fetch. Without a key path there is one section, which may be empty.
    open var sections: [any NSFetchedResultsSectionInfo]? { results.content?.sections }

    /// The index titles of the sections that have one.
    open var sectionIndexTitles: [String] { results.content?.sections.compactMap(\.indexTitle) ?? [] }

    /// Returns the index title of a section: the first letter of its name as a capital, unless overridden.
    /// - Parameter sectionName: the name of the section.
    /// - Returns: `nil` for a section without a title.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        // A controller that was passed to a delegate asks the program's own, whose class may override this.
        if let owner = results.owner, owner !== self { return owner.indexTitle(forSectionName: sectionName) }
        return sectionName.first.map { String($0).uppercased() }
    }

    /// Returns the index of the section that an index title belongs to.
    /// - Parameters:
    ///   - title: the title.
    ///   - sectionIndex: the position of the title in `sectionIndexTitles`.
    /// - Returns: `NSNotFound` for a title that is not in the index.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        let sections = results.content?.sections ?? []
        let titled = sections.indices.filter { sections[$0].indexTitle != nil }
        if titled.indices.contains(sectionIndex), sections[titled[sectionIndex]].indexTitle == title {
            return titled[sectionIndex]
        }
        return sections.firstIndex { $0.indexTitle == title } ?? NSNotFound
    }

    // MARK: Identity

    /// Returns whether another controller holds the same results; the controller passed to a delegate equals the program's own.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? any FetchedResultsOwner)?.results === results
    }

    /// A hash of the identity of the results.
    open override var hash: Int { ObjectIdentifier(results).hashValue }
}

// Not Sendable, subclasses included: a controller is used where its context is.
@available(*, unavailable)
extension NSFetchedResultsController: @unchecked Sendable {}

/// The program's controller, regardless of the type of its results.
protocol FetchedResultsOwner: AnyObject {
    var results: FetchedResults { get }
    /// The controller with the type that delegates receive.
    var untyped: NSFetchedResultsController<any NSFetchRequestResult> { get }
    func indexTitle(forSectionName name: String) -> String?
}

extension NSFetchedResultsController: FetchedResultsOwner {
    var untyped: NSFetchedResultsController<any NSFetchRequestResult> {
        self as? NSFetchedResultsController<any NSFetchRequestResult>
            ?? NSFetchedResultsController<any NSFetchRequestResult>(of: results, fetchRequest.converted())
    }

    func indexTitle(forSectionName name: String) -> String? {
        sectionIndexTitle(forSectionName: name)
    }
}
