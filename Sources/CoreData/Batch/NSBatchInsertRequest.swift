import Foundation

/// Inserts many rows of one entity straight into a store: no object is registered, no hook and no relationship takes part. A
/// row that has what must be unique and is there already is left alone, or updated where unsaved changes win by the
/// context's merge policy.
///
/// Contexts do not notice by themselves: merge the identifiers of the result.
nonisolated open class NSBatchInsertRequest: NSPersistentStoreRequest {
    private let givenEntity: NSEntityDescription?
    private let givenName: String?
    /// One dictionary for each row.
    open var objectsToInsert: [[String: Any]]?
    /// Fills the dictionary of the next row; gives `true` when there is none.
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?
    /// Fills the object of the next row; gives `true` when there is none. The object belongs to no context.
    open var managedObjectHandler: ((NSManagedObject) -> Bool)?
    /// What the result is: nothing but success, unless set.
    open var resultType: NSBatchInsertRequestResultType = .statusOnly

    // MARK: Ours

    /// Told how many rows are written, of those in `objectsToInsert` or of as many as it was made with. Cancelling it, from
    /// any thread, takes back the whole batch: executing the request throws `CocoaError.userCancelled` (3072).
    ///
    /// Unless set, the progress that is current where the request is executed has a part in it, if there is one.
    public final var progress: Progress?

    private init(_ entity: NSEntityDescription?, _ name: String?) {
        givenEntity = entity
        givenName = name
        super.init()
    }

    /// A request without an entity, which no store takes; use the others.
    public convenience override init() {
        self.init(nil, nil)
    }

    public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
        self.init(nil, entityName)
        objectsToInsert = dictionaries
    }

    public convenience init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
        self.init(entity, nil)
        objectsToInsert = dictionaries
    }

    public convenience init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
        self.init(nil, entityName)
        dictionaryHandler = handler
    }

    public convenience init(
        entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entity, nil)
        dictionaryHandler = handler
    }

    public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
        self.init(nil, entityName)
        managedObjectHandler = handler
    }

    public convenience init(
        entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(entity, nil)
        managedObjectHandler = handler
    }

    open var entityName: String { givenEntity?.name ?? givenName ?? "" }
    /// `nil` for a request made with a name.
    open var entity: NSEntityDescription? { givenEntity }

    /// How many rows there will be, where no handler decides that.
    final var listedCount: Int? {
        dictionaryHandler == nil && managedObjectHandler == nil ? objectsToInsert?.count ?? 0 : nil
    }

    open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchInsertRequest(givenEntity, givenName)
        copy.affectedStores = affectedStores
        copy.objectsToInsert = objectsToInsert
        copy.dictionaryHandler = dictionaryHandler
        copy.managedObjectHandler = managedObjectHandler
        copy.resultType = resultType
        copy.progress = progress
        return copy
    }

    open override var description: String { "<NSBatchInsertRequest : entity = \(entityName)>" }
}

/// What a batch insert gives.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
    /// `true`.
    case statusOnly = 0
    /// Identifiers of the rows written, in their order.
    case objectIDs = 1
    /// How many rows were written.
    case count = 2
}

/// What a batch insert did.
nonisolated open class NSBatchInsertResult: NSPersistentStoreResult {
    /// `true`, `[NSManagedObjectID]` or `Int`, as the request's result type says.
    public let result: Any?
    public let resultType: NSBatchInsertRequestResultType

    init(_ result: Any?, _ resultType: NSBatchInsertRequestResultType) {
        self.result = result
        self.resultType = resultType
    }
}
