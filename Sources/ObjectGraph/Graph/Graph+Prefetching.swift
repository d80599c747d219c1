extension Graph {
    /// Prefetches a relationship: reads the members of a to-many relationship for many owners with one statement, or the
    /// destinations of a to-one relationship.
    package func prefetch(_ relationship: EntityRelationship, of owners: [Record]) throws {
        _ = try links(of: owners, along: relationship)
    }

    /// Returns the links of many owners along a relationship, in the order of the owners. Links to rows that do not
    /// exist are left out.
    func links(of owners: [Record], along relationship: EntityRelationship) throws -> [GraphReading.Link] {
        try readMembers(of: relationship, owners: owners)
        return try links(of: owners, along: relationship, [:]) { _ in true }
    }

    /// Returns the links of owners that are about to be deleted. The member lists read for this are kept only where unsaved
    /// changes differ from the store, and where the store could not give them to an owner that is inserted again.
    /// - Parameter isIncluded: Whether links to a destination are returned.
    func lastLinks(
        of owners: [Record], along relationship: EntityRelationship, to isIncluded: (Record) -> Bool
    ) throws -> [GraphReading.Link] {
        let inverse = model?.inverse(of: relationship)
        if !relationship.keepsMemberReferences(inverse: inverse) { try readMembers(of: relationship, owners: owners) }
        var (unread, members) = try storedMembers(of: relationship, owners: owners)
        for record in unread {
            let stored = members[record.id] ?? []
            if isChanged(stored, of: record, relationship) {
                keep(stored, of: record, relationship)
                members[record.id] = nil
            } else {
                members[record.id] = deletes.bulk.applied(to: stored, of: relationship)
            }
        }
        return try links(of: owners, along: relationship, members, to: isIncluded)
    }

    /// - Parameter members: The members by owner; those of other owners are known or read one by one.
    private func links(
        of owners: [Record], along relationship: EntityRelationship, _ members: [ObjectID: [ObjectID]],
        to isIncluded: (Record) -> Bool
    ) throws -> [GraphReading.Link] {
        var links: [GraphReading.Link] = []
        links.reserveCapacity(owners.count)
        var faults: [Record] = []
        var seen: Set<ObjectIdentifier> = []
        func add(_ id: ObjectID, of owner: Record) {
            guard let destination = record(for: id), !destination.isGone, isIncluded(destination) else { return }
            links.append(GraphReading.Link(owner: owner, destination: destination))
            guard destination.isFault, faults.last !== destination else { return }
            if seen.insert(ObjectIdentifier(destination)).inserted { faults.append(destination) }
        }
        for owner in owners where !owner.isGone {
            if let slot = relationship.slot {
                if let id = reference(of: owner, at: slot) { add(id, of: owner) }
            } else {
                for id in members[owner.id] ?? memberIDs(of: owner, relationship) { add(id, of: owner) }
            }
        }
        if faults.isEmpty { return links }
        try fire(faults)
        return links.keeping { !$0.destination.isGone }
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

    /// Reads member identifiers of the owners whose members have not been read yet.
    package func readMembers(of relationship: EntityRelationship, owners: [Record]) throws {
        let (unread, members) = try storedMembers(of: relationship, owners: owners)
        for record in unread { keep(members[record.id] ?? [], of: record, relationship) }
    }

    /// Reads the members of owners whose members have not been read yet.
    /// - Returns: These owners, and the members by owner.
    private func storedMembers(
        of relationship: EntityRelationship, owners: [Record]
    ) throws -> (unread: [Record], members: [ObjectID: [ObjectID]]) {
        guard let store, let index = relationship.toManyIndex else { return ([], [:]) }
        let unread = owners.filter { !$0.isRead(toMany: index) && !$0.id.isTemporary && !$0.isGone }
        guard let first = unread.first else { return ([], [:]) }
        let members = try store.members(
            of: relationship.index, entityIndex: first.entity.index, owners: unread.map(\.id))
        return (unread, members)
    }

    private func keep(_ stored: [ObjectID], of owner: Record, _ relationship: EntityRelationship) {
        guard let index = relationship.toManyIndex else { return }
        // Rows of bulk deletes are no members, without an edit of the owner that could be undone.
        let members = deletes.bulk.applied(to: stored, of: relationship)
        let saved = owner.withMembers(index) { $0.read(members, among: stored) }
        for id in saved { discardEdit(backAlong: relationship, from: id, to: owner) }
        for id in lostMembers(of: owner, relationship, members) { removeHalf(owner, relationship, id) }
    }

    /// Whether unsaved changes change members just read.
    private func isChanged(_ members: [ObjectID], of owner: Record, _ relationship: EntityRelationship) -> Bool {
        guard let index = relationship.toManyIndex else { return false }
        return owner.members(index).isEdited || !lostMembers(of: owner, relationship, members).isEmpty
    }

    /// Discards the edit at the other end of a link, if it is an edit no more at this end. If members have been read
    /// there, it is known already.
    private func discardEdit(backAlong relationship: EntityRelationship, from id: ObjectID, to owner: Record) {
        guard let member = identityMap[id], let index = inverse(of: relationship, on: member)?.toManyIndex else {
            return
        }
        if !member.isRead(toMany: index) { member.withMembers(index) { $0.discardEdit(of: owner.id) } }
    }

    /// Returns members that unsaved changes deleted or moved, of those just read: only now has the store shown that they
    /// belonged to this owner.
    private func lostMembers(
        of owner: Record, _ relationship: EntityRelationship, _ members: [ObjectID]
    ) -> [ObjectID] {
        guard hasChanges, relationship.inverseIndex != nil, let index = relationship.toManyIndex else { return [] }
        // The loss of known members is recorded for undo already; recording it again would undo it twice.
        let known = Set(owner.members(index).removed.all)
        return members.filter { id in
            guard !known.contains(id), let member = identityMap[id], member.hasChanges, !member.isFault,
                let inverse = inverse(of: relationship, on: member)
            else { return false }
            guard member.isDeleted else { return isMoved(member, inverse, from: owner) }
            // A deleted owner keeps the members that the delete rules delete with it.
            if relationship.deletesDestinations, owner.isDeleted, deletes.causes(of: member) == .rule { return false }
            return relationship.losesDeletedDestinations
        }
    }

    /// Whether an unsaved change made the member's reference another one.
    private func isMoved(_ member: Record, _ inverse: EntityRelationship, from owner: Record) -> Bool {
        // A key without edits is merely older than the list just read.
        guard let slot = inverse.slot, member.value(slot) != .reference(owner.id) else { return false }
        return member.isInserted || member.committed.map { $0[slot] != member.values[slot] } ?? false
    }
}
