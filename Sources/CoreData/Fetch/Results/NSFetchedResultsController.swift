import Foundation

/// The results of a fetch in the form of a table: in order, in sections, and, for a delegate, kept as the context changes.
///
/// ```swift
/// let request = NSFetchRequest<Animal>(entityName: "Animal")
/// request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
/// let controller = NSFetchedResultsController(
///     fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
/// controller.delegate = self
/// try controller.performFetch()
/// ```
/// It is used on its context's queue. A change costs in proportion to the number of results, without a statement where it
/// concerns the changed objects alone. Without a delegate, results stay as they were fetched. Unsaved work of the context
/// always takes part, and what others saved once the context has merged it.
nonisolated open class NSFetchedResultsController<ResultType>: NSObject {
    /// May be changed; `performFetch()` then shows it.
    public let fetchRequest: NSFetchRequest<ResultType>
    let results: FetchedResults
    private var typed: (content: FetchedContent, objects: [ResultType])?

    /// - Parameters:
    ///   - fetchRequest: with sort descriptors; an empty list gives results in the order of the store. With sections, results
    ///     of one section must follow each other: the first descriptor is the section's key path, or orders results as it
    ///     does.
    ///   - sectionNameKeyPath: what results of one section have in common; `nil` for a single section.
    ///   - cacheName: kept for programs that set it. Sections are worked out from the results that are fetched anyway.
    public init(
        fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?, cacheName name: String?
    ) {
        self.fetchRequest = fetchRequest
        results = FetchedResults(context, sectionNameKeyPath: sectionNameKeyPath, cacheName: name)
        super.init()
        results.owner = self
    }

    /// The same results for a delegate, who does not know of their type.
    fileprivate init(of results: FetchedResults, _ request: NSFetchRequest<ResultType>) {
        fetchRequest = request
        self.results = results
        super.init()
    }

    public var managedObjectContext: NSManagedObjectContext { results.context }
    public var sectionNameKeyPath: String? { results.sectionNameKeyPath }
    public var cacheName: String? { results.cacheName }

    /// Told of changes; without one, results stay as they were fetched. It is not kept alive.
    open var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { results.delegate }
        set { results.delegate = newValue }
    }

    /// Nothing is kept beside the results; for programs that call it before they change a request.
    open class func deleteCache(withName name: String?) {}

    /// Fetches, in place of what was fetched before. The delegate is not told.
    /// - Throws: `CocoaError` 134060 for a request without sort descriptors, or one whose order scatters a section; else as
    ///   `NSManagedObjectContext.fetch(_:)`.
    open func performFetch() throws {
        try results.fetch(fetchRequest.converted())
    }

    // MARK: Results

    /// All results in order; `nil` before the first fetch.
    open var fetchedObjects: [ResultType]? {
        guard let content = results.content else { return nil }
        if let typed, typed.content === content { return typed.objects }
        let objects = content.objects.compactMap { $0 as? ResultType }
        typed = (content, objects)
        return objects
    }

    /// The result at a place, which must be one of the table.
    open func object(at indexPath: IndexPath) -> ResultType {
        guard let object = results.content?.object(at: indexPath) as? ResultType else {
            Misuse.stop("no object at index path \(indexPath) of the fetched results; performFetch() comes first.")
        }
        return object
    }

    /// - Returns: `nil` for what is not among the results.
    open func indexPath(forObject object: ResultType) -> IndexPath? {
        (object as? NSObject).flatMap { results.content?.indexPath(of: $0) }
    }

    // MARK: Sections

    /// `nil` before the first fetch. Without a key path there is one section, which may be empty.
    open var sections: [any NSFetchedResultsSectionInfo]? { results.content?.sections }

    /// One title for each section that has one.
    open var sectionIndexTitles: [String] { results.content?.sections.compactMap(\.indexTitle) ?? [] }

    /// What stands for a section in an index: the first letter of its name as a capital. To be overridden.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        // Who was handed over to a delegate asks the one that was made, whose class may know better.
        if let owner = results.owner, owner !== self { return owner.indexTitle(forSectionName: sectionName) }
        return sectionName.first.map { String($0).uppercased() }
    }

    /// The section that an entry of the index leads to.
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

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? any FetchedResultsOwner)?.results === results
    }

    open override var hash: Int { ObjectIdentifier(results).hashValue }
}

// Says that it is not, to subclasses too: it is used where its context is.
@available(*, unavailable)
extension NSFetchedResultsController: @unchecked Sendable {}

/// The controller that a program made, whatever the type of its results.
protocol FetchedResultsOwner: AnyObject {
    var results: FetchedResults { get }
    /// The controller as delegates know it.
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
