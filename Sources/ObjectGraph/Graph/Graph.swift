/// Everything one context knows: records by identity, unsaved work, and the rules that keep both ends of relationships
/// right. Confined to its context; `inbox` alone may be used from elsewhere.
///
/// A graph without store holds objects that were linked with each other before any of them was inserted (an island).
///
/// What every fetch, link and edit goes through is exempt from run-time exclusivity checks: a graph is used in one
/// isolation only, and its tables call nothing of the program's while they change.
package final class Graph {
    package let model: Model?
    package let store: (any Store)?
    package weak var face: (any GraphFace)?
    package weak var undoRecorder: (any UndoRecorder)? {
        didSet { recordsUndo = undoRecorder != nil }
    }
    /// Kept beside the weak reference, which is slower to ask.
    @exclusivity(unchecked) private(set) var recordsUndo = false
    @exclusivity(unchecked) var identityMap = IdentityMap()
    @exclusivity(unchecked) var unsaved = UnsavedWork()
    /// Saves that carried out bulk deletes: an undo step of a bulk delete is void once it is saved.
    var bulkSaveCount = 0
    /// Reads rows for the objects that outlive the graph.
    package var lender: (any RowLender)?
    /// Told of what deletes by query take.
    package var deleteObserver: (any DeleteObserver)?
    /// Faults that are to be read together with others.
    @exclusivity(unchecked) var batches: [ObjectID: FaultBatch] = [:]
    /// How the face wants the graph saved.
    package var saveOptions = SaveOptions()
    /// Decides about conflicts; without one, unsaved values win property by property.
    package weak var conflictJudge: (any ConflictJudge)?
    /// How the face is notified of what becomes of its objects.
    let events: ObjectEvents
    /// Whether objects stay although nobody holds them.
    package var retainsObjects = false
    /// Whether any of the records has been observed. Then delete rules are followed at once, so that observers are notified.
    var isObserved = false
    /// Grows with every edit, insertion and deletion made here, so that one can tell whether there were any meanwhile.
    @exclusivity(unchecked) package internal(set) var editCount = 0
    /// Whether the face is asked to read what objects that come in hold by themselves.
    package var asksForConstants = false
    /// Objects inserted, edited or marked for deletion since this was last emptied, each once.
    @exclusivity(unchecked) package internal(set) var touched: [TouchedRecord] = []
    /// Edits of their to-many relationships meanwhile, in order.
    @exclusivity(unchecked) var touchedMembers: [TouchedMember] = []
    /// The event that observers are being told of.
    var told = TouchedEvent()
    /// Numbers of unsaved edits by object; `nil` while nobody reads from this graph.
    @exclusivity(unchecked) var editNumbers: [ObjectID: RowVersion]?
    /// Entity of the row registered last: rows come in runs of one entity.
    @exclusivity(unchecked) var lastEntity: (space: IDSpace, entity: Entity)?
    /// Entity of the new object registered last, as it was made with and as the graph's model has it: new objects, too, come
    /// in runs.
    @exclusivity(unchecked) var lastNewEntity: (standalone: Entity, own: Entity)?
    /// Objects with unsaved work whose rows others have saved meanwhile, as far as their values are not at hand.
    var staleRecords: [Record] = []
    /// Whether changes of the inbox are being taken in.
    @exclusivity(unchecked) var isMerging = false
    /// Lists that a program has edited since the last save.
    @exclusivity(unchecked) var keptLists = KeptLists()
    /// What other graphs saved and this one has not yet taken in.
    package let inbox = Inbox()

    package init(
        model: Model, store: any Store, face: (any GraphFace)? = nil, events: ObjectEvents = .asTheyHappen
    ) {
        self.model = model
        self.store = store
        self.face = face
        self.events = events
    }

    private init() {
        model = nil
        store = nil
        events = .asTheyHappen
    }

    static func island() -> Graph { Graph() }

    deinit {
        let records = Array(identityMap.all)
        leaveLender(to: records)
        // All records are released before any object is: a program's `deinit` must not call into this graph.
        for record in records {
            record.graph = nil
            // No save will come of it, and another graph is to see a new object as one.
            record.status.subtract(.ofGraph)
        }
        for record in records { record.object = nil }
    }

    /// Whether `touched` is kept.
    @inline(__always) var tracksTouched: Bool { events == .collected }

    /// An island's objects have nothing saved to compare with.
    var tracksChanges: Bool { store != nil }
    var isIsland: Bool { store == nil }

    package var hasChanges: Bool {
        resolveWhenAsked()
        return !unsaved.isEmpty
    }
    var deletes: PendingDeletes {
        get { unsaved.deletes }
        _modify { yield &unsaved.deletes }
    }
    package var insertedRecords: [Record] {
        resolveWhenAsked()
        return unsaved.inserted.keeping { !$0.isDeleted }
    }
    package var updatedRecords: [Record] {
        resolveWhenAsked()
        return unsaved.updated
    }
    package var deletedRecords: [Record] {
        resolveWhenAsked()
        return unsaved.deleted
    }
    package var registeredCount: Int { identityMap.count }

    /// Does what is no step of its own to be undone.
    func withoutUndo(_ body: () -> Void) {
        let recorded = recordsUndo
        recordsUndo = false
        defer { recordsUndo = recorded }
        body()
    }

    /// Whether the next edit is told of although unsaved work had begun before: a face whose automatic save failed asks
    /// for this, as the edit may be what lets it succeed.
    @exclusivity(unchecked) package var tellsOfNextEdit = false

    func tellOfEdit() {
        guard tellsOfNextEdit else { return }
        tellsOfNextEdit = false
        tellFace()
    }

    /// Whether the face is told that unsaved work began or grew. Asking it each time would take longer than most changes.
    @exclusivity(unchecked) package var tellsOfChanges = false

    func tellFace() {
        if tellsOfChanges { face?.graphDidChange() }
    }

    /// As `Record.graph`, for other modules, which would check exclusivity there; with delete rules followed from the objects
    /// that were marked, so that the record's status and links can be read.
    package static func owner(of record: Record) -> Graph? {
        record.graph?.resolveWhenAsked()
        return record.graph
    }

    package func registeredRecord(for id: ObjectID) -> Record? { identityMap[id] }

    func noteUpdated(_ record: Record) {
        guard tracksChanges, !record.isUpdated else { return }
        unsaved.noteUpdated(record)
        tellFace()
    }

    /// The object of a registered record, made by the face when there is none yet.
    package func object(of record: Record) -> AnyObject? {
        if let object = record.object { return object }
        guard let face else { return nil }
        return object(of: record, madeBy: face)
    }

    /// The same for a caller who has the face in hand: with many records, asking a weak reference for it each time counts.
    package func object(of record: Record, madeBy face: any GraphFace) -> AnyObject? {
        if let object = record.object { return object }
        let wasGone = record.isGone
        let object = face.makeObject(for: record)
        // A face that needs values to make an object may have found that the row is gone.
        if record.isGone == wasGone { record.object = object }
        return object
    }

    /// Lets go of objects nobody uses, unless they are to stay. To be called where no record is in use.
    package func sweepIfNeeded() {
        guard !isIsland, !retainsObjects, identityMap.wantsSweep else { return }
        keptLists.removeAll()
        var unused = identityMap.takeUnused()
        for index in unused.indices {
            unused[index].object = nil
            if isKnownUniquelyReferenced(&unused[index]) { continue }
            // Somebody holds the record itself: a second object of the row, or a step to undo.
            unused[index].graph = self
            identityMap.insert(unused[index])
        }
        sweepBatches()
    }
}

