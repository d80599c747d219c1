import Foundation
import FoundationAdditions
import ObjectGraph

/// Saving.
///
/// 1. Pending changes are processed; 2. `willSave` of every changed object, again while objects change; 3. the will-save
/// notification; 4. validation, again while validators change values; 5. the stores, or the parent; 6. `didSave` of every
/// object; 7. the did-save notifications, and contexts that merge automatically. Changes made by hooks are reported like any
/// others.
extension NSManagedObjectContext {
    final func saveChanges() throws {
        checkQueue("save()")
        try propagateForSave()
        processPendingChanges()
        let isNested = isSaving
        isSaving = true
        defer { isSaving = isNested }
        callWillSave()
        post(.NSManagedObjectContextWillSave)
        try validateUntilStable()
        let unsaved = ObjectsByKey(unsavedIn: self)
        let temporaryIDs = unsaved.inserted.map(\.record.id).filter(\.isTemporary)
        let former = objectsBeforeDeletions(unsaved)
        resolvedObjects = []
        defer { beforeSettling = nil }
        let changes: SavedChanges
        do {
            let hasWork = hasChanges || !detected.isEmpty
            changes = try atNewestGeneration { try saveGraph() }
            if !hasWork, parent == nil {
                try core.saveMetadata()
            }
        } catch {
            restoreResolved()
            throw ErrorMapping.saving(error, self)
        }
        detected = []
        notifyOfResolvedConflicts()
        core.stores.discardAssignments(of: temporaryIDs)
        let sets = unsaved.saved(changes, in: self)
        // Links may have inserted objects that were taken for deleted.
        for object in sets.inserted { object.isInaccessible = false }
        for object in Array(sets.inserted) + Array(sets.updated) + Array(sets.deleted) { object.didSave() }
        announce(changes, sets, former)
        // Saved objects have other identifiers, and may have values that the save computed.
        announcing { followers.notify(of: GraphChanges(), in: self) }
        undoManager?.endEvent()
        graph.sweepIfNeeded()
        notifyIncrementalStores()
    }

    /// Changes that hooks make while deletes propagate are part of the save.
    private func propagateForSave() throws {
        do {
            try propagateMarkedDeletes()
        } catch {
            throw ErrorMapping.saving(error, self)
        }
    }

    // MARK: Hooks

    /// Guards against hooks that change their objects forever.
    private static var hookRounds: Int { 100 }

    private func callWillSave() {
        var waiting = pendingObjects
        for _ in 0..<Self.hookRounds {
            for object in waiting { object.willSave() }
            propagateDeletes()
            waiting = notifyOfEventChanges()
            if waiting.isEmpty { return }
        }
        CoreDataLog.logger.error(
            "willSave kept changing objects for \(Self.hookRounds) rounds; the save uses the current values.")
    }

    private var pendingObjects: [NSManagedObject] {
        (graph.insertedRecords + graph.updatedRecords + graph.deletedRecords).compactMap(object)
    }

    private func validateUntilStable() throws {
        for _ in 0..<Self.hookRounds {
            notifyOfEventChanges()
            try validate()
            if !graph.hasEventChanges { return }
            propagateDeletes()
        }
        CoreDataLog.logger.error(
            "Validators kept changing values for \(Self.hookRounds) rounds; the save uses the current values.")
    }

    private func validate() throws {
        var errors: [any Error] = []
        // Rows that were deleted remotely need no validation.
        for record in graph.deletedRecords where !graph.isRemotelyDeleted(record) {
            check(record, &errors) { try $0.validateForDelete() }
        }
        for record in graph.insertedRecords { check(record, &errors) { try $0.validateForInsert() } }
        for record in graph.updatedRecords { check(record, &errors) { try $0.validateForUpdate() } }
        if let error = CocoaError.combining(errors) { throw error }
    }

    private func check(
        _ record: Record, _ errors: inout [any Error], _ body: (NSManagedObject) throws -> Void
    ) {
        guard let object = object(record) else { return }
        do {
            try body(object)
        } catch {
            errors.append(error)
        }
    }

    /// A pinned context saves and detects conflicts against the newest state of the stores.
    private func atNewestGeneration<Result>(_ body: () throws -> Result) rethrows -> Result {
        try contextStore?.atNewest(body) ?? body()
    }

    // MARK: Conflicts

