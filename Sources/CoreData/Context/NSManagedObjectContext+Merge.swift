import Foundation
import ObjectGraph

/// Merges changes that other contexts or processes saved, each save as one event of the context's queue.
///
/// Inserted rows become faults. Updated rows, and inserted rows that this context has read already, are read again if they are
/// registered and not faults, with unsaved edits kept on top. Deleted rows are deleted here by rule if they are registered.
extension NSManagedObjectContext {
    /// Merges the changes that another context saved. Call it on this context's queue.
    /// - Parameter notification: the other context's `didSaveObjectsNotification` or `didSaveObjectIDsNotification`.
    public func mergeChanges(fromContextDidSave notification: Notification) {
        checkQueue()
        merge(SavedChanges(notification.userInfo ?? [:], core))
    }

    /// Merges changes that were saved elsewhere, by a batch request or another process, into contexts.
    ///
    /// ```swift
    /// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
    /// ```
    /// - Parameters:
    ///   - changeNotificationData: arrays or sets of `NSManagedObjectID`, of their URIs, or of objects, under the object or the
    ///     identifier keys.
    ///   - contexts: each merges the changes on its own queue before this returns, whatever queue the caller is on; two
    ///     contexts may do this to each other at once. Parents of a context merge before it.
    public class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        merge({ SavedChanges(changeNotificationData, $0.core) }, into: contexts)
    }

    /// Merges into each context and its parents, the parents first, each on its own queue. A child merges what its parent's
    /// delete rules delete because of the changes, too.
    class func merge(_ changes: (NSManagedObjectContext) -> SavedChanges, into contexts: [NSManagedObjectContext]) {
        var passedOn: [ObjectIdentifier: SavedChanges] = [:]
        for context in contexts {
            for member in context.lineage where passedOn[ObjectIdentifier(member)] == nil {
                let changes = member.parent.flatMap { passedOn[ObjectIdentifier($0)] } ?? changes(member)
                passedOn[ObjectIdentifier(member)] = member.performAndWait { member.merge(changes) }
            }
        }
    }

    /// The contexts from the root down to this one.
    private var lineage: [NSManagedObjectContext] { (parent?.lineage ?? []) + [self] }

    /// - Returns: The changes for children: with the objects that this context's delete rules delete because of them.
    @discardableResult
    final func merge(_ changes: SavedChanges) -> SavedChanges { graph.merge(changes) }

    /// Posts a notification for each merged save. Children merge it afterwards, because they read from this context.
    package final func merge(
        _ changes: SavedChanges, for recipients: Inbox.Recipients, by merge: () -> GraphChanges
    ) -> SavedChanges {
        contextStore?.moveOn()
        // Changes that are pending here are this context's own and are processed first.
        processPendingChanges()
        let result = changes.isOverflow ? turningIntoFaults(merge) : merge()
        let reached = propagateDeletesAfterMerge()
        postChanges(
            [
                NSInsertedObjectsKey: objects(result.records(.inserted)),
                NSRefreshedObjectsKey: objects(result.records(.refreshed)),
                NSDeletedObjectsKey: objects(result.records(.deleted))
                    .union(
                        result.objects.lazy.filter { $0.kind == .dropped }.compactMap { $0.object as? NSManagedObject }),
            ], of: result)
        postIDs(
            .NSManagedObjectContextDidMergeChangesObjectIDs,
            [
                NSInsertedObjectIDsKey: named(changes.inserted), NSUpdatedObjectIDsKey: named(changes.everyUpdatedID),
                NSDeletedObjectIDsKey: named(changes.deletedRows),
                NSRefreshedObjectIDsKey: named(result.records(.refreshed).map(\.id)),
            ])
        let below = changes.including(result, deleting: reached)
        switch recipients {
        case .context: break
        case .automatic: children.post(below, from: nil)
        case .descendants: for child in children.all { child.mergeDown(below, from: nil) }
        }
        return below
    }

    /// Follows the delete rules from objects that this context has deleted to those that others have linked to them meanwhile.
    /// - Returns: What the rules delete.
    private func propagateDeletesAfterMerge() -> RowSet {
        guard propagatesDeletesAtEndOfEvent, graph.hasMarkedDeletes else { return RowSet() }
        return rowsDeleted { propagateDeletes() }
    }

    /// Beyond this number, only objects that this context has are named: making an identifier of every row, in each context,
    /// would cost more than the merge itself.
    private static var mostNamed: Int { 10_000 }

    private func named(_ ids: [ObjectID]) -> Set<NSManagedObjectID> {
        let named = ids.count > Self.mostNamed ? ids.filter { graph.registeredRecord(for: $0) != nil } : ids
        return Set(named.map { NSManagedObjectID($0, core) })
    }

    private func named(_ rows: RowSet) -> Set<NSManagedObjectID> {
        if rows.count <= Self.mostNamed { return named(Array(rows.ids)) }
        return named(graph.registeredRecords.map(\.id).filter(rows.contains))
    }
}

extension NSManagedObjectContext: LiveContext {
    package final var mergesAutomatically: Bool { automaticallyMergesChangesFromParent }

    /// Enqueues the merge on the context's queue, once for all changes that arrive before it.
    package final func wake() {
        guard !isWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
        perform {
            self.isWoken.store(false, ordering: .releasing)
            self.graph.mergeInbox()
        }
    }
}

extension SavedChanges {
    /// The changes for the children of a context: with the objects that its delete rules deleted or undeleted.
    /// - Parameter reached: Objects that its delete rules reached after the merge.
    fileprivate func including(_ merged: GraphChanges, deleting reached: RowSet) -> SavedChanges {
        let deleted = merged.records(.deleted) + merged.records(.dropped)
        let gone = RowSet(deleted.map(\.id)).union(reached).subtracting(deletedRows)
        let returned = RowSet(merged.records(.inserted).map(\.id)).subtracting(RowSet(inserted))
        if gone.isEmpty, returned.isEmpty { return self }
        var all = self
        all.deleted += gone.ids
        all.inserted += returned.ids
        return all
    }
}
