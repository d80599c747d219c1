import Foundation
import ObjectGraph

/// Where objects live while a program works with them: inserts, edits and deletions gather here until `save()` hands them on,
/// to the stores or to the parent context.
///
/// A context and its objects are used on its queue only: within `perform`, or on the main queue for a context of that
/// queue.
// Sendable, as references to contexts cross threads to get to `perform`; everything else is for the context's queue, which
// is the caller's duty, as on Apple's systems.
nonisolated open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    final let queue: ContextQueue
    final private(set) var core: CoordinatorCore
    final package private(set) var graph: Graph
    /// Contexts that have this one as parent.
    final let children = LiveContexts()
    private var coordinator: NSPersistentStoreCoordinator?
    /// Objects whose `prepareForDeletion` has been called since deletes were last processed.
    final var prepared: Set<NSManagedObject> = []
    /// Whether pending changes are being processed, which a hook may ask for again.
    final var isProcessing = false
    /// Whether a save is under way.
    final var isSaving = false
    /// Whether a notification of changes is being delivered.
    final var isAnnouncing = false
    /// Whether a block that processes pending changes is enqueued on the main queue.
    final var awaitsEndOfEvent = false
    /// Values that primitive setters are replacing.
    final var primitiveEdits: [PrimitiveEdit: [Value]] = [:]
    /// Objects whose rows are to be looked at in the next save, although they are unchanged.
    final var detected: [NSManagedObject] = []
    /// Objects that took other values in the current save, as a conflict was resolved.
    final var settled: Set<NSManagedObject> = []
    /// Unsaved work as it was before conflicts of the current save were settled; `nil` before there are any.
    final var beforeSettling: UnsavedState?
    /// Objects that undo or redo changed, which are still to be told.
    final var reverted: [NSManagedObject: NSSnapshotEventType] = [:]
    /// Those who keep results of fetches as this context changes.
    final let followers = ContextFollowers()
    /// What incremental stores have been told that the context holds.
    final var toldOfHolding: Set<ObjectID> = []

    public let concurrencyType: NSManagedObjectContextConcurrencyType

    /// A text for people; stands in the history beside the context's saves.
    open var name: String?
    /// For the program's own notes.
    public final let userInfo = NSMutableDictionary()
    /// Stands in the history beside the context's saves.
    open var transactionAuthor: String?
    /// Who wins when rows are not as expected; nobody, unless set.
    open var mergePolicy: NSMergePolicy = .error
    /// Where changes are registered to be taken back; `nil`, unless set, for nowhere.
    open var undoManager: UndoManager? {
        didSet { graph.undoRecorder = undoManager == nil ? nil : self }
    }
    /// Whether delete rules are followed as soon as pending changes are processed, or at save only.
    open var propagatesDeletesAtEndOfEvent = true
    /// Whether objects stay although nobody holds them. Else those without changes are let go now and then.
    open var retainsRegisteredObjects = false {
        didSet { graph.options.retainsObjects = retainsRegisteredObjects }
    }
    /// Whether an object whose row turns out to be missing says that it is deleted. Its values are nil in any case.
    open var shouldDeleteInaccessibleFaults = true
    /// Kept for programs that set it: what is read comes from the store, and is never stale.
    open var stalenessInterval: TimeInterval = -1
    /// Whether what others save to the same stores, or to the parent, is taken in by itself.
    open var automaticallyMergesChangesFromParent: Bool {
        get { mergesByItself.withLock { $0 } }
        set { mergesByItself.withLock { $0 = newValue } }
    }
    /// Asked by those who save, on their threads.
    private let mergesByItself = Locked(false)

    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        concurrencyType = ct
        queue = ContextQueue(main: ct == .mainQueueConcurrencyType, label: "NSManagedObjectContext")
        core = Self.emptyCore()
        graph = Graph(model: core.model, store: StoreView(core.stores), events: .collected)
        super.init()
        queue.context = self
        prepareGraph()
    }

    deinit { tellIncrementalStoresOfEnd() }

    public convenience init(_ type: ConcurrencyType) {
        self.init(concurrencyType: type == .mainQueue ? .mainQueueConcurrencyType : .privateQueueConcurrencyType)
    }

    public enum ConcurrencyType: Sendable, Hashable {
        case privateQueue
        case mainQueue
    }

    // MARK: Where it saves to

    /// Set it before the context is used; the parent's, where there is one.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { parent?.persistentStoreCoordinator ?? coordinator }
        set {
            coordinator = newValue
            attach()
        }
    }

    /// Saves go to the parent; set it before the context is used.
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
            graph = Graph(model: core.model, store: ParentStore(parent), events: .collected)
            parent.children.add(self)
        } else if let coordinator {
            core = coordinator.core
            graph = Graph(model: core.model, store: StoreView(core.stores, of: self), events: .collected)
            core.contexts.add(self)
        } else {
            core = Self.emptyCore()
            graph = Graph(model: core.model, store: StoreView(core.stores), events: .collected)
        }
        prepareGraph()
    }

    /// Of a context that has nothing to save to.
    private static func emptyCore() -> CoordinatorCore {
        CoordinatorCore(tables: ModelTables(model: Model(), description: NSManagedObjectModel()))
    }

    private func prepareGraph() {
        graph.face = self
        graph.saveOptions.conflictJudge = self
        graph.undoRecorder = undoManager == nil ? nil : self
        graph.options.retainsObjects = retainsRegisteredObjects
        prepared = []
        primitiveEdits = [:]
    }

    /// Forgets everything; records keep their last values.
    final func replaceGraph() {
        graph.face = nil
        if let store = graph.store { graph = Graph(model: core.model, store: store, events: .collected) }
        prepareGraph()
    }

    /// The context at the top, which has the coordinator itself.
    final var root: NSManagedObjectContext { parent?.root ?? self }

    // MARK: Unsaved work

    open var hasChanges: Bool { onQueue().hasChanges }
    open var insertedObjects: Set<NSManagedObject> { objects(onQueue().insertedRecords) }
    open var updatedObjects: Set<NSManagedObject> { objects(onQueue().updatedRecords) }
    open var deletedObjects: Set<NSManagedObject> { objects(onQueue().deletedRecords.filter { !$0.isInserted }) }
    /// Every object of the context.
    open var registeredObjects: Set<NSManagedObject> { objects(onQueue().registeredRecords) }

    /// The graph, for a property that a program reads.
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

    /// Called for an object whose row turns out to be missing when it is read; to be overridden by those who want to know.
    /// - Parameter property: kept for programs that override it; always `nil`.
    /// - Returns: whether the object is to say that it is deleted: `shouldDeleteInaccessibleFaults`, unless overridden.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        shouldDeleteInaccessibleFaults
    }

    // MARK: Saving

    /// Writes all unsaved work: to the stores in one transaction each, or to the parent. On an error nothing is written and
    /// the work stays unsaved, as it was before a merge policy changed it. Without unsaved work, changed metadata
    /// of the stores is written, and the notifications of a save are posted.
    ///
    /// To a parent, edits of objects that it has deleted, or finds deleted by others, are left out: there are no conflicts
    /// between the two, and the deletion wins.
    /// - Throws: `CocoaError` 1550 to 1690 for a broken rule of the model (1560 for several), 133020 and 133021 for conflicts
    ///   that the merge policy does not resolve, 134030 and others for what the store cannot do. What validators and a merge
    ///   policy of the program's own throw comes as it is, among `NSDetailedErrorsKey` where there are several.
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

/// Whose queue a context works on.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// A queue of its own.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext: GraphFace {
    package func makeObject(for record: Record) -> AnyObject? {
        core.tables.table(at: record.entity.index).map { Materialization.object(for: record, $0, self) }
    }

    package func redirect(_ object: AnyObject, to record: Record) {
        (object as? NSManagedObject)?.record = record
    }

    package func graphDidChange() {}

    package func report(_ error: any Error) {
        CoreDataLog.logger.error("\(String(describing: error))")
    }
}
