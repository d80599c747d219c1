import Foundation

/// A description of the objects of an entity to fetch, and of their order and form.
///
/// ```swift
/// let request = NSFetchRequest<Animal>(entityName: "Animal")
/// request.predicate = NSPredicate(format: "age > %d", 3)
/// let animals = try context.fetch(request)
/// ```
nonisolated open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
    private var storedEntity: NSEntityDescription?
    private var storedName: String?

    /// The predicate that objects must satisfy; `nil`, unless set, for all objects.
    open var predicate: NSPredicate?
    /// The order of the results; `nil`, unless set, for the order of the store.
    open var sortDescriptors: [NSSortDescriptor]?
    /// The maximum number of results; 0, unless set, for no limit.
    open var fetchLimit = 0
    /// The number of results to skip: 0, unless set.
    open var fetchOffset = 0
    /// The number of objects that are read at a time, once a value of one of them is used; 0, unless set, reads all with the fetch.
    ///
    /// If unsaved changes may decide which objects match, all are read with the fetch.
    open var fetchBatchSize = 0
    /// The form of the results: managed objects, unless set.
    open var resultType: NSFetchRequestResultType = .managedObjectResultType
    /// A Boolean value that states whether objects of subentities are fetched too: `true`, unless set.
    open var includesSubentities = true
    /// A Boolean value that states whether the values of the objects are read with the fetch: `true`, unless set.
    open var includesPropertyValues = true
    /// A Boolean value that states whether objects are returned as faults, which fire when they are first used: `true`, unless set.
    open var returnsObjectsAsFaults = true
    /// The key paths of relationships whose objects are read with the fetch, one statement for each.
    open var relationshipKeyPathsForPrefetching: [String]?
    /// A Boolean value that states whether unsaved changes of the context are considered: `true`, unless set. For dictionaries it
    /// never is.
    open var includesPendingChanges = true
    /// A Boolean value that states whether equal dictionaries are returned once: `false`, unless set.
    open var returnsDistinctResults = false
    /// The properties to fetch.
    ///
    /// For dictionaries, these are their contents: names, attributes, to-one relationships, or expressions; all attributes,
    /// unless set. For objects that are returned as faults, these are the values that are read with the fetch: names,
    /// attributes or to-one relationships; the others are read when one of them is first used.
    open var propertiesToFetch: [Any]?
    /// The properties by which dictionaries are grouped: one dictionary for each group of objects with equal values of these.
    open var propertiesToGroupBy: [Any]?
    /// The predicate that groups must satisfy. It names columns of the dictionaries: properties by name, computed columns as
    /// variables.
    open var havingPredicate: NSPredicate?
    /// A Boolean value that has no effect: a fetch always refreshes objects without changes.
    open var shouldRefreshRefetchedObjects = false

    /// Creates a request without an entity. Set ``entity`` before it is used.
    public override init() {
        super.init()
    }

    /// Creates a request for an entity by name.
    /// - Parameter entityName: the name of an entity of the context's model.
    public convenience init(entityName: String) {
        self.init()
        storedName = entityName
    }

    /// The entity to fetch; `nil` for a request made with a name, which each context looks up in its own model.
    open var entity: NSEntityDescription? {
        get { storedEntity }
        set {
            storedEntity = newValue
            storedName = newValue?.name
        }
    }

    /// The name of the entity to fetch.
    open var entityName: String? { storedEntity?.name ?? storedName }

    /// The type of the request, `.fetchRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// Fetches from the context in whose block this is called.
    /// - Returns: The results.
    /// - Throws: `CocoaError` 132000 outside of a context's block, 134060 for a request that the model does not allow, and
    ///   errors of reading the store.
    open func execute() throws -> [ResultType] {
        guard let context = NSManagedObjectContext.current else {
            throw CocoaError(
                .managedObjectContextLocking,
                text: "A request is executed within a context's perform block; or use fetch(_:).")
        }
        return try context.results(of: self).compactMap { $0 as? ResultType }
    }

    /// Returns a copy of the request with all its options.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchRequest<ResultType>()
        copy.copyProperties(from: self)
        return copy
    }

    /// Returns the same request for results of another type, which Swift does not convert by a cast.
    /// - Parameter type: the type of the results.
    /// - Returns: A copy of the request.
    public func converted<Other>(to type: Other.Type = Other.self) -> NSFetchRequest<Other> {
        let copy = NSFetchRequest<Other>()
        copy.copyProperties(from: self)
        return copy
    }

    private func copyProperties<Other>(from other: NSFetchRequest<Other>) {
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

    /// A text with the entity, predicate, limit and offset.
    open override var description: String {
        "<NSFetchRequest: entity \(entityName ?? "none"); predicate: \(predicate?.formatText ?? "none"); limit: "
            + "\(fetchLimit); offset: \(fetchOffset)>"
    }
}
