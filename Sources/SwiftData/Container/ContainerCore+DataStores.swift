import Foundation
import ObjectGraph

/// Operations on all stores of the program's own classes.
extension ContainerCore {
    func makeGraph() -> Graph {
        Graph(model: store.model, store: hasDataStores ? group.map { StoreView($0) } ?? store : store)
    }

    private var dataStores: [ObjectStore] { hasDataStores ? stores.compactMap { $0 as? ObjectStore } : [] }

    func eachDataStore(_ body: (any DataStore) throws -> Void) rethrows {
        for store in dataStores {
            guard let rows = store.rows as? any RowsOfDataStore else { continue }
            try store.alone { try body(rows.anyBase) }
        }
    }

    /// The store of an entity's models, if it is of a class of the program's own.
    func dataStore(of entity: Entity) -> ObjectStore? {
        dataStores.first { $0.model.entity(named: entity.name) != nil }
    }

    /// - Parameter notify: Called with the former models of a store after it was emptied.
    func eraseDataStores(notify: ([ObjectID]) -> Void) throws {
        for store in dataStores {
            let erased = try store.model.entities.filter(\.isRoot).flatMap {
                try store.fetchIDs(Query(entityIndex: $0.index))
            }
            try store.alone { try (store.rows as? any RowsOfDataStore)?.erase() }
            notify(erased)
        }
    }
}
