import Foundation
import ObjectGraph

extension ModelContext {
    /// Posted on the saving thread before a save, with the context as object and no `userInfo`.
    public static let willSave = Notification.Name("ModelContextWillSave")

    /// Posted on the saving thread after a save, with the context as object. `userInfo` has arrays of
    /// `PersistentIdentifier` under the raw values of `NotificationKey`.
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
    static func userInfo(_ changes: SavedChanges) -> [String: [PersistentIdentifier]] {
        var deleted: [PersistentIdentifier] = []
        deleted.reserveCapacity(changes.deletedCount)
        changes.forEachDeletedID { deleted.append(PersistentIdentifier($0)) }
        return [
            ModelContext.NotificationKey.insertedIdentifiers.rawValue: changes.inserted.map(PersistentIdentifier.init),
            ModelContext.NotificationKey.updatedIdentifiers.rawValue: changes.everyUpdatedID.map(
                PersistentIdentifier.init),
            ModelContext.NotificationKey.deletedIdentifiers.rawValue: deleted,
        ]
    }
}
