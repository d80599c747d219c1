import Foundation
import ObjectGraph

/// Taking in what others saved.
///
/// Inserted rows come as faults; updated ones, and inserted ones that this context read before it was told of them, are read
/// again where they are registered and read, and unsaved edits stay on top; deleted ones are deleted here by rule, where they
/// are registered.
extension NSManagedObjectContext {
    /// Takes in what another context saved. To be called on this context's queue.
    public func mergeChanges(fromContextDidSave notification: Notification) {
        checkQueue()
        merge(SavedChanges(notification.userInfo ?? [:], core))
    }

    /// Takes in changes that somebody saved, wherever: what a batch request did, or another process.
    ///
    /// ```swift
    /// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
    /// ```
    /// - Parameters:
    ///   - changeNotificationData: arrays or sets of `NSManagedObjectID`, of their URIs, or of objects, by the object or the
    ///     identifier keys.
    ///   - contexts: each takes the changes in on its own queue before this returns, whatever queue the caller is on; two
    ///     contexts may do this to each other at once. Parents of a context are told before it.
    public class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        var told: Set<ObjectIdentifier> = []
        for context in contexts {
            for member in context.lineage where told.insert(ObjectIdentifier(member)).inserted {
                let changes = SavedChanges(changeNotificationData, member.core)
                member.performAndWait { member.merge(changes) }
            }
        }
    }

    /// From the top down to this one.
    private var lineage: [NSManagedObjectContext] { (parent?.lineage ?? []) + [self] }

    final func merge(_ changes: SavedChanges) {
        contextStore?.moveOn()
        // What is processed now is this context's own.
        processPendingChanges()
        let beneath = changesBeneath(changes)
        let result = changes.isOverflow ? turningIntoFaults { graph.merge(changes) } : graph.merge(changes)
        post(
            .NSManagedObjectContextObjectsDidChange,
            [
                NSInsertedObjectsKey: objects(result.inserted), NSRefreshedObjectsKey: objects(result.refreshed),
                NSDeletedObjectsKey: objects(result.deleted)
                    .union(result.dropped.compactMap { $0 as? NSManagedObject }),
            ])
        if let beneath { announcing { followers.tell(beneath) } }
        postIDs(
            .NSManagedObjectContextDidMergeChangesObjectIDs,
            [
                NSInsertedObjectIDsKey: named(changes.inserted), NSUpdatedObjectIDsKey: named(changes.everyUpdatedID),
                NSDeletedObjectIDsKey: named(changes.deletedRows),
                NSRefreshedObjectIDsKey: named(result.refreshed.map(\.id)),
            ])
    }

    /// Beyond so many, only objects that this context has are named: to make an identifier of every row, in each context,
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
