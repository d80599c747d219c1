import ObjectGraph

extension StoreGroup {
    /// Whether a store exists that the object can be saved to.
    func takes(_ record: Record) -> Bool {
        guard let member = try? member(of: record.id, record.entity) else { return false }
        return !member.store.isReadOnly
    }

    /// Permanent identifiers for unsaved objects of one entity, from the stores they will be saved to.
    func permanentIDs(for records: [Record]) throws -> [(record: Record, id: ObjectID)] {
        try whereverStoresAre { try permanentIDsOnce(for: records) }
    }

    private func permanentIDsOnce(for records: [Record]) throws -> [(record: Record, id: ObjectID)] {
        var groups: [String: (member: Member, records: [Record])] = [:]
        for record in records {
            let member = try member(of: record.id, record.entity)
            groups[member.identifier, default: (member, [])].records.append(record)
        }
        return try groups.values.flatMap { member, records -> [(record: Record, id: ObjectID)] in
            zip(records, try member.permanentIDs(for: records)).map { ($0, $1) }
        }
    }

    /// Unsaved objects that need permanent identifiers before their store writes them.
    func recordsForObjectStores(_ records: [Record]) throws -> [Record] {
        guard hasObjectStores else { return [] }
        return try records.filter { try member(of: $0.id, $0.entity).store is ObjectStore }
    }

    /// Whether all objects of an entity are in incremental stores.
    func isIncremental(_ entity: Entity) -> Bool {
        guard hasObjectStores else { return false }
        return members.allSatisfy { !$0.has(entity) || ($0.store as? ObjectStore)?.rows is IncrementalRows }
    }
}

extension StoreGroup.Member {
    /// - Parameter records: records of one entity.
    fileprivate func permanentIDs(for records: [Record]) throws -> [ObjectID] {
        if let store = store as? ObjectStore {
            return try store.permanentIDs(for: records.compactMap { $0.object as? NSManagedObject })
        }
        guard let batching = store.batching, let entityIndex = records.first?.entity.index else { return [] }
        return try batching.reserveIDs(entityIndex: entityIndex, count: records.count)
    }
}

extension StoreCall {
    /// The calling context.
    var managedObjectContext: NSManagedObjectContext? { context as? NSManagedObjectContext }
}
