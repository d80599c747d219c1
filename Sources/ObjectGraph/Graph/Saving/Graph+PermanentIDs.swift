/// Identities handed out before the save: for those who want to keep one of an object that is not saved yet.
extension Graph {
    /// Unsaved objects with a temporary identity.
    package var temporaryRecords: [Record] { insertedRecords.filter(\.id.isTemporary) }

    /// Gives unsaved objects the identities that their rows will have. They stay unsaved; everything that refers to them
    /// does so by the new identity.
    package func assign(_ ids: [(record: Record, id: ObjectID)]) {
        var permanent: [ObjectID: ObjectID] = [:]
        for (record, id) in ids where record.graph === self && record.isInserted && record.id.isTemporary {
            permanent[record.id] = id
            identityMap.remove(record.id)
            record.id = id
            identityMap.insert(record)
            unsaved.reservedIDs.insert(id)
        }
        guard !permanent.isEmpty else { return }
        for record in unsaved.inserted + unsaved.updated { rename(permanent, in: record) }
        eventLog.rename(permanent)
    }

    private func rename(_ permanent: [ObjectID: ObjectID], in record: Record) {
        for relationship in record.entity.toOneRelationships {
            guard let slot = relationship.slot, slot < record.values.count,
                case .reference(let id) = record.values[slot], let new = permanent[id]
            else { continue }
            record.values[slot] = .reference(new)
        }
        for index in record.toMany.indices { record.toMany[index].rename(permanent) }
    }
}
