import Foundation

/// A request that inserts many rows of one entity into a store without registering objects: no hook runs, and relationships
/// cannot be set.
///
/// Where a row with the same unique values exists, it is left unchanged, or is updated if the context's merge policy prefers
/// unsaved changes. The rows go to the first store that has the entity and can be written.
///
/// Contexts are not changed by it: merge the identifiers of the result.
nonisolated open class NSBatchInsertRequest: NSPersistentStoreRequest {
    private let givenEntity: NSEntityDescription?
    private let givenName: String?
    /// The rows as dictionaries of attribute values by name.
    open var objectsToInsert: [[String: Any]]?
    /// A closure that fills the dictionary of the next row; it returns `true` when there are no more rows.
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?
    /// A closure that fills the object of the next row; it returns `true` when there are no more rows. The object is in no context.
    open var managedObjectHandler: ((NSManagedObject) -> Bool)?
    /// The kind of result: only success, unless set.
    open var resultType: NSBatchInsertRequestResultType = .statusOnly

    // MARK: Ours

    /// The progress that counts written rows.
    ///
    /// With `objectsToInsert`, the total is known from the start. Cancelling the progress, from any thread, rolls back the whole
    /// batch: executing the request throws `CocoaError.userCancelled` (3072).
    ///
    /// Unless set, the progress that is current where the request is executed gets a child for it, if there is one.
    public final var progress: Progress?

    private init(_ entity: NSEntityDescription?, _ name: String?) {
        givenEntity = entity
        givenName = name
        super.init()
    }

    /// Creates a request without an entity, which no store accepts; use the other initialisers.
    public convenience override init() {
        self.init(nil, nil)
    }

    /// Creates a request that inserts a row for each dictionary.
    /// - Parameters:
    ///   - entityName: the name of the entity in the context's model.
    ///   - dictionaries: attribute values by name. A missing attribute gets its default.
    public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
        self.init(nil, entityName)
        objectsToInsert = dictionaries
    }

    /// Creates a request that inserts a row for each dictionary.
    /// - Parameters:
    ///   - entity: the entity of the rows.
    ///   - dictionaries: attribute values by name. A missing attribute gets its default.
    public convenience init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
        self.init(entity, nil)
        objectsToInsert = dictionaries
    }

    /// Creates a request that gets the values of each row from a closure.
    /// - Parameters:
    ///   - entityName: the name of the entity in the context's model.
    ///   - handler: fills the dictionary of the next row; returns `true` when there are no more rows.
    public convenience init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
        self.init(nil, entityName)
        dictionaryHandler = handler
    }

    /// Creates a request that gets the values of each row from a closure.
    /// - Parameters:
    ///   - entity: the entity of the rows.
    ///   - handler: fills the dictionary of the next row; returns `true` when there are no more rows.
    public convenience init(
        entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entity, nil)
        dictionaryHandler = handler
    }

    /// Creates a request that gets the values of each row from an object that a closure fills.
    /// - Parameters:
    ///   - entityName: the name of the entity in the context's model.
    ///   - handler: fills the object of the next row; returns `true` when there are no more rows. The object is in no context.
    public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
        self.init(nil, entityName)
        managedObjectHandler = handler
    }

    /// Creates a request that gets the values of each row from an object that a closure fills.
    /// - Parameters:
    ///   - entity: the entity of the rows.
    ///   - handler: fills the object of the next row; returns `true` when there are no more rows. The object is in no context.
    public convenience init(
        entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(entity, nil)
        managedObjectHandler = handler
    }

    /// The name of the entity.
    open var entityName: String { givenEntity?.name ?? givenName ?? "" }
    /// The entity of the rows; `nil` for a request made with a name.
    open var entity: NSEntityDescription? { givenEntity }

    /// The number of rows, if no handler supplies them.
    final var listedCount: Int? {
        dictionaryHandler == nil && managedObjectHandler == nil ? objectsToInsert?.count ?? 0 : nil
    }

    /// The type of the request, `.batchInsertRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

    /// Returns a copy of the request with all its options.
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

    /// A text with the name of the entity.
    open override var description: String { "<NSBatchInsertRequest : entity = \(entityName)>" }
}

/// The kinds of results of a batch insert.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
    /// The result is `true`.
    case statusOnly = 0
    /// The result is an array of the identifiers of the written rows, in their order.
    case objectIDs = 1
    /// The result is the number of written rows.
    case count = 2
}

/// The result of a batch insert.
nonisolated open class NSBatchInsertResult: NSPersistentStoreResult {
    /// `true`, `[NSManagedObjectID]` or `Int`, depending on the request's result type.
    public let result: Any?
    /// The kind of result, from the request.
    public let resultType: NSBatchInsertRequestResultType

    init(_ result: Any?, _ resultType: NSBatchInsertRequestResultType) {
        self.result = result
        self.resultType = resultType
    }
}
