extension Graph {
    /// Prefetches a relationship: reads the members of a to-many relationship for many owners with one statement, or the
    /// destinations of a to-one relationship.
    package func prefetch(_ relationship: EntityRelationship, of owners: [Record]) throws {
        if relationship.isToOne {
            var faults: [Record] = []
            for owner in owners {
                guard let id = destinationID(of: owner, relationship), let destination = record(for: id),
                    destination.isFault
                else { continue }
                faults.append(destination)
            }
            try fire(faults)
        } else {
            try readMembers(of: relationship, owners: owners)
            try fire(owners.flatMap { members(of: $0, relationship) })
        }
    }

    /// Prefetches along a path of relationships. Skips objects whose entities lack one of them.
    package func prefetch(along path: [String], of owners: [Record]) throws {
        guard let name = path.first else { return }
        var found: [Record] = []
        for group in Dictionary(grouping: owners, by: \.entity.index).values {
            guard let relationship = group.first?.entity.relationship(named: name) else { continue }
            try prefetch(relationship, of: group)
            found += group.flatMap { destinations(of: $0, relationship) }
        }
        try prefetch(along: Array(path.dropFirst()), of: found)
    }

    private func destinationID(of record: Record, _ relationship: EntityRelationship) -> ObjectID? {
        guard let slot = relationship.slot, case .reference(let id) = record.value(slot) else { return nil }
        return id
    }

    /// Reads member identifiers of the owners whose members have not been read yet.
    package func readMembers(of relationship: EntityRelationship, owners: [Record]) throws {
        guard let store, let index = relationship.toManyIndex else { return }
        let unread = owners.filter { !$0.isRead(toMany: index) && !$0.id.isTemporary && !$0.isGone }
        guard let first = unread.first else { return }
        let members = try store.members(
            of: relationship.index, entityIndex: first.entity.index, owners: unread.map(\.id))
        for record in unread {
            // Rows of bulk deletes are no members, without an edit of the owner that could be undone.
            let read = deletes.bulk.applied(to: members[record.id] ?? [], of: relationship)
            let saved = record.withMembers(index) { $0.read(read) }
            for id in saved { discardEdit(backAlong: relationship, from: id, to: record) }
            removeLost(of: record, relationship, read)
        }
    }

    /// Discards the edit at the other end of a link, if it is an edit no more at this end. If members have been read
    /// there, it is known already.
    private func discardEdit(backAlong relationship: EntityRelationship, from id: ObjectID, to owner: Record) {
        guard let member = identityMap[id], let index = inverse(of: relationship, on: member)?.toManyIndex else {
            return
        }
        if !member.isRead(toMany: index) { member.withMembers(index) { $0.discardEdit(of: owner.id) } }
    }

    /// Removes members that unsaved changes deleted or moved, if the store has only now shown that they belonged to
    /// this owner.
    private func removeLost(of owner: Record, _ relationship: EntityRelationship, _ members: [ObjectID]) {
        guard hasChanges, relationship.inverseIndex != nil, let index = relationship.toManyIndex else { return }
        // The loss of known members is recorded for undo already; recording it again would undo it twice.
        let known = Set(owner.members(index).removed.all)
        for id in members where !known.contains(id) {
            guard let member = identityMap[id], member.hasChanges, !member.isFault,
                let inverse = inverse(of: relationship, on: member)
            else { continue }
            let isLost =
                member.isDeleted ? relationship.losesDeletedDestinations : isMoved(member, inverse, from: owner)
            if isLost { removeHalf(owner, relationship, id) }
        }
    }

    /// Whether an unsaved change made the member's reference another one.
    private func isMoved(_ member: Record, _ inverse: EntityRelationship, from owner: Record) -> Bool {
        // A key without edits is merely older than the list just read.
        guard let slot = inverse.slot, member.value(slot) != .reference(owner.id) else { return false }
        return member.isInserted || member.committed.map { $0[slot] != member.values[slot] } ?? false
    }
}
