import Foundation
import ObjectGraph

extension SavedChanges {
    /// Creates changes from the `userInfo` of a notification.
    /// - Parameter userInfo: sets or arrays under the keys of the save notifications; other keys are ignored.
    init(_ userInfo: [AnyHashable: Any], _ core: CoordinatorCore) {
        self.init()
        inserted = Self.ids(userInfo, core, NSInsertedObjectsKey, NSInsertedObjectIDsKey)
        updatedIDs =
            Self.ids(userInfo, core, NSUpdatedObjectsKey, NSUpdatedObjectIDsKey)
            + Self.ids(userInfo, core, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey)
            + Self.ids(
                userInfo, core, NSInvalidatedObjectsKey, NSInvalidatedObjectIDsKey, NSInvalidatedAllObjectsKey)
        deleted = Self.ids(userInfo, core, NSDeletedObjectsKey, NSDeletedObjectIDsKey)
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
