import Foundation
import ObjectGraph

extension ModelContext {
    /// Posted on the saving thread before a save, with the context as object and no `userInfo`.
    public static let willSave = Notification.Name("ModelContextWillSave")

    /// Posted on the saving thread after a save, with the context as object. `userInfo` has arrays of
    /// `PersistentIdentifier` under the raw values of `NotificationKey`.
    ///
    /// What goes past all contexts (a plan that is carried out, a chunk of a long delete, a delete taken back, an erased
    /// container) posts it, too, with a context of the container that nobody else has. Where that is more than 10,000
    /// models, the arrays are empty, and there is one more, which is empty as well, under `invalidatedAllIdentifiers`.
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
    /// The most identifiers that are listed of what goes past contexts, which may be any number.
    private static var listedCount: Int { 10_000 }

    static func userInfo(_ changes: SavedChanges) -> [String: [PersistentIdentifier]] {
        var deleted: [PersistentIdentifier] = []
        deleted.reserveCapacity(changes.deletedCount)
        changes.forEachDeletedID { deleted.append(PersistentIdentifier($0)) }
        return userInfo(
            inserted: changes.inserted.map(PersistentIdentifier.init),
            updated: changes.everyUpdatedID.map(PersistentIdentifier.init), deleted: deleted)
    }

    /// The same, unless it is too much to be listed.
    static func boundedUserInfo(_ changes: SavedChanges) -> [String: [PersistentIdentifier]] {
        let cleared = changes.planned.cleared.map(\.keys.count)
        let counts = [changes.inserted.count, changes.updatedIDs.count, changes.deletedCount] + cleared
        guard counts.saturatingSum() > listedCount else { return userInfo(changes) }
        var userInfo = userInfo(inserted: [], updated: [], deleted: [])
        userInfo[ModelContext.NotificationKey.invalidatedAllIdentifiers.rawValue] = []
        return userInfo
    }

    private static func userInfo(
        inserted: [PersistentIdentifier], updated: [PersistentIdentifier], deleted: [PersistentIdentifier]
    ) -> [String: [PersistentIdentifier]] {
        [
            ModelContext.NotificationKey.insertedIdentifiers.rawValue: inserted,
            ModelContext.NotificationKey.updatedIdentifiers.rawValue: updated,
            ModelContext.NotificationKey.deletedIdentifiers.rawValue: deleted,
        ]
    }
}

extension ContainerCore {
    /// Tells everybody of what went past all contexts: the live ones, and who listens for saves.
    func announce(_ changes: SavedChanges) {
        guard !changes.isEmpty else { return }
        post(changes, from: nil)
        NotificationCenter.default.post(
            name: ModelContext.didSave, object: ModelContext(ModelContainer(self)),
            userInfo: SaveNotification.boundedUserInfo(changes))
    }
}
