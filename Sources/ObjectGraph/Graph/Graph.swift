/// The objects of one context: records by identity, unsaved changes, and the upkeep of inverses. Confined to its
/// context; only `inbox` may be used from other threads.
///
/// A graph without a store holds objects that were linked before any of them was inserted: a detached graph
/// (`isDetached`).
///
/// Properties used by every fetch, link and edit are exempt from run-time exclusivity checks: a graph is used in one
/// isolation only, and its tables do not call code of the program while they change.
package final class Graph {
    package let model: Model?
    package let store: (any Store)?

    // MARK: The face

    package weak var face: (any GraphFace)?
    /// How the face is notified of changes to its objects.
    let events: ObjectEvents
    @exclusivity(unchecked) package var options = GraphOptions()
    package var saveOptions = SaveOptions()
    package weak var undoRecorder: (any UndoRecorder)? {
        didSet { recordsUndo = undoRecorder != nil }
    }
    /// Stored, because checking the weak reference is slower.
    @exclusivity(unchecked) private(set) var recordsUndo = false
    /// Reads rows for objects that outlive the graph.
    package var lender: (any RowLender)?

    // MARK: Objects

    @exclusivity(unchecked) var identityMap = IdentityMap()
    @exclusivity(unchecked) var unsaved = UnsavedChanges()
    @exclusivity(unchecked) var edits = EditCounts()
    @exclusivity(unchecked) var log = GraphLog()

    // MARK: Reading

    /// Faults that are read together with others.
    @exclusivity(unchecked) var batches: [ObjectID: FaultBatch] = [:]
    /// Lists edited by the program since the last save.
    @exclusivity(unchecked) var editedLists = EditedLists()
    @exclusivity(unchecked) var recentEntities = RecentEntities()

    // MARK: Merging

    @exclusivity(unchecked) var merging = MergeState()
    /// Saved changes of other graphs that this one has not merged yet.
    package let inbox: Inbox

    package init(
        model: Model, store: any Store, face: (any GraphFace)? = nil, events: ObjectEvents = .asTheyHappen,
        inbox: Inbox = Inbox()
    ) {
        self.model = model
        self.store = store
        self.face = face
        self.events = events
        self.inbox = inbox
        if events == .collected { log.event = GraphChanges() }
    }

    private init() {
        model = nil
        store = nil
        events = .asTheyHappen
        inbox = Inbox()
    }

    static func detached() -> Graph { Graph() }

    deinit {
        let records = Array(identityMap.all)
        passLender(to: records)
        // All records are released before any object: a program's `deinit` must not call this graph.
        for record in records {
            record.graph = nil
            // These states do not apply without the graph, and another graph must treat a new object as new.
            record.status.subtract(.ofGraph)
        }
        for record in records { record.object = nil }
    }

    /// False for a detached graph, whose objects have no saved state to compare with.
    var tracksChanges: Bool { store != nil }
    var isDetached: Bool { store == nil }

    package var hasChanges: Bool {
        resolveWhenAsked()
        return !unsaved.isEmpty
    }
    var deletes: UnsavedChanges.PendingDeletes {
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

    /// Runs a block without recording undo steps.
    func withoutUndo(_ body: () -> Void) {
        let recorded = recordsUndo
        recordsUndo = false
        defer { recordsUndo = recorded }
        body()
    }

    func notifyOfEdit() {
        guard options.notifiesOfNextEdit else { return }
        options.notifiesOfNextEdit = false
        notifyFace()
    }

    /// Notifies of an edit whose value is not set yet.
    func notifyOfEdit(of record: Record, _ mask: PropertyMask) {
        guard options.notifiesOfNextEdit else { return }
        let outer = log.edit
        log.edit = (record, mask)
        defer { log.edit = outer }
        notifyOfEdit()
    }

    func notifyFace() {
        if options.notifiesOfChanges { face?.graphDidChange() }
    }

    /// A counter that increases with every edit, insertion and deletion in this graph.
    package var editCount: Int { edits.count }

    /// Returns `Record.graph` to other modules without their exclusivity checks. Follows the delete rules from marked
    /// objects first, so that the record's status and links are up to date.
    package static func owner(of record: Record) -> Graph? {
        record.graph?.resolveWhenAsked()
        return record.graph
    }

    package func registeredRecord(for id: ObjectID) -> Record? { identityMap[id] }

    func noteUpdated(_ record: Record) {
        guard tracksChanges, !record.isUpdated else { return }
        unsaved.noteUpdated(record)
        guard options.notifiesOfChanges else { return }
        let outer = log.edit
        log.edit = (record, .all)
        defer { log.edit = outer }
        face?.graphDidChange()
    }

    /// Returns the object of a registered record; the face makes it if there is none yet.
    package func object(of record: Record) -> AnyObject? {
        if let object = record.object { return object }
        guard let face else { return nil }
        return object(of: record, madeBy: face)
    }

    /// Returns the object of a registered record. The face is an argument, because loading a weak reference to it for
    /// each of many records is slow.
    package func object(of record: Record, madeBy face: any GraphFace) -> AnyObject? {
        if let object = record.object { return object }
        let wasGone = record.isGone
        let object = face.makeObject(for: record)
        // While making the object, the face may have read values and found that the row does not exist.
        if record.isGone == wasGone { record.object = object }
        return object
    }

    /// Releases objects that the program does not use, unless objects are retained. Call this only while no record is
    /// in use.
    /// - Parameter least: The number of objects from which a sweep is worth its cost; `nil` for the usual one.
    package func sweepIfNeeded(from least: Int? = nil) {
        guard !isDetached, !options.retainsObjects,
            identityMap.wantsSweep(from: min(least ?? .max, IdentityMap.leastSweep))
        else { return }
        editedLists.removeAll()
        var unused = identityMap.removeUnused()
        for index in unused.indices {
            unused[index].object = nil
            if isKnownUniquelyReferenced(&unused[index]) { continue }
            // The record itself is referenced: by a second object of the row, or by an undo step.
            unused[index].graph = self
            identityMap.insert(unused[index])
        }
        sweepBatches()
    }
}
