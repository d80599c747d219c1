import Foundation
import ObjectGraph
import StoreDeletion

/// A request that deletes the rows of a fetch request, or rows by identifier, in the store without loading objects.
///
/// No hook and no validation of objects runs. The model's delete rules are applied to sets of rows. A delete that would leave a
/// mandatory relationship empty, or that a deny rule forbids, fails as a whole.
///
/// Contexts are not changed by it unless the deletion is merged: merge the identifiers of the result, set
/// ``mergesIntoLiveContexts``, or execute it with `executeAndMergeChanges(using:)`.
nonisolated open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    /// The request that selects the rows: its predicate, order, limit and offset count.
    public let fetchRequest: NSFetchRequest<any NSFetchRequestResult>
    /// The identifiers, if the request was made with identifiers.
    final let objectIDs: [NSManagedObjectID]?
    /// The kind of result: only success, unless set.
    open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

    // MARK: Ours

    /// A Boolean value that states whether the deletion is merged into every live context of the coordinator, cascaded rows and
    /// nullified links included: `false`, unless set.
    public final var mergesIntoLiveContexts = false
    /// A Boolean value that states whether surviving rows must keep the minimum counts of their relationships, as in deletes of
    /// objects: `false`, unless set.
    public final var enforcesMinimumCounts = false
    /// The maximum number of rows, cascaded ones included; with more, nothing is deleted. `nil`, unless set, for no limit.
    public final var deletionLimit: Int?
    /// A Boolean value that states whether the deleted rows are archived so that the token of the result can restore them: `false`,
    /// unless set.
    public final var archivesRows = false
    /// The progress that counts deleted rows and surviving rows' links as they are written.
    ///
    /// With several stores, the total grows as each store is reached. Cancelling the progress, from any thread, rolls back the
    /// deletion in the store: executing the request throws `CocoaError.userCancelled` (3072).
    ///
    /// Unless set, the progress that is current where the request is executed gets a child for it, if there is one.
    public final var progress: Progress?

    /// Creates a request that deletes the rows of a fetch request.
    /// - Parameter fetch: is copied.
    public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
        fetchRequest = fetch.copy() as? NSFetchRequest<any NSFetchRequestResult> ?? fetch
        objectIDs = nil
        super.init()
    }

    /// Creates a request that deletes the rows of a fetch request with a specific type of results.
    ///
    /// Swift does not convert such a request by a cast.
    /// - Parameter fetch: is copied.
    @_disfavoredOverload
    public convenience init<Result: NSFetchRequestResult>(fetchRequest fetch: NSFetchRequest<Result>) {
        self.init(fetchRequest: fetch.converted(to: (any NSFetchRequestResult).self))
    }

    /// Creates a request that deletes rows by identifier, all of exactly one entity.
    /// - Parameter objects: identifiers of one entity; a subentity is another entity. Executing a request with identifiers of
    ///   several entities throws `CocoaError` 134060. Temporary identifiers are ignored.
    public init(objectIDs objects: [NSManagedObjectID]) {
        objectIDs = objects
        let fetch = NSFetchRequest<any NSFetchRequestResult>()
        fetch.entity = objects.first?.entity
        fetch.includesSubentities = false
        fetch.predicate = NSPredicate(format: "SELF IN %@", objects)
        fetchRequest = fetch
        super.init()
    }

    private init(copying other: NSBatchDeleteRequest) {
        fetchRequest = other.fetchRequest
        objectIDs = other.objectIDs
        super.init()
        affectedStores = other.affectedStores
        resultType = other.resultType
        mergesIntoLiveContexts = other.mergesIntoLiveContexts
        enforcesMinimumCounts = other.enforcesMinimumCounts
        deletionLimit = other.deletionLimit
        archivesRows = other.archivesRows
        progress = other.progress
    }

    /// The contexts that merge the deletion.
    final var audience: DeletionAudience { mergesIntoLiveContexts ? .liveContexts : .observers }

    /// The type of the request, `.batchDeleteRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

    /// Returns a copy of the request with all its options.
    open override func copy(with zone: NSZone? = nil) -> Any { NSBatchDeleteRequest(copying: self) }

    /// A text with the entity, and the fetch request or the number of identifiers.
    open override var description: String {
        let what = objectIDs.map { "\($0.count) objectIDs" } ?? "\(fetchRequest)"
        return "<NSBatchDeleteRequest : entity = \(fetchRequest.entityName ?? "none"), \(what)>"
    }
}

/// The kinds of results of a batch delete.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    /// The result is `true`.
    case resultTypeStatusOnly = 0
    /// The result is an array of the identifiers of the requested rows that were deleted.
    case resultTypeObjectIDs = 1
    /// The result is the number of requested rows that were deleted.
    case resultTypeCount = 2
}

/// The result of a batch delete.
nonisolated open class NSBatchDeleteResult: NSPersistentStoreResult {
    /// The kind of result, from the request.
    public let resultType: NSBatchDeleteRequestResultType
    /// The token that restores the deleted rows; `nil` unless the request archives rows and deleted any.
    public final let deletionToken: DeletionToken?
    private let rootCount: Int
    private let roots: RowIdentifiers
    private let cascaded: RowIdentifiers
    private let updated: RowIdentifiers

    init(_ deletion: SavedRows, _ resultType: NSBatchDeleteRequestResultType, _ core: CoordinatorCore) {
        self.resultType = resultType
        let details = resultType == .resultTypeStatusOnly ? DeletePlan() : deletion.plan
        rootCount = deletion.rootCount
        roots = RowIdentifiers(details.roots, core)
        cascaded = RowIdentifiers(details.deleted.subtracting(details.roots), core)
        updated = RowIdentifiers(details.updated, core)
        deletionToken = deletion.token.map { DeletionToken($0) }
    }

    /// `true`, `[NSManagedObjectID]` or `Int`, depending on the request's result type.
    /// - Complexity: Identifiers are made at the first access: O(n) in the rows, once.
    public var result: Any? {
        switch resultType {
        case .resultTypeStatusOnly: true
        case .resultTypeObjectIDs: roots.all
        case .resultTypeCount: rootCount
        }
    }

    /// The identifiers of the rows that cascades deleted, without the requested rows; empty for the result type that states only
    /// success.
    /// - Complexity: Identifiers are made at the first access: O(n) in the rows, once.
    public final var cascadedObjectIDs: [NSManagedObjectID] { cascaded.all }
    /// The identifiers of the surviving rows that lost links; empty for the result type that states only success.
    /// - Complexity: Identifiers are made at the first access: O(n) in the rows, once.
    public final var updatedObjectIDs: [NSManagedObjectID] { updated.all }
}
