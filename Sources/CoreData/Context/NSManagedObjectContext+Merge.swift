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
        merge(RemoteChanges(notification.userInfo ?? [:], core))
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
                let changes = RemoteChanges(changeNotificationData, member.core)
                member.performAndWait { member.merge(changes) }
            }
        }
    }

    /// From the top down to this one.
    private var lineage: [NSManagedObjectContext] { (parent?.lineage ?? []) + [self] }

    final func merge(_ changes: SavedChanges) {
        if changes.isOverflow { mergeAnything() }
        var remote = RemoteChanges()
        remote.inserted = changes.inserted
        remote.updated = changes.everyUpdatedID
        var deleted = RowSet(changes.deleted)
        deleted.formUnion(changes.planned.deleted)
        remote.deleted = deleted
        merge(remote)
    }

    final func merge(_ changes: RemoteChanges) {
        contextStore?.moveOn()
        // What is processed now is this context's own.
        processPendingChanges()
        let beneath = changesBeneath(changes)
        let taken = graph.markDeletedElsewhere(changes.deleted)
        let back = graph.takeBackDeletedElsewhere(changes.inserted)
        let readAgain = readAgain(changes.updated + changes.inserted)
        let refreshed = readAgain + taken.cut
        let known = Set(readAgain.map(\.id)).subtracting(back.map(\.id))
        let inserted = changes.inserted.filter { !known.contains($0) }.compactMap { graph.record(for: $0) }
            .filter { !$0.isGone && !$0.isDeleted }
        // Unsaved objects that went along are no longer the context's.
        let dropped = graph.takeTouched().filter { $0.record.graph == nil }.compactMap { $0.object as? NSManagedObject }
        post(
            .NSManagedObjectContextObjectsDidChange,
            [
                NSInsertedObjectsKey: objects(inserted), NSRefreshedObjectsKey: objects(refreshed),
                NSDeletedObjectsKey: objects(taken.deleted.filter { $0.graph === graph }).union(dropped),
            ])
        if let beneath { announcing { followers.tell(beneath) } }
        postIDs(
            .NSManagedObjectContextDidMergeChangesObjectIDs,
            [
                NSInsertedObjectIDsKey: named(changes.inserted), NSUpdatedObjectIDsKey: named(changes.updated),
                NSDeletedObjectIDsKey: named(changes.deleted), NSRefreshedObjectIDsKey: named(refreshed.map(\.id)),
            ])
    }

    /// Anything may have changed.
    private func mergeAnything() {
        contextStore?.moveOn()
        processPendingChanges()
        refreshAllObjects()
        announcing { followers.tell(.everything) }
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

    /// - Returns: those that are others now; where the store cannot be read, those that are read when next used.
    private func readAgain(_ ids: [ObjectID]) -> [Record] {
        graph.forgetCarried(of: ids)
        let known = ids.filter { id in
            graph.registeredRecord(for: id).map { !$0.isFault && !$0.isGone } ?? false
        }
        guard !known.isEmpty, let store = graph.store else { return [] }
        do {
            return graph.takeIn(try store.snapshots(of: known))
        } catch {
            report(error)
            return graph.forgetValues(of: known)
        }
    }
}

/// Changes by identity, as they come from elsewhere.
struct RemoteChanges {
    var inserted: [ObjectID] = []
    var updated: [ObjectID] = []
    var deleted = RowSet()

    init() {}

    /// - Parameter userInfo: by the keys of the save notifications; others are passed over.
    init(_ userInfo: [AnyHashable: Any], _ core: CoordinatorCore) {
        inserted = Self.ids(userInfo, core, NSInsertedObjectsKey, NSInsertedObjectIDsKey)
        updated =
            Self.ids(userInfo, core, NSUpdatedObjectsKey, NSUpdatedObjectIDsKey)
            + Self.ids(userInfo, core, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey)
            + Self.ids(
                userInfo, core, NSInvalidatedObjectsKey, NSInvalidatedObjectIDsKey, NSInvalidatedAllObjectsKey)
        deleted = RowSet(Self.ids(userInfo, core, NSDeletedObjectsKey, NSDeletedObjectIDsKey))
    }

    private static func ids(
        _ userInfo: [AnyHashable: Any], _ core: CoordinatorCore, _ keys: String...
    ) -> [ObjectID] {
        keys.flatMap { key in userInfo[key].map(members) ?? [] }.compactMap { id($0, core) }
    }

    private static func members(_ value: Any) -> [Any] {
        switch value {
        case let array as [Any]: array
        case let ids as Set<NSManagedObjectID>: Array(ids)
        case let objects as Set<NSManagedObject>: Array(objects)
        case let set as Set<AnyHashable>: set.map(\.base)
        case let set as NSSet: set.allObjects
        case let array as NSArray: array.map { $0 }
        default: []
        }
    }

    private static func id(_ member: Any, _ core: CoordinatorCore) -> ObjectID? {
        switch member {
        case let id as NSManagedObjectID: return id.id
        case let object as NSManagedObject: return object.record.id
        case let url as URL: return core.objectID(ofReferenceIn: url) ?? ObjectID(uri: url)
        case let url as NSURL: return URL(string: url.absoluteString).flatMap { id($0, core) }
        default: return nil
        }
    }
}
