import Foundation
import ObjectGraph

extension CoordinatorCore {
    /// The stores that a request is for and that have the entity, in their order. `affectedStores` of the request itself
    /// decides, not that of a fetch request inside it. (BD20)
    func members(with entity: Entity, for request: NSPersistentStoreRequest) -> [StoreGroup.Member] {
        let wanted = request.affectedStores.map { Set($0.map(\.storeIdentifier)) }
        return stores.members.filter { $0.has(entity) && wanted?.contains($0.identifier) ?? true }
    }

    /// The store of a member, to be written to by a batch request.
    /// - Parameter undone: what did not happen, for the message: "deleted".
    /// - Throws: `CocoaError` 134091 for a store that takes no batch requests, 134030 for one that is only read.
    func writable(
        _ member: StoreGroup.Member, for request: NSPersistentStoreRequest, undone: String
    ) throws -> any BatchStore {
        let affected: [String: Any] = [
            NSAffectedStoresErrorKey: [persistentStore(identifier: member.identifier)].compactMap { $0 }
        ]
        guard let store = batchStore(member) else {
            throw CocoaError(
                .persistentStoreUnsupportedRequestType, text: "Unknown command type \(request)", userInfo: affected)
        }
        guard !store.isReadOnly else {
            throw CocoaError(
                .persistentStoreSave, text: "The store was opened for reading only; nothing was \(undone).",
                userInfo: affected)
        }
        return store
    }
}

extension RowMeter {
    /// - Parameter progress: the request's own; `nil` for a part in the current one, if there is one.
    convenience init?(_ progress: Progress?) {
        // Made while another one is current, it becomes a part of that.
        guard let progress = progress ?? (Progress.current() == nil ? nil : Progress(totalUnitCount: 0)) else {
            return nil
        }
        self.init(progress)
    }
}

extension CocoaError {
    /// What a request over several stores ended with, after some of them were done: 134040, with what went wrong inside.
    static func incomplete(_ error: any Error, after done: Int, of count: Int) -> any Error {
        guard done > 0 else { return error }
        return CocoaError(
            .persistentStoreIncompleteSave,
            text: "\(done) of \(count) stores are done; the next one failed. \(error.localizedDescription)",
            userInfo: [NSDetailedErrorsKey: [error], NSUnderlyingErrorKey: error])
    }
}