/// How a face is notified of what becomes of its objects, and with it how what others save is taken in. Fixed when a graph is
/// made.
package enum ObjectEvents: Sendable {
    /// By the observers of records. Objects whose rows others deleted leave at once, values that others changed are read when next
    /// used, new rows when they are fetched.
    case asTheyHappen
    /// Together, at the end of an event, so that objects can be named with what became of them. Objects whose rows others deleted
    /// wait for the save as deleted, values that others changed are read at once, new rows become faults.
    case collected
}

/// What the engine asks of the face above it.
package protocol GraphFace: AnyObject {
    /// A new object for a record that has none.
    func makeObject(for record: Record) -> AnyObject?
    /// Unsaved work began or grew. Called while the graph's `tellsOfChanges` is set.
    func graphDidChange()
    /// Whether an object that comes in is of the class that the face has for the entity, and not another one of its name.
    func isObject(_ object: AnyObject, of entity: Entity) -> Bool
    /// A uniqueness constraint made one object's insertion an update of another one's row: both stand for the record.
    func redirect(_ object: AnyObject, to record: Record)
    /// An object comes in: values that it holds by itself are to be put into its record. Called while the graph
    /// `asksForConstants`.
    func readConstants(of object: AnyObject)
    /// The first object since the graph's `touched` was last emptied was touched. Called only where events are collected.
    func graphWasTouched()
    /// The face should report a problem that has no caller to throw to.
    func report(_ error: any Error)
}

extension GraphFace {
    package func isObject(_ object: AnyObject, of entity: Entity) -> Bool { true }
    package func readConstants(of object: AnyObject) {}
    package func graphWasTouched() {}
}
