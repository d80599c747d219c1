import ObjectGraph

extension CoordinatorStore {
    /// Identities for unsaved objects of one entity, from the stores they will go to.
    func permanentIDs(for records: [Record]) throws -> [(record: Record, id: ObjectID)] {
        var groups: [String: (member: Member, records: [Record])] = [:]
        for record in records {
            let member = try member(forNew: record.id, record.entity)
            groups[member.store.identifier, default: (member, [])].records.append(record)
        }
        return try groups.values.flatMap { member, records -> [(record: Record, id: ObjectID)] in
            guard let entityIndex = records.first?.entity.index else { return [] }
            let ids = try member.store.reserveIDs(entityIndex: member.index(entityIndex), count: records.count)
            return zip(records, ids).map { ($0, $1) }
        }
    }
}
