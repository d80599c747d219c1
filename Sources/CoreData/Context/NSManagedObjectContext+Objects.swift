import Foundation
import ObjectGraph

/// Objects by identifier, insertion, deletion and refresh.
extension NSManagedObjectContext {
    // MARK: By identity

    /// Returns the object with an identifier if this context has it already, without reading the store.
    ///
    /// Call it on the context's queue.
    /// - Parameter objectID: the identifier.
    /// - Returns: `nil` if the object is not registered.
    public func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        checkQueue()
        return registeredObject(objectID.id)
    }

    /// Returns the object with an identifier, which is read when it is first used.
    ///
    /// The row need not exist: an object without a row turns out to be deleted when it is read. An identifier of another context's
    /// unsaved object, or of another model, gives an object in no context. Call it on the context's queue.
    /// - Parameter objectID: the identifier.
    /// - Returns: The object, usually a fault.
    public func object(with objectID: NSManagedObjectID) -> NSManagedObject {
        checkQueue()
        if let record = graph.record(for: objectID.id), let object = object(record) { return object }
        // A temporary identifier of another context, or one of another model: an object in no context.
        let entity = core.tables.table(named: objectID.id.entityName)?.description ?? objectID.entity
        let object = StandaloneTables.table(of: entity).objectClass.init(entity: entity, insertInto: nil)
        object.isInaccessible = true
        return object
    }

    /// Returns the object with an identifier if its row exists. Call it on the context's queue.
    /// - Parameter objectID: the identifier.
    /// - Returns: The object with its values.
    /// - Throws: `CocoaError` 133000 if the row does not exist, and errors of reading the store.
    /// - Complexity: One statement, unless the object is read already.
    public func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        checkQueue()
        if let record = graph.record(for: objectID.id) {
            do {
                try graph.fire([record])
            } catch {
                throw ErrorMapping.reading(error)
            }
            if !record.isGone, let object = object(record) { return object }
        }
        throw CocoaError(
            .managedObjectReferentialIntegrity,
            text: "There is no object \(objectID.id.uriText); it was deleted, or is in a store that is not open.",
            userInfo: [NSAffectedObjectsErrorKey: [objectID]])
    }

    // MARK: Inserting

    final func insertNew(_ object: NSManagedObject) {
        checkQueue("insert(_:)")
        graph.insert((object.record, object))
        object.awakeFromInsert()
    }

    /// Inserts an object into the context; it gets a row at the next save. A pending deletion of the object is cancelled.
    ///
    /// An object of another context, or of an entity that the stores' model lacks, is refused: the refusal is logged, and the
    /// next save throws 134030. Call it on the context's queue.
    /// - Parameter object: an object in no context, or one of this context.
    public func insert(_ object: NSManagedObject) {
        checkQueue()
        let isNew = object.record.graph == nil
        graph.insert((object.record, object))
        guard object.record.graph === graph else { return }
        object.isInaccessible = false
        if isNew { object.awakeFromInsert() }
    }

    /// Chooses the store that a new object is saved to, if several stores have its entity. Call it on the context's queue.
    ///
    /// The next save throws 134070 if the object cannot be saved to the store, and 1550 if the object's permanent identifier names
    /// another store.
    /// - Parameters:
    ///   - object: a managed object of this context.
    ///   - store: a store of the coordinator.
    public func assign(_ object: Any, to store: NSPersistentStore) {
        checkQueue()
        guard let object = object as? NSManagedObject else { return }
        guard let known = object.record.id.storeIdentifier else {
            return core.stores.assign(object.record.id, to: store.identifier ?? "")
        }
        object.refusedValues["objectID"] = nil
        if known != store.identifier { object.refuseStore() }
    }

    /// Replaces the temporary identifiers of unsaved objects by permanent ones; the objects stay unsaved.
    ///
    /// Call it on the context's queue.
    /// - Parameter objects: objects of this context; others are ignored.
    /// - Throws: Errors of writing the stores to reserve keys.
    public func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        checkQueue()
        try assignPermanentIDs(to: objects.map(\.record).filter { $0.graph === graph })
    }

    final func assignPermanentIDs(to records: [Record]) throws {
        let temporary = records.filter { $0.isInserted && $0.id.isTemporary }
        if !temporary.isEmpty { graph.assign(try permanentIDs(for: temporary)) }
    }

    /// The future identifiers of new objects, reserved in the stores they will be saved to.
    final func permanentIDs(for records: [Record]) throws -> [(record: Record, id: ObjectID)] {
        do {
            return try Dictionary(grouping: records, by: \.entity.index).values
                .flatMap { try core.stores.permanentIDs(for: $0) }
        } catch {
            throw ErrorMapping.saving(error, self)
        }
    }

    // MARK: Deleting

    /// Marks an object for deletion at the next save. Its delete rules are applied when pending changes are processed.
    ///
    /// An object that was never saved is removed from the context. An object of another context is refused: the refusal is
    /// logged, and the next save throws 134030. Call it on the context's queue.
    /// - Parameter object: an object of this context.
    public func delete(_ object: NSManagedObject) {
        checkQueue()
        guard object.record.graph === graph else { return graph.refuseDeletion(of: object.record) }
        object.willRead()
        callPrepareForDeletion(of: object)
        prepared.insert(object)
        graph.markForDeletion(object.record)
    }

    /// The hook may delete objects whose own hooks delete this one again: it is not called within itself.
    private func callPrepareForDeletion(of object: NSManagedObject) {
        guard preparing.insert(object).inserted else { return }
        defer { preparing.remove(object) }
        object.prepareForDeletion()
    }

    /// Applies the delete rules of objects marked since the last time. Errors of reading are logged, and the save, which tries
    /// again, throws them.
    final func propagateDeletes() {
        do {
            try propagateMarkedDeletes()
        } catch {
            report(error)
        }
    }

    /// Returns what a block deletes in this context: objects that are pending deletion after it and were not before, and unsaved
    /// objects that leave.
    final func rowsDeleted(by body: () -> Void) -> RowSet {
        let (former, inserted) = (graph.deletedRecords.map(\.id), graph.insertedRecords)
        body()
        let dropped = inserted.filter { $0.graph !== graph }
        return RowSet((graph.deletedRecords + dropped).map(\.id)).subtracting(RowSet(former))
    }

    /// - Throws: Errors of reading the stores; marked objects stay marked.
    final func propagateMarkedDeletes() throws {
        // A hook may delete more objects, including some that a round has already passed.
        var rounds = 0
        while graph.hasMarkedDeletes, rounds < Self.mostHookRounds {
            try graph.propagateMarkedDeletes(prepareForDeletion)
            rounds += 1
        }
    }

    /// Guards against hooks that delete further objects forever.
    private static var mostHookRounds: Int { 1000 }

    /// Calls the hook of each object once, before relationships change.
    /// - Returns: Whether any hook was called.
    private func prepareForDeletion(_ records: [Record]) -> Bool {
        let objects = records.compactMap { record in hasHooks(record) ? object(record) : nil }
            .filter { prepared.insert($0).inserted }
        for object in objects { object.prepareForDeletion() }
        return !objects.isEmpty
    }

    /// A plain managed object has no hooks.
    private func hasHooks(_ record: Record) -> Bool {
        core.tables.table(at: record.entity.index)?.objectClass != NSManagedObject.self
    }

    // MARK: Reading again

    /// Refreshes an object: turns it into a fault and discards its edits, or reads its row again and keeps them.
    ///
    /// A new object, which has no row, keeps its values and is a fault until one of them is read. Call it on the context's queue.
    /// - Parameters:
    ///   - object: an object of this context; others are ignored.
    ///   - flag: whether edits are kept.
    public func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        checkQueue()
        guard object.record.graph === graph else { return }
        if flag, object.record.hasChanges || !object.record.isFault {
            do {
                try readAgain(object.record, object)
                object.awake(fromSnapshotEvents: .refresh)
            } catch {
                report(error)
            }
        } else if !object.record.isInserted, !object.record.isDeleted {
            // The hooks of a fault are not called, but its cached row is discarded too.
            if object.isFault { graph.refault(object.record) } else { turnIntoFault(object) }
        } else if !object.isFault, !object.record.isDeleted {
            object.willTurnIntoFault()
            object.rest()
            object.didTurnIntoFault()
        }
        postRefreshed([object])
    }

    /// Reads an object's row again and keeps its edits. An object whose row is missing leaves the context.
    private func readAgain(_ record: Record, _ object: NSManagedObject?) throws {
        try graph.refreshKeepingEdits(record)
        if record.isGone { object?.noteInaccessible(to: self) }
    }

    /// The store of some objects was removed: those without changes become faults that cannot be fired.
    final func invalidate(objectsOf storeIdentifier: String) {
        let records = graph.registeredRecords.filter { $0.id.storeIdentifier == storeIdentifier }
        let objects = Set(records.compactMap { $0.object as? NSManagedObject })
        guard !objects.isEmpty else { return }
        for object in objects where !object.isFault && !object.hasChanges { turnIntoFault(object) }
        postChanges([NSInvalidatedObjectsKey: objects])
    }

    private func turnIntoFault(_ object: NSManagedObject) {
        object.willTurnIntoFault()
        graph.refault(object.record)
        object.turnIntoFault()
        object.didTurnIntoFault()
    }

    /// Turns all objects without changes into faults, and reads the rows of edited objects again with edits kept.
    ///
    /// Call it on the context's queue.
    /// - Complexity: At least one statement for each edited object.
    public func refreshAllObjects() {
        checkQueue()
        let records = graph.registeredRecords
        for record in records where record.hasChanges && !record.isInserted && !record.isDeleted {
            do {
                try readAgain(record, record.object as? NSManagedObject)
            } catch {
                report(error)
            }
        }
        turningIntoFaults { graph.refaultUnedited() }
        postRefreshed(Set(records.compactMap { $0.object as? NSManagedObject }))
    }

    /// Runs a body that turns all unedited objects into faults, and calls their hooks.
    final func turningIntoFaults<Result>(_ body: () -> Result) -> Result {
        let records = graph.registeredRecords
        let leaving = records.filter { !$0.hasChanges }.compactMap { $0.object as? NSManagedObject }.filter {
            !$0.isFault
        }
        for object in leaving { object.willTurnIntoFault() }
        let result = body()
        for record in records where record.isFault { (record.object as? NSManagedObject)?.turnIntoFault() }
        // A hook may have edited the object.
        for object in leaving where object.isFault { object.didTurnIntoFault() }
        return result
    }

    /// Removes all objects and unsaved changes from the context.
    ///
    /// Objects that the program still holds are in no context: they are faults, and reading them gives their last values
    /// without reading the store. Call it on the context's queue.
    public func reset() {
        checkQueue()
        let records = graph.registeredRecords
        let ids = records.map { NSManagedObjectID($0.id, core) }
        let leaving = records.compactMap { $0.object as? NSManagedObject }.filter { !$0.isFault }
        for object in leaving { object.willTurnIntoFault() }
        contextStore?.moveOn()
        replaceGraph()
        for object in leaving {
            object.rest()
            object.didTurnIntoFault()
        }
        notifyIncrementalStores()
        detected = []
        discardUndoSteps()
        announcing {
            post(.NSManagedObjectContextObjectsDidChange, [NSInvalidatedAllObjectsKey: ids])
            followers.notify(of: .overflow, in: self)
        }
    }

    /// Discards all unsaved changes: inserted objects leave the context, edited and deleted ones are as last saved.
    ///
    /// Empties the undo manager, if there is one. Call it on the context's queue.
    public func rollback() {
        checkQueue()
        let inserted = objects(graph.insertedRecords)
        let restored = objects(graph.updatedRecords + graph.deletedRecords)
        _ = graph.takeEventChanges()
        prepared = []
        detected = []
        graph.rollback()
        discardUndoSteps()
        for object in restored {
            object.refusedValues = [:]
            object.awake(fromSnapshotEvents: .rollback)
        }
        postChanges([NSDeletedObjectsKey: inserted, NSRefreshedObjectsKey: restored])
    }

    /// Includes an unchanged object in the next save's check for conflicts: a row that others have changed is then a conflict.
    ///
    /// Objects that are faults or have changes are ignored. Call it on the context's queue.
    /// - Parameter object: an object of this context.
    public func detectConflicts(for object: NSManagedObject) {
        checkQueue()
        guard object.record.graph === graph, !object.record.isFault, !object.record.hasChanges else { return }
        detected.append(object)
    }
}
