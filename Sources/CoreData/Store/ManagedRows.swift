import ObjectGraph

/// Rows of a store of a program's own class, which names new objects before they are saved.
protocol ManagedRows: ObjectRows {
    /// One for each object, in their order.
    func permanentIDs(for objects: [NSManagedObject]) throws -> [ObjectID]
}

extension ObjectStore {
    /// Identities for objects that are to be saved here.
    func permanentIDs(for objects: [NSManagedObject]) throws -> [ObjectID] {
        try alone { try (rows as? any ManagedRows)?.permanentIDs(for: objects) ?? [] }
    }
}
