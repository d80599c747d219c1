import Foundation
import ObjectGraph

/// Gives all rows that match new values, straight in the store: constants, or expressions computed from each row. Nothing is
/// validated, no hook runs; the rows' versions rise, so that objects read before conflict at their next save.
///
/// Contexts do not notice by themselves: merge the identifiers of the result.
nonisolated open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    private let givenEntity: NSEntityDescription?
    private let givenName: String?
    /// Which rows; all, unless set. It cannot lead through relationships.
    open var predicate: NSPredicate?
    /// Whether rows of the entities below are meant too.
    open var includesSubentities = true
    /// Constants or `NSExpression`s, by name or `NSAttributeDescription`.
    open var propertiesToUpdate: [AnyHashable: Any]?
    /// What the result is: nothing but success, unless set.
    open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType

    // MARK: Ours

    /// Told how many rows are written of those that match; with several stores, of those reached so far. Cancelling it, from
    /// any thread, takes back what is done in the store: executing the request throws `CocoaError.userCancelled` (3072).
    ///
    /// Unless set, the progress that is current where the request is executed has a part in it, if there is one.
    public final var progress: Progress?

    public init(entityName: String) {
        givenEntity = nil
        givenName = entityName
        super.init()
    }

    public init(entity: NSEntityDescription) {
        givenEntity = entity
        givenName = entity.name
        super.init()
    }

    open var entityName: String { givenEntity?.name ?? givenName ?? "" }
    /// Of a request made with a name, an entity without anything.
    open var entity: NSEntityDescription { givenEntity ?? NSEntityDescription() }

    open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

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

    open override var description: String { "<NSBatchUpdateRequest : entity = \(entityName)>" }
}

/// What a batch update gives.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    /// `true`.
    case statusOnlyResultType = 0
    /// Identifiers of the rows written.
    case updatedObjectIDsResultType = 1
    /// How many rows were written.
    case updatedObjectsCountResultType = 2
}

/// What a batch update did.
nonisolated open class NSBatchUpdateResult: NSPersistentStoreResult {
    public let resultType: NSBatchUpdateRequestResultType
    private let count: Int
    private let updated: RowIdentifiers

    init(_ updated: RowSet, _ resultType: NSBatchUpdateRequestResultType, _ core: CoordinatorCore) {
        self.resultType = resultType
        count = updated.count
        self.updated = RowIdentifiers(resultType == .updatedObjectIDsResultType ? updated : RowSet(), core)
    }

    /// `true`, `[NSManagedObjectID]` or `Int`, as the request's result type says.
    /// - Complexity: Identifiers are made when they are first asked for: O(n) in the rows, once.
    public var result: Any? {
        switch resultType {
        case .statusOnlyResultType: true
        case .updatedObjectIDsResultType: updated.all
        case .updatedObjectsCountResultType: count
        }
    }
}
