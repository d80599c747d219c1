import Foundation
import ObjectGraph
import Synchronization

/// A set of managed objects and their unsaved changes: insertions, edits and deletions stay in the context until `save()` writes
/// them to the stores or to the parent context.
///
/// A context and its objects are used on its queue only: within `perform` or `performAndWait`, or on the main queue for a context
/// of that queue.
// Sendable, because references to contexts cross threads to call `perform`; everything else is used on the context's queue
// only, which is the caller's duty, as on Apple's systems.
nonisolated open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    final let queue: ContextQueue
    final private(set) var core: CoordinatorCore
    final package private(set) var graph: Graph
    /// Contexts with this one as parent.
    final let children = ContextRegistry<NSManagedObjectContext>()
    /// Changes that others saved, to be merged on the queue.
    package final let inbox = Inbox(limit: .severalSaves)
    /// Whether a block that merges them is enqueued.
    final let isWoken = Atomic<Bool>(false)
    private var coordinator: NSPersistentStoreCoordinator?
    /// Objects whose `prepareForDeletion` has been called since deletes were last processed.
    final var prepared: Set<NSManagedObject> = []
    /// Objects whose hooks for a deletion are running.
    final var preparing: Set<NSManagedObject> = []
    /// Whether pending changes are being processed; hooks may call that again.
    final var isProcessing = false
    /// Whether a save is in progress.
    final var isSaving = false
    /// Whether a notification of changes is being delivered.
    final var isAnnouncing = false
    /// Whether a block that processes pending changes is enqueued on the main queue.
    final var awaitsEndOfEvent = false
    /// Values that primitive setters are replacing.
    final var primitiveEdits: [PropertyOfObject: [Value]] = [:]
    /// Unchanged objects whose rows the next save checks for conflicts.
    final var detected: [NSManagedObject] = []
    /// Objects whose values the current save changed when it resolved conflicts.
    final var resolvedObjects: Set<NSManagedObject> = []
    /// Unsaved changes before conflicts of the current save were resolved; `nil` until the first conflict.
    final var beforeSettling: UnsavedChanges?
    /// Objects that undo or redo changed and whose hooks are still to be called.
    final var reverted: [NSManagedObject: NSSnapshotEventType] = [:]
    /// Objects that track this context's changes, such as results of fetches.
    final let followers = ContextFollowers()
    /// The objects of which incremental stores were notified.
    final var reportedToIncrementalStores: Set<ObjectID> = []

    /// The kind of queue that the context works on.
    public let concurrencyType: NSManagedObjectContextConcurrencyType

    /// A name for people and logs; the history keeps it with the context's transactions.
    open var name: String?
    /// A dictionary for the program's own use.
    public final let userInfo = NSMutableDictionary()
    /// The author of the context's transactions in the history.
    open var transactionAuthor: String?
    /// The policy that resolves conflicts between unsaved changes and stored rows: the error policy, unless set.
    open var mergePolicy: NSMergePolicy = .error
    /// The undo manager with which changes are registered; `nil`, unless set, for none.
    open var undoManager: UndoManager? {
        didSet { graph.undoRecorder = undoManager == nil ? nil : self }
    }
    /// A Boolean value that states whether delete rules are applied when pending changes are processed: `true`, unless set;
    /// otherwise they are applied by the save.
    open var propagatesDeletesAtEndOfEvent = true
    /// A Boolean value that states whether the context retains all of its objects: `false`, unless set.
    ///
    /// Otherwise, objects without changes that the program does not hold are released from time to time.
    open var retainsRegisteredObjects = false {
        didSet { graph.options.retainsObjects = retainsRegisteredObjects }
    }
    /// A Boolean value that states whether an object whose row turns out to be missing counts as deleted: `true`, unless set.
    /// Its values are nil in any case.
    open var shouldDeleteInaccessibleFaults = true
    /// A number of seconds that has no effect: there is no cache of rows, and values that are read come from the store.
    open var stalenessInterval: TimeInterval = -1
    /// A Boolean value that states whether the context merges saves of others to its stores, or to its parent, automatically:
    /// `false`, unless set. It may be used on any thread.
    open var automaticallyMergesChangesFromParent: Bool {
        get { mergesByItself.withLock { $0 } }
        set { mergesByItself.withLock { $0 = newValue } }
    }
    /// Read by saving contexts, on their threads.
    private let mergesByItself = Locked(false)

    /// Creates a context on a queue of its own, or on the main queue.
    ///
    /// Set ``persistentStoreCoordinator`` or ``parent`` before it is used.
    /// - Parameter ct: the kind of queue.
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        concurrencyType = ct
        queue = ContextQueue(main: ct == .mainQueueConcurrencyType, label: "NSManagedObjectContext")
        core = Self.emptyCore()
        graph = Graph(model: core.model, store: StoreView(core.stores), events: .collected, inbox: inbox)
        super.init()
        queue.context = self
        prepareGraph()
    }

    deinit { notifyIncrementalStoresOfEnd() }

    /// Creates a context on a queue of its own, or on the main queue.
    ///
    /// Set ``persistentStoreCoordinator`` or ``parent`` before it is used.
    /// - Parameter type: the kind of queue.
    public convenience init(_ type: ConcurrencyType) {
        self.init(concurrencyType: type == .mainQueue ? .mainQueueConcurrencyType : .privateQueueConcurrencyType)
    }

    /// The kinds of queues that a context can work on.
    public enum ConcurrencyType: Sendable, Hashable {
        /// A queue of the context's own.
        case privateQueue
        /// The main queue.
        case mainQueue
    }

    // MARK: Where it saves to

    /// The coordinator of the stores that the context reads and writes; for a context with a parent, that of the parent.
    ///
    /// Set it before the context is used.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { parent?.persistentStoreCoordinator ?? coordinator }
        set {
            coordinator = newValue
            attach()
        }
    }

    /// The context that this one reads from and saves to in place of stores. Set it before the context is used.
    open var parent: NSManagedObjectContext? {
        didSet {
            oldValue?.children.remove(self)
            attach()
        }
    }

    private func attach() {
        core.contexts.remove(self)
        if let parent {
            core = parent.core
            graph = Graph(model: core.model, store: ParentStore(parent), events: .collected, inbox: inbox)
            parent.children.add(self)
        } else if let coordinator {
            core = coordinator.core
            graph = Graph(model: core.model, store: StoreView(core.stores, of: self), events: .collected, inbox: inbox)
            core.contexts.add(self)
        } else {
            core = Self.emptyCore()
            graph = Graph(model: core.model, store: StoreView(core.stores), events: .collected, inbox: inbox)
        }
        prepareGraph()
    }

    /// The core of a context without a coordinator or parent.
    private static func emptyCore() -> CoordinatorCore {
        CoordinatorCore(tables: ModelTables(model: Model(), description: NSManagedObjectModel()))
    }

    private func prepareGraph() {
        graph.face = self
        graph.saveOptions.conflictJudge = self
        graph.undoRecorder = undoManager == nil ? nil : self
        graph.options.retainsObjects = retainsRegisteredObjects
        graph.options.mergesWhenAsked = true
        prepared = []
        primitiveEdits = [:]
    }

    /// Discards the graph; records keep their last values.
    final func replaceGraph() {
        graph.face = nil
        if let store = graph.store { graph = Graph(model: core.model, store: store, events: .collected, inbox: inbox) }
        prepareGraph()
    }

    /// The root context, which has the coordinator itself.
    final var root: NSManagedObjectContext { parent?.root ?? self }

    // MARK: Unsaved changes

    /// A Boolean value that states whether the context has unsaved changes. Read it on the context's queue.
    open var hasChanges: Bool { onQueue().hasChanges }
    /// The objects that the next save inserts. Read it on the context's queue.
    open var insertedObjects: Set<NSManagedObject> { objects(onQueue().insertedRecords) }
    /// The objects with edits that the next save writes. Read it on the context's queue.
    open var updatedObjects: Set<NSManagedObject> { objects(onQueue().updatedRecords) }
    /// The objects that the next save deletes. Read it on the context's queue.
    open var deletedObjects: Set<NSManagedObject> { objects(onQueue().deletedRecords.filter { !$0.isInserted }) }
    /// All objects of the context. Read it on the context's queue.
    /// - Complexity: O(n) in the objects.
    open var registeredObjects: Set<NSManagedObject> { objects(onQueue().registeredRecords) }

    /// The graph, after checking the queue.
    private func onQueue(_ property: StaticString = #function) -> Graph {
        checkQueue(property)
        return graph
    }

    final func objects(_ records: [Record]) -> Set<NSManagedObject> {
        Set(records.compactMap(object))
    }

    final func object(_ record: Record) -> NSManagedObject? {
        graph.object(of: record, madeBy: self) as? NSManagedObject
    }

    final func registeredObject(_ id: ObjectID) -> NSManagedObject? {
        graph.registeredRecord(for: id).flatMap(object)
    }

    /// Decides whether an object whose row turns out to be missing counts as deleted. Called when the object is read, or
    /// refreshed with its edits kept; override it to decide or to log.
    /// - Parameters:
    ///   - fault: the object.
    ///   - oid: its identifier.
    ///   - property: always `nil` here.
    /// - Returns: Whether the object counts as deleted: `shouldDeleteInaccessibleFaults`, unless overridden.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        shouldDeleteInaccessibleFaults
    }

    // MARK: Saving

    /// Writes all unsaved changes to the stores, one transaction for each, or to the parent.
    ///
    /// On an error nothing is written, and the changes stay unsaved, with the values from before a merge policy changed them.
    /// Without unsaved changes, changed metadata of the stores are written, and the notifications of a save are posted.
    ///
    /// A save to a parent leaves out edits of objects that the parent has deleted, or finds deleted by others: a parent and a
    /// child have no conflicts, and the deletion wins. Call it on the context's queue.
    /// - Throws: `CocoaError`: 1550 to 1690 for a broken rule of the model (1560 for several); 133020 and 133021 for conflicts
    ///   that the merge policy does not resolve; 134030 for changes that the context has refused; 134070, 134090, 134180 and
    ///   others for errors of the stores. Errors of validators and merge policies of the program are thrown unchanged, or are
    ///   among the errors under `NSDetailedErrorsKey` if there are several.
    open func save() throws { try saveChanges() }

    // MARK: Entities

    final func table(of entity: NSEntityDescription) -> EntityTable {
        if let index = entity.engineIndex, let table = core.tables.table(at: index), table.description === entity {
            return table
        }
        guard let table = entity.name.flatMap({ core.tables.table(named: $0) }) else {
            Misuse.stop(
                "An NSManagedObject cannot be made of entity '\(entity.name ?? "")', which is not in the model of the context's "
                    + "persistent store coordinator.")
        }
        return table
    }

    final func entity(for type: NSManagedObject.Type) -> NSEntityDescription {
        guard let entity = core.tables.entity(for: type) else {
            Misuse.stop(
                "No entity of the context's model has the class '\(String(reflecting: type))'; set managedObjectClassName, and "
                    + "give the context a coordinator first.")
        }
        return entity
    }
}

/// The kinds of queues that a context can work on.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// A queue of the context's own.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext: GraphFace {
    package func makeObject(for record: Record) -> AnyObject? {
        core.tables.table(at: record.entity.index).map { Materialization.object(for: record, $0, self) }
    }

    package func redirect(_ object: AnyObject, to record: Record) {
        guard let object = object as? NSManagedObject else { return }
        object.record = record
        object.isInaccessible = false
    }

    package func graphDidChange() {}

    package func report(_ error: any Error) {
        CoreDataLog.logger.error("\(String(describing: error))")
    }
}
