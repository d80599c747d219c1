import Foundation
import ObjectGraph

/// Notifies incremental stores of a context's objects, and passes batch requests to them.
extension NSManagedObjectContext {
    /// Lets an incremental store carry out a batch request that concerns no other store.
    /// - Returns: `nil` for any other request.
    final func executeInIncrementalStore(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult? {
        guard core.stores.hasObjectStores, let name = batchEntityName(request),
            let entity = core.model.entity(named: name)
        else { return nil }
        let wanted = request.affectedStores.map { Set($0.map(\.storeIdentifier)) }
        let members = core.stores.members.filter {
            $0.has(entity) && wanted?.contains($0.identifier) ?? true
        }
        guard members.count == 1, let only = members.first,
            let store = core.persistentStore(identifier: only.identifier) as? NSIncrementalStore
        else { return nil }
        do {
            if let result = try store.execute(request, with: self) as? NSPersistentStoreResult { return result }
        } catch {
            throw ErrorMapping.saving(error, self)
        }
        throw CocoaError(
            .persistentStoreUnsupportedRequestType,
            text: "\(Swift.type(of: store)) did not answer \(request) with a result.")
    }

    private func batchEntityName(_ request: NSPersistentStoreRequest) -> String? {
        switch request {
        case let request as NSBatchDeleteRequest:
            request.fetchRequest.entityName ?? request.fetchRequest.entity?.name
        case let request as NSBatchInsertRequest: request.entityName
        case let request as NSBatchUpdateRequest: request.entityName
        default: nil
        }
    }

    /// Notifies incremental stores of the objects that the context has registered or released since the last time.
    /// - Complexity: O(n) in the registered objects, and only with such stores.
    final func notifyIncrementalStores() {
        guard core.stores.hasObjectStores || !reportedToIncrementalStores.isEmpty else { return }
        let held = Set(graph.registeredRecords.map(\.id).filter { !$0.isTemporary })
        notify(of: held.subtracting(reportedToIncrementalStores)) {
            $0.managedObjectContextDidRegisterObjects(with: $1)
        }
        notify(of: reportedToIncrementalStores.subtracting(held)) {
            $0.managedObjectContextDidUnregisterObjects(with: $1)
        }
        reportedToIncrementalStores = held
    }

    /// The context is deallocated and releases all objects.
    final func notifyIncrementalStoresOfEnd() {
        notify(of: reportedToIncrementalStores) { $0.managedObjectContextDidUnregisterObjects(with: $1) }
        reportedToIncrementalStores = []
    }

    private func notify(of ids: Set<ObjectID>, _ body: (NSIncrementalStore, [NSManagedObjectID]) -> Void) {
        if ids.isEmpty { return }
        for (identifier, ids) in Dictionary(grouping: ids, by: { $0.storeIdentifier ?? "" }) {
            guard let store = core.persistentStore(identifier: identifier) as? NSIncrementalStore else { continue }
            body(store, ids.sorted().map { NSManagedObjectID($0, core) })
        }
    }
}