    /// Reports the objects that resolving conflicts changed or removed.
    private func notifyOfResolvedConflicts() {
        notifyOfEventChanges()
        postRefreshed(resolvedObjects.filter { $0.record.graph === graph })
        resolvedObjects = []
    }

    /// Guards against a policy that changes objects itself forever. A policy that decides conflicts terminates, because each
    /// decision leaves fewer conflicting objects.
    private static var policyRounds: Int { 1000 }

    private func saveGraph() throws -> SavedChanges {
        graph.saveOptions.contextName = name
        graph.saveOptions.constraints = mergePolicy.lastWordOnConstraints
        graph.saveOptions.replacements = []
        // A parent and its children have no conflicts.
        graph.saveOptions.watched = parent == nil ? detected.map(\.record) : []
        defer { graph.saveOptions.watched = [] }
        try assignPermanentIDs(to: core.stores.recordsForObjectStores(graph.temporaryRecords))
        var unsettledRounds = 0
        while true {
            do {
                return try graph.save(author: transactionAuthor)
            } catch let violation as UniqueViolation {
                if try resolve(violation) { continue }
                unsettledRounds += 1
                if unsettledRounds == Self.policyRounds { throw error(of: violation) }
            }
        }
    }

    // MARK: Notifying

    /// The context's objects, if delete rules may reach some of them in the parent only: these leave with the save.
    private func objectsBeforeDeletions(_ unsaved: ObjectsByKey) -> [NSManagedObject] {
        if parent == nil || unsaved.deleted.isEmpty { return [] }
        return graph.registeredRecords.compactMap { $0.object as? NSManagedObject }
    }

    /// The objects of rows that a save changed besides those that it wrote. Their hooks are not called.
    /// - Parameters:
    ///   - rows: By the identifier keys.
    ///   - former: As `objectsBeforeDeletions(_:)` returned them.
    private func objects(ofSavedRows rows: [String: RowSet], _ former: [NSManagedObject]) -> ObjectsByKey {
        let (updated, deleted) = (rows[NSUpdatedObjectIDsKey] ?? RowSet(), rows[NSDeletedObjectIDsKey] ?? RowSet())
        return ObjectsByKey(
            inserted: [], updated: Set(updated.ids.compactMap { registeredObject($0) }),
            deleted: deleted.isEmpty ? [] : Set(former.filter { deleted.contains($0.record.id) }))
    }

    private func identifiers(of rows: RowSet) -> Set<NSManagedObjectID> {
        Set(rows.ids.map { NSManagedObjectID($0, core) })
    }

    /// - Parameters:
    ///   - written: The objects that the save wrote.
    ///   - former: As `objectsBeforeDeletions(_:)` returned them.
    private func announce(_ changes: SavedChanges, _ written: ObjectsByKey, _ former: [NSManagedObject]) {
        let others = changes.rows(besides: written)
        let otherObjects = objects(ofSavedRows: others, former)
        let sets = written.merging(otherObjects) { $0.union($1) }
        var userInfo: [String: Any] = sets
        let named = RowSet(otherObjects.values.joined().map(\.record.id))
        for (key, rows) in others {
            let unnamed = rows.subtracting(named)
            if !unnamed.isEmpty { userInfo[key] = identifiers(of: unnamed) }
        }
        var state: [String: Any] = [:]
        if parent == nil, let token = core.owner?.historyToken(ifTracking: changes) {
            state[NSPersistentHistoryTokenKey] = token
            state[newChangeTokenKey] = token
        }
        state[NSManagedObjectContextQueryGenerationKey] = queryGenerationToken
        post(.NSManagedObjectContextDidSave, userInfo.merging(state) { rows, _ in rows })
        let ids = [
            NSInsertedObjectIDsKey: Self.ids(written.inserted), NSUpdatedObjectIDsKey: Self.ids(written.updated),
            NSDeletedObjectIDsKey: Self.ids(written.deleted),
        ]
        let otherIDs = others.mapValues { identifiers(of: $0) }
        postIDs(.NSManagedObjectContextDidSaveObjectIDs, ids.merging(otherIDs) { $0.union($1) }, besides: state)
        guard !changes.isEmpty else { return }
        children.post(changes, from: nil)
        if let parent {
            parent.children.post(changes, from: inbox)
        } else {
            core.notify(changes, from: self)
        }
    }
}
