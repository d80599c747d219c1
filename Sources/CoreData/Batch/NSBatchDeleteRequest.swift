import Foundation
import ObjectGraph
import StoreDeletion

/// Deletes the rows that a fetch request picks, or rows by identifier, straight in the store: nothing is read into a context,
/// no hook and no validation runs. Nullify and cascade rules are followed, by set; a delete that would leave a mandatory
/// relationship empty, or that a deny rule forbids, fails as a whole.
///
/// Contexts do not notice by themselves. Merge the identifiers, set `mergesIntoLiveContexts`, or use
/// `executeAndMergeChanges(using:)`.
nonisolated open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    /// What picks the rows: predicate, order, limit and offset count.
    public let fetchRequest: NSFetchRequest<any NSFetchRequestResult>
    /// Identifiers, where the request was made with some.
    final let objectIDs: [NSManagedObjectID]?
    /// What the result is: nothing but success, unless set.
    open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

    // MARK: Ours

    /// Whether the deletion is merged into every live context of the coordinator, cascaded rows and nullified links included.
    public final var mergesIntoLiveContexts = false
    /// Whether survivors must keep the minimum count of their relationships, as in deletes of objects.
    public final var enforcesMinimumCounts = false
    /// The most rows that may be deleted, cascaded ones included; with more, nothing is deleted.
    public final var deletionLimit: Int?
    /// Whether the rows that go are archived, so that they can be restored by the token of the result.
    public final var archivesRows = false
    /// Counts the rows that go, and the links of survivors, as they are written; with several stores, those reached so far.
    /// Cancelling it, from any thread, takes back what is done in the store: executing the request throws
    /// `CocoaError.userCancelled` (3072).
    ///
    /// Unless set, the progress that is current where the request is executed has a part in it, if there is one.
    public final var progress: Progress?

    public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
        fetchRequest = fetch.copy() as? NSFetchRequest<any NSFetchRequestResult> ?? fetch
        objectIDs = nil
        super.init()
    }

    /// The same for a request whose results are of some class: Swift does not convert it by a cast.
    @_disfavoredOverload
    public convenience init<Result: NSFetchRequestResult>(fetchRequest fetch: NSFetchRequest<Result>) {
        self.init(fetchRequest: fetch.converted(to: (any NSFetchRequestResult).self))
    }

    /// Deletes these rows, all of one entity; one of a subentity is of another. Executing a request with identifiers of
    /// several entities fails.
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

    /// Which contexts take it in.
    final var audience: DeletionAudience { mergesIntoLiveContexts ? .liveContexts : .observers }

    open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any { NSBatchDeleteRequest(copying: self) }

    open override var description: String {
        let what = objectIDs.map { "\($0.count) objectIDs" } ?? "\(fetchRequest)"
        return "<NSBatchDeleteRequest : entity = \(fetchRequest.entityName ?? "none"), \(what)>"
    }
}

/// What a batch delete gives.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    /// `true`.
    case resultTypeStatusOnly = 0
    /// Identifiers of the rows asked for.
    case resultTypeObjectIDs = 1
    /// How many rows asked for were there.
    case resultTypeCount = 2
}

/// What a batch delete did.
nonisolated open class NSBatchDeleteResult: NSPersistentStoreResult {
    public let resultType: NSBatchDeleteRequestResultType
    /// What the rows can be restored by; `nil` unless the request archives them and anything went.
    public final let deletionToken: DeletionToken?
    private let rootCount: Int
    private let roots: RowIdentifiers
    private let cascaded: RowIdentifiers
    private let updated: RowIdentifiers

    init(_ run: BatchDelete.Outcome, _ resultType: NSBatchDeleteRequestResultType, _ core: CoordinatorCore) {
        self.resultType = resultType
        let details = resultType == .resultTypeStatusOnly ? DeletePlan() : run.plan
        rootCount = run.rootCount
        roots = RowIdentifiers(details.roots, core)
        cascaded = RowIdentifiers(details.deleted.subtracting(details.roots), core)
        updated = RowIdentifiers(details.updated, core)
        deletionToken = DeletionToken(run.tokens)
    }

    /// `true`, `[NSManagedObjectID]` or `Int`, as the request's result type says.
    /// - Complexity: Identifiers are made when they are first asked for: O(n) in the rows, once.
    public var result: Any? {
        switch resultType {
        case .resultTypeStatusOnly: true
        case .resultTypeObjectIDs: roots.all
        case .resultTypeCount: rootCount
        }
    }

    /// Rows that rules took along; objects asked for are not among them.
    public final var cascadedObjectIDs: [NSManagedObjectID] { cascaded.all }
    /// Survivors that lost a link.
    public final var updatedObjectIDs: [NSManagedObjectID] { updated.all }
}
