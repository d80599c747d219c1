/// Permanent identities obtained before the save.
extension Graph {
    /// Unsaved objects with a temporary identity.
    package var temporaryRecords: [Record] { insertedRecords.filter(\.id.isTemporary) }

    /// Gives unsaved objects the identities of their future rows. They stay unsaved; all references to them use the new
    /// identities.
    package func assign(_ ids: [(record: Record, id: ObjectID)]) {
        var permanent: [ObjectID: ObjectID] = [:]
        for (record, id) in ids where record.graph === self && record.isInserted && record.id.isTemporary {
            permanent[record.id] = id
            deletes.rename(record.id, to: id)
            log.noteRenamed(record, from: record.id)
            identityMap.remove(record.id)
            record.id = id
            identityMap.insert(record)
            unsaved.reservedIDs.insert(id)
        }
        guard !permanent.isEmpty else { return }
        for record in unsaved.inserted + unsaved.updated { rename(permanent, in: record) }
        log.rename(permanent)
    }

    private func rename(_ permanent: [ObjectID: ObjectID], in record: Record) {
        for relationship in record.entity.toOneRelationships {
            guard let slot = relationship.slot, slot < record.values.count,
                case .reference(let id) = record.values[slot], let new = permanent[id]
            else { continue }
            record.values[slot] = .reference(new)
            log.followed?.note(record, PropertyMask(slot: slot))
        }
        for index in record.toMany.indices { record.toMany[index].rename(permanent) }
    }
}
