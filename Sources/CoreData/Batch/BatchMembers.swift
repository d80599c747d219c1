import Foundation
import ObjectGraph
import SQLiteStore

extension CoordinatorCore {
    /// The stores that a request is for and that have the entity, in their order. `affectedStores` of the request itself
    /// decides, not that of a fetch request inside it. (BD20)
    func members(with entity: Entity, for request: NSPersistentStoreRequest) -> [CoordinatorStore.Member] {
        let wanted = request.affectedStores.map { Set($0.map(\.storeIdentifier)) }
        return store.members.filter { $0.has(entity) && wanted?.contains($0.store.identifier) ?? true }
    }
}

extension CoordinatorCore {
    /// Of rows that a batch request touched, for the program.
    func identifiers(of rows: RowSet) -> [NSManagedObjectID] {
        var ids: [NSManagedObjectID] = []
        ids.reserveCapacity(rows.count)
        for id in rows.ids { ids.append(NSManagedObjectID(id, self)) }
        return ids
    }
}

/// Identifiers of rows that a batch request touched, made when they are first asked for: as a set, millions of rows take next
/// to nothing.
final class RowIdentifiers: Sendable {
    private let core: CoordinatorCore
    private let state: Locked<State>

    private enum State {
        case rows(RowSet)
        case made([NSManagedObjectID])
    }

    init(_ rows: RowSet, _ core: CoordinatorCore) {
        self.core = core
        state = Locked(.rows(rows))
    }

    var all: [NSManagedObjectID] {
        state.withLock { state in
            switch state {
            case .made(let ids): return ids
            case .rows(let rows):
                let ids = core.identifiers(of: rows)
                state = .made(ids)
                return ids
            }
        }
    }
}

extension CoordinatorStore.Member {
    /// The store, to be written to by a batch request.
    /// - Parameter undone: what did not happen, for the message: "deleted".
    /// - Throws: `CocoaError` 134091 for a store that takes no batch requests, 134030 for one that is only read.
    func writable(for request: NSPersistentStoreRequest, undone: String) throws -> SQLiteStore {
        let affected: [String: Any] = [NSAffectedStoresErrorKey: [persistentStore.store].compactMap { $0 }]
        guard let batches else {
            throw CocoaError(
                .persistentStoreUnsupportedRequestType, text: "Unknown command type \(request)", userInfo: affected)
        }
        guard !store.isReadOnly else {
            throw CocoaError(
                .persistentStoreSave, text: "The store was opened for reading only; nothing was \(undone).",
                userInfo: affected)
        }
        return batches
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
