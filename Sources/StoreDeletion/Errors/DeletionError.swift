import Foundation

/// An error of a deletion that was not carried out, or that cannot be resumed, restored or discarded.
///
/// Nothing was changed, except by chunks of a long deletion that were committed before.
///
/// As an `NSError` it has Cocoa's domain and Apple's code, which each case states. Errors of reading and writing are not among
/// the cases: they are those that SwiftData and Core Data throw for other work.
public enum DeletionError: Error, Sendable, Hashable {
    /// Delete rules forbid the deletion: 1600 (denied), 1570 (a mandatory relationship would be left empty) or 1580 (too few
    /// members).
    ///
    /// With several obstacles the code is 1560, and the single errors are in `NSDetailedErrors`.
    case refused([DeletionPlan.Obstacle])
    /// More rows would be deleted than the limit allows, cascaded rows included: 134070.
    case tooManyRows(count: Int, limit: Int)
    /// The store has changed since the plan was made, and the same deletion would have another effect: 134070.
    case storeChanged
    /// The rows to be deleted depend on unsaved changes, or on a predicate that the store cannot evaluate: 134060.
    ///
    /// Save first, or delete without a plan.
    case cannotBePlanned(String)
    /// The rows are in several stores, and a long deletion works in one store: 134070.
    case severalStores
    /// The store does not support planned, archived or long deletions: 134091.
    ///
    /// It is of a class of the program, or, with Core Data, of the type `NSInMemoryStoreType`.
    case notSupported
    /// The store was opened for reading only: 513.
    case readOnly
    /// The disk lacks space for the deletion, in bytes: 640.
    case notEnoughDisk(needed: Int64, available: Int64)
    /// No store has an unfinished long deletion with this identifier, because it finished or was abandoned: 134070.
    case unknownDeletion(UUID)
    /// The long deletion is already carrying out a chunk: 134070.
    case alreadyRunning(UUID)
    /// The record of the long deletion in the file cannot be read: 134070. Abandon the deletion.
    case damaged(UUID)
    /// The deletion was started or archived under another model than the store has: 134070. Abandon or discard it.
    case otherModel
    /// Nothing is archived under the token, because it was restored or discarded, or belongs to another store: 134070.
    case unknownToken
    /// Some rows or links cannot be restored, one line each: 134070.
    ///
    /// A unique value is in use again, for example, or the other end of a link is gone.
    case conflicts([String])
}

extension DeletionError: LocalizedError, CustomStringConvertible {
    /// A text that states what failed and how to proceed.
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

    /// The same text as `description`.
    public var errorDescription: String? { description }
}
