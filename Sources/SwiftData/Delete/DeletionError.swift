import Foundation
import ObjectGraph
import SQLiteStore

/// A delete that was not done. Nothing was deleted.
public enum DeletionError: Error, Sendable, Hashable {
    /// More models would go than the limit allows.
    case tooManyModels(count: Int, limit: Int)
    /// The store has changed since the plan was made, and the same delete would now do something else.
    case storeMoved
    /// The set of models depends on unsaved work, or on a predicate that the store cannot evaluate, so that it cannot be
    /// planned: save first, or delete without a plan.
    case cannotBePlanned(String)
    /// No store has such a long delete: it is finished, or was dropped.
    case unknownDeletion(UUID)
    /// There is not room enough on the disk for the delete to be carried out; in bytes.
    case notEnoughDisk(needed: Int64, available: Int64)
}

extension DeletionError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooManyModels(let count, let limit): DeleteError.tooManyRows(count: count, limit: limit).description
        case .storeMoved: DeleteError.storeMoved.description
        case .unknownDeletion(let id): DeleteJobError.unknownJob(id).description
        case .notEnoughDisk(let needed, let available):
            DeleteJobError.notEnoughDisk(needed: needed, available: available).description
        case .cannotBePlanned(let reason): "Nothing was deleted, as the delete cannot be planned: \(reason)"
        }
    }

    public var errorDescription: String? { description }
}
