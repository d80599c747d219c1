import Foundation
import ObjectGraph

extension ModelContext {
    /// The name of the notification posted before a save, on the thread that saves. Its object is the context; it has no
    /// `userInfo`.
    public static let willSave = Notification.Name("ModelContextWillSave")

    /// The name of the notification posted after a save, on the thread that saves. Its object is the context. `userInfo`
    /// has arrays of `PersistentIdentifier` under the raw values of `NotificationKey`, and a history token.
    ///
    /// Bulk deletes are sets: if a save carries out bulk deletes of more than 10,000 models, including survivors that lose
    /// a link, those are not listed, and `userInfo` also has an empty array under `invalidatedAllIdentifiers`.
    ///
    /// Operations outside any context (executing a plan, a chunk of a long deletion, a restored deletion, an erased
    /// container) post the notification too, with a new context of the container as object. If more than 10,000 models are
    /// concerned, nothing is listed.
    public static let didSave = Notification.Name("ModelContextDidSave")

    /// The keys of the `userInfo` of `didSave`, by their raw values.
    public enum NotificationKey: String {
        /// Reserved for Apple's query generation; never present here.
        case queryGeneration
        /// The position in the history after the save, a `DefaultHistoryToken`: transactions after it are later than the save.
        /// Absent if no store keeps a history. Of stores that the save did not write, it has the newest position.
        case historyTokens
        /// Present, with an empty array, if some changes are too many to be listed.
        case invalidatedAllIdentifiers = "invalidatedAll"
        /// The inserted models.
        case insertedIdentifiers = "inserted"
        /// The changed models, including survivors that lost a link.
        case updatedIdentifiers = "updated"
        /// The deleted models.
        case deletedIdentifiers = "deleted"
    }
}

enum SaveNotification {
    /// The lists and the token.
    static func userInfo(_ changes: SavedChanges, of origin: Origin, in core: ContainerCore) -> [AnyHashable: Any] {
        var userInfo = lists(changes, of: origin)
        if let token = core.historyToken(after: changes.transactions) {
            userInfo[ModelContext.NotificationKey.historyTokens.rawValue] = token
        }
        return userInfo
    }

    /// The origin of the saved changes.
    enum Origin {
        /// A context, which holds all changed models in memory except those of bulk deletes.
        case context
        /// An operation outside any context, which holds none of the models in memory.
        case pastContexts
    }

    /// The maximum number of listed identifiers of models that are not in memory, whose number is unbounded.
    private static var listedCount: Int { 10_000 }

    private static func lists(_ changes: SavedChanges, of origin: Origin) -> [AnyHashable: Any] {
        let sets = [changes.bulkDeletes.deleted.count] + changes.bulkDeletes.cleared.map(\.keys.count)
        let single = [changes.inserted.count, changes.updatedIDs.count, changes.deleted.count]
        let counts = origin == .context ? sets : sets + single
        guard counts.saturatingSum() > listedCount else { return lists(changes) }
        var listed = origin == .context ? changes : SavedChanges()
        listed.bulkDeletes = DeletePlan()
        var lists = lists(listed)
        lists[ModelContext.NotificationKey.invalidatedAllIdentifiers.rawValue] = [PersistentIdentifier]()
        return lists
    }

    private static func lists(_ changes: SavedChanges) -> [AnyHashable: Any] {
        var deleted: [PersistentIdentifier] = []
        deleted.reserveCapacity(changes.deletedCount)
        changes.forEachDeletedID { deleted.append(PersistentIdentifier($0)) }
        // With room for the token.
        var lists = [AnyHashable: Any](minimumCapacity: 4)
        lists[ModelContext.NotificationKey.insertedIdentifiers.rawValue] = changes.inserted.map(
            PersistentIdentifier.init)
        lists[ModelContext.NotificationKey.updatedIdentifiers.rawValue] =
            changes.everyUpdatedID.map(PersistentIdentifier.init)
        lists[ModelContext.NotificationKey.deletedIdentifiers.rawValue] = deleted
        return lists
    }
}

extension ContainerCore {
    /// Posts the changes of an operation outside any context to the live contexts, and the notification to observers of
    /// saves.
    func announce(_ changes: SavedChanges) {
        guard !changes.isEmpty else { return }
        post(changes, from: nil)
        notify(changes)
    }

    /// Posts only the notification.
    func notify(_ changes: SavedChanges) {
        guard !changes.isEmpty else { return }
        NotificationCenter.default.post(
            name: ModelContext.didSave, object: ModelContext(ModelContainer(self)),
            userInfo: SaveNotification.userInfo(changes, of: .pastContexts, in: self))
    }
}
