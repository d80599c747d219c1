import ObjectGraph

/// Rows of a store of a program's own class, which gives new objects their identifiers before they are saved.
protocol ManagedRows: ObjectRows {
    /// One identifier for each object, in order.
    func permanentIDs(for objects: [NSManagedObject]) throws -> [ObjectID]
}

extension ObjectStore {
    /// Identifiers for objects that are to be saved here.
    func permanentIDs(for objects: [NSManagedObject]) throws -> [ObjectID] {
        try alone { try (rows as? any ManagedRows)?.permanentIDs(for: objects) ?? [] }
    }
}
