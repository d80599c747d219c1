import Foundation

/// Which objects of an entity are wanted, in which order and form.
///
/// ```swift
/// let request = NSFetchRequest<Animal>(entityName: "Animal")
/// request.predicate = NSPredicate(format: "age > %d", 3)
/// let animals = try context.fetch(request)
/// ```
nonisolated open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
    private var storedEntity: NSEntityDescription?
    private var storedName: String?

    open var predicate: NSPredicate?
    open var sortDescriptors: [NSSortDescriptor]?
    /// Most results; 0 for no limit.
    open var fetchLimit = 0
    /// Results to pass over, from the first.
    open var fetchOffset = 0
    /// How many objects are read at a time, once something of one of them is used; 0 reads all of them with the fetch.
    /// Unsaved work that may decide which objects are wanted reads them with the fetch too.
    open var fetchBatchSize = 0
    open var resultType: NSFetchRequestResultType = .managedObjectResultType
    /// Whether objects of the entities below are wanted too.
    open var includesSubentities = true
    /// Whether objects come with their values.
    open var includesPropertyValues = true
    /// Whether objects come as faults, which wake up when first used.
    open var returnsObjectsAsFaults = true
    /// Relationships to read along, as key paths.
    open var relationshipKeyPathsForPrefetching: [String]?
    /// Whether unsaved work takes part. It never does in dictionaries.
    open var includesPendingChanges = true
    /// Of dictionaries: whether equal ones come once.
    open var returnsDistinctResults = false
    /// Of dictionaries: what they hold, as names, attributes, to-one relationships, or expressions; all attributes, unless
    /// set. Of objects that come as faults: the values they come with, as names, attributes or to-one relationships; the
    /// others are read when one of them is first used.
    open var propertiesToFetch: [Any]?
    /// Of dictionaries: one for each group of objects with equal values of these.
    open var propertiesToGroupBy: [Any]?
    /// Which groups are wanted.
    open var havingPredicate: NSPredicate?
    /// Kept for programs that set it: objects without changes are always brought up to date by a fetch.
    open var shouldRefreshRefetchedObjects = false

    public override init() {
        super.init()
    }

    public convenience init(entityName: String) {
        self.init()
        storedName = entityName
    }

    /// `nil` for a request made with a name: which entity that is, each context finds in its own model.
    open var entity: NSEntityDescription? {
        get { storedEntity }
        set {
            storedEntity = newValue
            storedName = newValue?.name
        }
    }

    open var entityName: String? { storedEntity?.name ?? storedName }

    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// Fetches from the context in whose `perform` block this is called.
    /// - Throws: `CocoaError` outside of any, and as `NSManagedObjectContext.fetch(_:)`.
    open func execute() throws -> [ResultType] {
        guard let context = NSManagedObjectContext.current else {
            throw CocoaError(
                .managedObjectContextLocking,
                text: "A request is executed within a context's perform block; or use fetch(_:).")
        }
        return try context.results(of: self).compactMap { $0 as? ResultType }
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchRequest<ResultType>()
        copy.take(from: self)
        return copy
    }

    /// The same request for results of another type, which Swift does not convert by a cast.
    public func converted<Other>(to type: Other.Type = Other.self) -> NSFetchRequest<Other> {
        let copy = NSFetchRequest<Other>()
        copy.take(from: self)
        return copy
    }

    private func take<Other>(from other: NSFetchRequest<Other>) {
        affectedStores = other.affectedStores
        storedEntity = other.entity
        storedName = other.entityName
        predicate = other.predicate
        sortDescriptors = other.sortDescriptors
        (fetchLimit, fetchOffset, fetchBatchSize) = (other.fetchLimit, other.fetchOffset, other.fetchBatchSize)
        resultType = other.resultType
        includesSubentities = other.includesSubentities
        includesPropertyValues = other.includesPropertyValues
        returnsObjectsAsFaults = other.returnsObjectsAsFaults
        relationshipKeyPathsForPrefetching = other.relationshipKeyPathsForPrefetching
        includesPendingChanges = other.includesPendingChanges
        returnsDistinctResults = other.returnsDistinctResults
        propertiesToFetch = other.propertiesToFetch
        propertiesToGroupBy = other.propertiesToGroupBy
        havingPredicate = other.havingPredicate
        shouldRefreshRefetchedObjects = other.shouldRefreshRefetchedObjects
    }

    open override var description: String {
        "<NSFetchRequest: entity \(entityName ?? "none"); predicate: \(predicate?.formatText ?? "none"); limit: "
            + "\(fetchLimit); offset: \(fetchOffset)>"
    }
}
