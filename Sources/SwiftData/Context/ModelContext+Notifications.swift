import Foundation
import ObjectGraph

extension ModelContext {
    /// Posted on the saving thread before a save, with the context as object and no `userInfo`.
    public static let willSave = Notification.Name("ModelContextWillSave")

    /// Posted on the saving thread after a save, with the context as object. `userInfo` has arrays of
    /// `PersistentIdentifier` under the raw values of `NotificationKey`.
    ///
    /// Deletes by predicate go as sets: where a save carries out such ones of more than 10,000 models, survivors that lose
    /// a link counted, those are not listed, and there is an empty array more, under `invalidatedAllIdentifiers`.
    ///
    /// What goes past all contexts (a plan that is carried out, a chunk of a long delete, a delete taken back, an erased
    /// container) posts it, too, with a context of the container that nobody else has. Of more than 10,000 models nothing
    /// is listed then, likewise.
    public static let didSave = Notification.Name("ModelContextDidSave")

    public enum NotificationKey: String {
        case queryGeneration
        case invalidatedAllIdentifiers = "invalidatedAll"
        case insertedIdentifiers = "inserted"
        case updatedIdentifiers = "updated"
        case deletedIdentifiers = "deleted"
    }
}

enum SaveNotification {
    typealias Lists = [String: [PersistentIdentifier]]

    /// Who saved.
    enum Origin {
        /// A context, which has all its models in memory, but for those that deletes of whole sets take.
        case context
        /// Nobody who had any of them.
        case pastContexts
    }

    /// The most identifiers that are listed of what nobody has in memory, which may be any number.
    private static var listedCount: Int { 10_000 }

    static func userInfo(_ changes: SavedChanges, of origin: Origin) -> Lists {
        let sets = [changes.bulkDeletes.deleted.count] + changes.bulkDeletes.cleared.map(\.keys.count)
        let single = [changes.inserted.count, changes.updatedIDs.count, changes.deleted.count]
        let counts = origin == .context ? sets : sets + single
        guard counts.saturatingSum() > listedCount else { return lists(changes) }
        var listed = origin == .context ? changes : SavedChanges()
        listed.bulkDeletes = DeletePlan()
        var lists = lists(listed)
        lists[ModelContext.NotificationKey.invalidatedAllIdentifiers.rawValue] = []
        return lists
    }

    private static func lists(_ changes: SavedChanges) -> Lists {
        var deleted: [PersistentIdentifier] = []
        deleted.reserveCapacity(changes.deletedCount)
        changes.forEachDeletedID { deleted.append(PersistentIdentifier($0)) }
        return [
            ModelContext.NotificationKey.insertedIdentifiers.rawValue: changes.inserted.map(PersistentIdentifier.init),
            ModelContext.NotificationKey.updatedIdentifiers.rawValue:
                changes.everyUpdatedID.map(PersistentIdentifier.init),
            ModelContext.NotificationKey.deletedIdentifiers.rawValue: deleted,
        ]
    }
}

extension ContainerCore {
    /// Tells everybody of what went past all contexts: the live ones, and who listens for saves.
    func announce(_ changes: SavedChanges) {
        guard !changes.isEmpty else { return }
        post(changes, from: nil)
        notify(changes)
    }

    /// Posts the notification alone.
    func notify(_ changes: SavedChanges) {
        guard !changes.isEmpty else { return }
        NotificationCenter.default.post(
            name: ModelContext.didSave, object: ModelContext(ModelContainer(self)),
            userInfo: SaveNotification.userInfo(changes, of: .pastContexts))
    }
}
