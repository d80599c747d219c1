import Foundation
import ObjectGraph

/// A request that sets attributes of all matching rows in the store without loading objects: to constants, or to expressions
/// computed from each row.
///
/// Nothing is validated, and no hook runs. The versions of the rows rise, so that objects that were read before conflict at their
/// next save. With several stores, each is written in a transaction of its own.
///
/// Contexts are not changed by it: merge the identifiers of the result.
nonisolated open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    private let givenEntity: NSEntityDescription?
    private let givenName: String?
    /// The predicate that selects the rows; all rows, unless set. It cannot follow relationships.
    open var predicate: NSPredicate?
    /// A Boolean value that states whether rows of subentities are updated too: `true`, unless set.
    open var includesSubentities = true
    /// The new values, by attribute name or `NSAttributeDescription`: constants, or `NSExpression` objects computed from each row.
    open var propertiesToUpdate: [AnyHashable: Any]?
    /// The kind of result: only success, unless set.
    open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType

    // MARK: Ours

    /// The progress that counts written rows of those that match.
    ///
    /// With several stores, the total grows as each store is reached. Cancelling the progress, from any thread, rolls back the
    /// update in the current store: executing the request throws `CocoaError.userCancelled` (3072), or 134040 if other stores
    /// are written already.
    ///
    /// Unless set, the progress that is current where the request is executed gets a child for it, if there is one.
    public final var progress: Progress?

    /// Creates a request for an entity of the context's model, by name.
    /// - Parameter entityName: the name of the entity.
    public init(entityName: String) {
        givenEntity = nil
        givenName = entityName
        super.init()
    }

    /// Creates a request for an entity.
    /// - Parameter entity: the entity of the rows.
    public init(entity: NSEntityDescription) {
        givenEntity = entity
        givenName = entity.name
        super.init()
    }

    /// The name of the entity.
    open var entityName: String { givenEntity?.name ?? givenName ?? "" }
    /// The entity of the rows; for a request made with a name, an empty description.
    open var entity: NSEntityDescription { givenEntity ?? NSEntityDescription() }

    /// The type of the request, `.batchUpdateRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

    /// Returns a copy of the request with all its options.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = givenEntity.map { NSBatchUpdateRequest(entity: $0) } ?? NSBatchUpdateRequest(entityName: entityName)
        copy.affectedStores = affectedStores
        copy.predicate = predicate
        copy.includesSubentities = includesSubentities
        copy.propertiesToUpdate = propertiesToUpdate
        copy.resultType = resultType
        copy.progress = progress
        return copy
    }

    /// A text with the name of the entity.
    open override var description: String { "<NSBatchUpdateRequest : entity = \(entityName)>" }
}

/// The kinds of results of a batch update.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    /// The result is `true`.
    case statusOnlyResultType = 0
    /// The result is an array of the identifiers of the written rows.
    case updatedObjectIDsResultType = 1
    /// The result is the number of written rows.
    case updatedObjectsCountResultType = 2
}

/// The result of a batch update.
nonisolated open class NSBatchUpdateResult: NSPersistentStoreResult {
    /// The kind of result, from the request.
    public let resultType: NSBatchUpdateRequestResultType
    private let count: Int
    private let updated: RowIdentifiers

    init(_ updated: RowSet, _ resultType: NSBatchUpdateRequestResultType, _ core: CoordinatorCore) {
        self.resultType = resultType
        count = updated.count
        self.updated = RowIdentifiers(resultType == .updatedObjectIDsResultType ? updated : RowSet(), core)
    }

    /// `true`, `[NSManagedObjectID]` or `Int`, depending on the request's result type.
    /// - Complexity: Identifiers are made at the first access: O(n) in the rows, once.
    public var result: Any? {
        switch resultType {
        case .statusOnlyResultType: true
        case .updatedObjectIDsResultType: updated.all
        case .updatedObjectsCountResultType: count
        }
    }
}
