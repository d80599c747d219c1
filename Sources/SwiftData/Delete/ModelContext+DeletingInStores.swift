import Foundation
import ObjectGraph

extension ModelContext {
    /// Deletes the models that a descriptor finds in a store of the program's own class: at once by the store itself, if it
    /// supports that and there are no unsaved changes; else model by model with the next save.
    /// - Returns: Whether such a store keeps the models.
    func deleteInDataStore<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, _ reach: FetchReach, limit: Int?
    ) throws -> Bool {
        guard core.hasDataStores, let store = core.dataStore(of: try entity(of: T.self)) else { return false }
        if limit == nil, !hasChanges, try deleteAtOnce(descriptor, reach, store) { return true }
        try graph.delete(records(descriptor, reach: reach), atMost: limit)
        return true
    }

    private func storedIDs<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ reach: FetchReach) throws
        -> [ObjectID]
    {
        guard case .query(let query) = try plan(descriptor, reach: reach) else {
            return try records(descriptor, reach: reach).map(\.id)
        }
        return try asking(descriptor, query) { try graph.fetchIDs(query, unsaved: .ignored) }
    }

    private func deleteAtOnce<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, _ reach: FetchReach, _ store: ObjectStore
    ) throws -> Bool {
        guard let rows = store.rows as? any RowsOfDataStore, rows.anyBase is any DataStoreBatching else { return false }
        let request = DataStoreBatchDeleteRequest(
            editingState: editingState, predicate: descriptor.predicate, includeSubclasses: reach == .subclasses)
        let changes = SavedChanges(deleted: try storedIDs(descriptor, reach))
        guard try store.alone({ try rows.delete(request) }) else { return false }
        core.post(changes, from: nil)
        // Only the store knows what else its delete rules have deleted or changed. A post of its own, so that deleted models keep
        // the values that were read of them.
        core.post(.overflow, from: nil)
        graph.mergeWaitingChanges()
        return true
    }
}
