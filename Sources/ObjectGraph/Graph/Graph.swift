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

    // MARK: The face

    package weak var face: (any GraphFace)?
    /// How the face is notified of what becomes of its objects.
    let events: ObjectEvents
    @exclusivity(unchecked) package var options = GraphOptions()
    package var saveOptions = SaveOptions()
    package weak var undoRecorder: (any UndoRecorder)? {
        didSet { recordsUndo = undoRecorder != nil }
    }
    /// Kept beside the weak reference, which is slower to ask.
    @exclusivity(unchecked) private(set) var recordsUndo = false
    /// Reads rows for the objects that outlive the graph.
    package var lender: (any RowLender)?

    // MARK: Objects

    @exclusivity(unchecked) var identityMap = IdentityMap()
    @exclusivity(unchecked) var unsaved = UnsavedWork()
    @exclusivity(unchecked) var edits = EditCounts()
    /// Kept where events are collected.
    @exclusivity(unchecked) var eventLog = EventLog()

    // MARK: Reading

    /// Faults that are to be read together with others.
    @exclusivity(unchecked) var batches: [ObjectID: FaultBatch] = [:]
    /// Lists that a program has edited since the last save.
    @exclusivity(unchecked) var keptLists = KeptLists()
    @exclusivity(unchecked) var recentEntities = RecentEntities()

    // MARK: Merging

    @exclusivity(unchecked) var merging = MergeState()
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

    /// Does what is no step of its own to be undone.
    func withoutUndo(_ body: () -> Void) {
        let recorded = recordsUndo
        recordsUndo = false
        defer { recordsUndo = recorded }
        body()
    }

    func tellOfEdit() {
        guard options.tellsOfNextEdit else { return }
        options.tellsOfNextEdit = false
        tellFace()
    }

    func tellFace() {
        if options.tellsOfChanges { face?.graphDidChange() }
    }

    /// Grows with every edit, insertion and deletion made here, so that one can tell whether there were any meanwhile.
    package var editCount: Int { edits.count }

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
        guard !isIsland, !options.retainsObjects, identityMap.wantsSweep else { return }
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
