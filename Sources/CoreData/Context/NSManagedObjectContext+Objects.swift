import Foundation
import ObjectGraph

/// Objects by identity, and their coming and going.
extension NSManagedObjectContext {
    // MARK: By identity

    /// The object if this context already has it; never reads.
    public func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        checkQueue()
        return registeredObject(objectID.id)
    }

    /// The object of an identifier, read when first used. There need not be one: an object without a row is found to be
    /// deleted when it is read.
    public func object(with objectID: NSManagedObjectID) -> NSManagedObject {
        checkQueue()
        if let record = graph.record(for: objectID.id), let object = object(record) { return object }
        // A temporary identity of another context, or one of another model: an object that no context knows.
        let entity = core.tables.table(named: objectID.id.entityName)?.description ?? objectID.entity
        let object = StandaloneTables.table(of: entity).objectClass.init(entity: entity, insertInto: nil)
        object.isInaccessible = true
        return object
    }

    /// The object of an identifier, if its row exists.
    /// - Throws: `CocoaError` 133000 when it does not, and what reading the store throws.
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

    /// Makes an object part of the context; it gets a row at the next save. A pending deletion of it is cancelled. One
    /// of another context, or made for an entity that the stores' model lacks, is refused, and the next save throws 134030.
    public func insert(_ object: NSManagedObject) {
        checkQueue()
        let isNew = object.record.graph == nil
        graph.insert((object.record, object))
        if isNew, object.record.graph === graph { object.awakeFromInsert() }
    }

    /// The store that a new object is to be saved to, where several have its entity.
    ///
    /// To a store that cannot take the object the next save fails, with 134070; it fails with 1550 where the identifier is
    /// permanent, as that names the store already.
    public func assign(_ object: Any, to store: NSPersistentStore) {
        checkQueue()
        guard let object = object as? NSManagedObject else { return }
        guard let known = object.record.id.storeIdentifier else {
            return core.stores.assign(object.record.id, to: store.identifier ?? "")
        }
        object.refusedValues["objectID"] = nil
        if known != store.identifier { object.refuseStore() }
    }

    /// Gives unsaved objects the identifiers they will have; they stay unsaved.
    /// - Throws: What writing the stores throws: keys are handed out there.
    public func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        checkQueue()
        try givePermanentIDs(to: objects.map(\.record).filter { $0.graph === graph })
    }

    final func givePermanentIDs(to records: [Record]) throws {
        let temporary = records.filter { $0.isInserted && $0.id.isTemporary }
        if !temporary.isEmpty { graph.assign(try permanentIDs(for: temporary)) }
    }

    /// The identifiers that new objects will have, reserved in the stores they will go to.
    final func permanentIDs(for records: [Record]) throws -> [(record: Record, id: ObjectID)] {
        do {
            return try Dictionary(grouping: records, by: \.entity.index).values
                .flatMap { try core.stores.permanentIDs(for: $0) }
        } catch {
            throw ErrorMapping.saving(error, self)
        }
    }

    // MARK: Deleting

    /// Marks an object for deletion at the next save. What its delete rules take along follows when pending changes are
    /// processed. An object that was never saved is taken out of the context; one of another context stays, and the next
    /// save throws 134030.
    public func delete(_ object: NSManagedObject) {
        checkQueue()
        guard object.record.graph === graph else { return graph.refuseDeletion(of: object.record) }
        object.willRead()
        object.prepareForDeletion()
        prepared.insert(object)
        graph.markForDeletion(object.record)
    }

    /// Follows the delete rules from what was marked since. Where that cannot be read, it is left to the save, which throws.
    final func propagateDeletes() {
        do {
            try spreadDeletes()
        } catch {
            report(error)
        }
    }

    /// - Throws: What reading the stores throws; what was marked stays so.
    final func spreadDeletes() throws {
        // A hook may delete more, also what a round has passed by.
        var rounds = 0
        while graph.hasMarkedDeletes, rounds < Self.mostHookRounds {
            try graph.spreadMarkedDeletes(prepareForDeletion)
            rounds += 1
        }
    }

    /// Guards against hooks that delete new objects forever.
    private static var mostHookRounds: Int { 1000 }

    /// Calls the hooks, each once, while relationships are as they were.
    /// - Returns: whether there was any.
    private func prepareForDeletion(_ records: [Record]) -> Bool {
        let objects = records.compactMap { record in hasHooks(record) ? object(record) : nil }
            .filter { prepared.insert($0).inserted }
        for object in objects { object.prepareForDeletion() }
        return !objects.isEmpty
    }

    /// A plain managed object does nothing of its own.
    private func hasHooks(_ record: Record) -> Bool {
        core.tables.table(at: record.entity.index)?.objectClass != NSManagedObject.self
    }

    // MARK: Reading again

    /// Turns an object back into a fault, giving up its edits; or reads it again and keeps them. A new object, which has no row
    /// to be read from, keeps its values, and is a fault until one of them is read.
    public func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        checkQueue()
        guard object.record.graph === graph else { return }
        if flag, object.record.hasChanges || !object.record.isFault {
            do {
                try graph.refreshKeepingEdits(object.record)
                if object.record.isGone { object.isInaccessible = true }
                object.awake(fromSnapshotEvents: .refresh)
            } catch {
                report(error)
            }
        } else if !object.record.isInserted, !object.record.isDeleted {
            // A fault is told nothing, but what is known of its row is forgotten too.
            if object.isFault { graph.refault(object.record) } else { turnIntoFault(object) }
        } else if !object.isFault, !object.record.isDeleted {
            object.willTurnIntoFault()
            object.rest()
            object.didTurnIntoFault()
        }
        postRefreshed([object])
    }

    /// The store of some objects was removed: those without changes are faults again, which nothing can fill.
    final func invalidate(objectsOf storeIdentifier: String) {
        let records = graph.registeredRecords.filter { $0.id.storeIdentifier == storeIdentifier }
        let objects = Set(records.compactMap { $0.object as? NSManagedObject })
        guard !objects.isEmpty else { return }
        for object in objects where !object.isFault && !object.hasChanges { turnIntoFault(object) }
        post(.NSManagedObjectContextObjectsDidChange, [NSInvalidatedObjectsKey: objects])
    }

    private func turnIntoFault(_ object: NSManagedObject) {
        object.willTurnIntoFault()
        graph.refault(object.record)
        object.turnIntoFault()
        object.didTurnIntoFault()
    }

    /// Everything unedited is read again when next used; edits stay.
    public func refreshAllObjects() {
        checkQueue()
        let records = graph.registeredRecords
        for record in records where record.hasChanges && !record.isInserted && !record.isDeleted {
            do {
                try graph.refreshKeepingEdits(record)
            } catch {
                report(error)
            }
        }
        turningIntoFaults { graph.refaultUnedited() }
        postRefreshed(Set(records.compactMap { $0.object as? NSManagedObject }))
    }

    /// Runs what makes faults of all unedited objects, with their hooks.
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

    /// Forgets all objects and unsaved work. Objects that are still held belong to no context: they are faults that nothing
    /// fills, and what is read of them are the values that they had.
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
        tellIncrementalStores()
        detected = []
        forgetUndo()
        announcing {
            NotificationCenter.default.post(
                name: .NSManagedObjectContextObjectsDidChange, object: self,
                userInfo: [NSInvalidatedAllObjectsKey: ids])
            followers.tell(.everything)
        }
    }

    /// Takes back all unsaved work: inserted objects leave, edited and deleted ones are as last saved.
    public func rollback() {
        checkQueue()
        let inserted = objects(graph.insertedRecords)
        let restored = objects(graph.updatedRecords + graph.deletedRecords)
        _ = graph.takeTouched()
        prepared = []
        detected = []
        graph.rollback()
        forgetUndo()
        for object in restored {
            object.refusedValues = [:]
            object.awake(fromSnapshotEvents: .rollback)
        }
        post(
            .NSManagedObjectContextObjectsDidChange,
            [NSDeletedObjectsKey: inserted, NSRefreshedObjectsKey: restored])
    }

    /// The object's row is looked at in the next save, as if the object had been changed: a row that somebody else changed
    /// is then a conflict.
    public func detectConflicts(for object: NSManagedObject) {
        checkQueue()
        guard object.record.graph === graph, !object.record.isFault, !object.record.hasChanges else { return }
        detected.append(object)
    }
}
