import Foundation

/// A deletion that was not done, or cannot be resumed, restored or discarded. Nothing was changed, but for the chunks of a
/// long deletion that were committed before.
///
/// As an `NSError` it is of Cocoa's domain, with Apple's code for it. Errors of reading and writing are not among these: they
/// are those that SwiftData and Core Data throw for other work.
public enum DeletionError: Error, Sendable, Hashable {
    /// Delete rules forbid it: 1600 (denied), 1570 (a mandatory relationship would be left empty) or 1580 (too few members).
    /// With several obstacles it is 1560, and the single errors are in `NSDetailedErrors`.
    case refused([DeletionPlan.Obstacle])
    /// More rows would be deleted than the limit allows, cascaded ones included: 134070.
    case tooManyRows(count: Int, limit: Int)
    /// The store has changed since the plan was made, and the same deletion would now do something else: 134070.
    case storeChanged
    /// Which rows would go depends on unsaved work, or on a predicate that the store cannot evaluate: 134060. Save first, or
    /// delete without a plan.
    case cannotBePlanned(String)
    /// A long deletion works in one store, and the rows are in several: 134070.
    case severalStores
    /// The store is of the program's own class, and cannot do this: 134091.
    case notSupported
    /// The store was opened for reading only: 513.
    case readOnly
    /// The disk lacks room for the deletion, in bytes: 640.
    case notEnoughDisk(needed: Int64, available: Int64)
    /// No store has such a long deletion: it is finished, or was abandoned. 134070.
    case unknownDeletion(UUID)
    /// The long deletion is carrying out a chunk already: 134070.
    case alreadyRunning(UUID)
    /// What the file says of the long deletion cannot be read: 134070. Abandon it.
    case damaged(UUID)
    /// It was started or archived with another model than the store has now: 134070. Abandon or discard it.
    case otherModel
    /// Nothing is archived under the token: it was restored or discarded, or is of another store. 134070.
    case unknownToken
    /// Something cannot be restored, one line each: a unique value is taken again, the other end of a link is gone. 134070.
    case conflicts([String])
}

extension DeletionError: LocalizedError, CustomStringConvertible {
    /// What failed and what to do.
    public var description: String {
        switch self {
        case .refused(let obstacles):
            "Nothing was deleted. " + obstacles.prefix(5).map(\.description).joined(separator: " ")
        case .tooManyRows(let count, let limit):
            "Nothing was deleted: \(count) rows would go, and at most \(limit) may. Narrow what is deleted, or raise the limit."
        case .storeChanged:
            "Nothing was deleted: the store has changed since the plan was made, and the same deletion would do something "
                + "else. Make the plan again."
        case .cannotBePlanned(let reason): "Nothing was deleted, as the deletion cannot be planned: \(reason)"
        case .severalStores:
            "Nothing was deleted: the rows are in several stores, and a long deletion works in one. Delete those of one store "
                + "after the other."
        case .notSupported:
            "The store cannot plan or archive deletions, or carry them out in chunks. Delete the objects."
        case .readOnly: "The store was opened for reading only, and nothing was changed."
        case .notEnoughDisk(let needed, let available):
            "Nothing was deleted: about \(needed) bytes are needed on the disk while it goes on, and \(available) are free. "
                + "Free some space, or make the chunks smaller."
        case .unknownDeletion(let id):
            "No store has a deletion \(id) that is unfinished: it is finished or was abandoned. Start it anew."
        case .alreadyRunning(let id): "Deletion \(id) is carrying out a chunk already. Run it once."
        case .damaged(let id): "What the file says of deletion \(id) is damaged. Abandon it and start it anew."
        case .otherModel:
            "The deletion was started or archived with another model than the store has now. Abandon or discard it, or go "
                + "back to a copy of the file."
        case .unknownToken:
            "Nothing is archived under the token: it was restored or discarded, or is of another store."
        case .conflicts(let lines): "Nothing was restored. " + lines.prefix(5).joined(separator: " ")
        }
    }

    public var errorDescription: String? { description }
}
