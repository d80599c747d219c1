extension Graph {
    /// Reads the members of one to-many relationship for many owners with one statement; a to-one relationship's
    /// destinations are read likewise.
    package func prefetch(_ relationship: EntityRelationship, of owners: [Record]) throws {
        if relationship.isToOne {
            try fire(owners.compactMap { destinationID(of: $0, relationship) }.compactMap(record))
        } else {
            try readMembers(of: relationship, owners: owners)
            try fire(owners.flatMap { members(of: $0, relationship) })
        }
    }

    private func destinationID(of record: Record, _ relationship: EntityRelationship) -> ObjectID? {
        guard let slot = relationship.slot, case .reference(let id) = record.value(slot) else { return nil }
        return id
    }

    /// Reads member identifiers for the owners that have not been asked yet.
    func readMembers(of relationship: EntityRelationship, owners: [Record]) throws {
        guard let store, let index = relationship.toManyIndex else { return }
        let unread = owners.filter { !$0.members(index).isRead && !$0.id.isTemporary && !$0.isGone }
        guard let first = unread.first else { return }
        let members = try store.members(
            of: relationship.index, entityIndex: first.entity.index, owners: unread.map(\.id))
        for record in unread { record.withMembers(index) { $0.read(members[record.id] ?? []) } }
    }
}
