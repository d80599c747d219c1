import Foundation
import ObjectGraph

extension CoordinatorCore {
    /// The affected stores of a request that have the entity, in their order. Only `affectedStores` of the request itself counts,
    /// not that of a fetch request inside it.
    func members(with entity: Entity, for request: NSPersistentStoreRequest) -> [StoreGroup.Member] {
        let wanted = request.affectedStores.map { Set($0.map(\.storeIdentifier)) }
        return stores.members.filter { $0.has(entity) && wanted?.contains($0.identifier) ?? true }
    }

    /// The store of a member that a batch request is to write.
    /// - Parameter undone: the participle for the message: "deleted".
    /// - Throws: `CocoaError` 134091 for a store that does not support batch requests, 134030 for one opened for reading only.
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
    /// - Parameter progress: the request's own; `nil` for a child of the current one, if there is one.
    convenience init?(_ progress: Progress?) {
        // A progress made while another one is current becomes a child of it.
        guard let progress = progress ?? (Progress.current() == nil ? nil : Progress(totalUnitCount: 0)) else {
            return nil
        }
        self.init(progress)
    }
}

extension CocoaError {
    /// The error of a request over several stores that failed after some of them were done: 134040, with the cause inside.
    static func incomplete(_ error: any Error, after done: Int, of count: Int) -> any Error {
        guard done > 0 else { return error }
        return CocoaError(
            .persistentStoreIncompleteSave,
            text: "\(done) of \(count) stores are done; the next one failed. \(error.localizedDescription)",
            userInfo: [NSDetailedErrorsKey: [error], NSUnderlyingErrorKey: error])
    }
}
