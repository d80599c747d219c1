/// Why links of registered objects to deleted rows are removed without a change to save.
enum LinkRemovalReason {
    /// A bulk delete that is not saved yet. Objects pending deletion, and edits of member lists, keep their links: undoing
    /// the deletion restores them.
    case pending
    /// A deletion that a store executed. Nullified rows have one more version: those with a reference to a deleted row, and
    /// those that still have the known version.
    case saved(known: [ObjectID: RowVersion])
    /// A deletion by another context. Objects pending deletion keep their links. Versions come with the values.
    case remote
}

/// The arguments of one removal.
private struct LinkRemoval {
    let rows: RowSet
    let reason: LinkRemovalReason
    private let nullified: [IDSpace: [NullifiedLink]]

    init(of rows: RowSet, nullifying nullified: [NullifiedLink], _ reason: LinkRemovalReason) {
        self.rows = rows
        self.reason = reason
        self.nullified = Dictionary(grouping: nullified, by: \.space)
    }

    func applies(to record: Record) -> Bool {
        if record.isGone { return false }
        if case .saved = reason { return true }
        return !record.isDeleted
    }

    func nullify(in space: IDSpace) -> Bool { nullified[space] != nil }

    func nullified(of record: Record) -> [EntityRelationship] {
        (nullified[record.id.space] ?? []).relationships(of: record)
    }

    func isReferred(to relationship: EntityRelationship, by values: SlotValues) -> Bool {
        guard let slot = relationship.slot, slot < values.count, case .reference(let id) = values[slot] else {
            return false
        }
        return rows.contains(id)
    }
}

extension Graph {
    /// Makes nullified to-one references to deleted rows nil, and removes the rows from member lists.
    /// - Parameter nullified: The links that the plan of the deletion nullifies.
    /// - Returns: The records that lost a link, except for faults that only lost partial values.
    /// - Complexity: O(n) in the number of registered records and of read members.
    @discardableResult
    func removeLinks(to rows: RowSet, nullifying nullified: [NullifiedLink], _ reason: LinkRemovalReason) -> [Record] {
        if rows.isEmpty { return [] }
        let links = LinkRemoval(of: rows, nullifying: nullified, reason)
        return recordsLosing(links).filter { links.applies(to: $0) && remove(links, from: $0) }
    }

    /// Returns the records that may lose a link: most have neither lists nor partial values, and keep their references.
    private func recordsLosing(_ links: LinkRemoval) -> [Record] {
        // Records of an entity mostly follow each other.
        var (space, isNullified) = (IDSpace?.none, false)
        return identityMap.all.filter { record in
            if record.hasExtras { return true }
            if record.id.space != space { (space, isNullified) = (record.id.space, links.nullify(in: record.id.space)) }
            return isNullified
        }
    }

    private func remove(_ links: LinkRemoval, from record: Record) -> Bool {
        // A fault may have read members.
        let (isShorter, isShorterAsRead) = removeMembers(links, from: record)
        if record.isFault {
            discardCarriedValues(of: record, referencing: links.rows)
            return isShorter
        }
        let relationships = links.nullified(of: record)
        if case .saved(let known) = links.reason, !relationships.isEmpty {
            let stored = record.committed ?? record.values
            let isOneVersionOn =
                isShorterAsRead || known[record.id] == record.version
                || relationships.contains { links.isReferred(to: $0, by: stored) }
            if isOneVersionOn { record.version = .next(after: record.version) }
        }
        return relationships.reduce(isShorter) { clear($1, of: record, links) || $0 }
    }

    /// - Returns: Whether it referred to one of the rows.
    private func clear(_ relationship: EntityRelationship, of record: Record, _ links: LinkRemoval) -> Bool {
        guard let slot = relationship.slot else { return false }
        if let committed = record.committed, links.isReferred(to: relationship, by: committed) {
            record.committed?[slot] = .null
        }
        guard links.isReferred(to: relationship, by: record.values) else { return false }
        notifyingObservers(record, relationship) { record.values[slot] = .null }
        return true
    }

    /// - Returns: Whether any row was among the members, and among those that were read.
    private func removeMembers(_ links: LinkRemoval, from record: Record) -> (any: Bool, read: Bool) {
        var found = (any: false, read: false)
        if record.toMany.isEmpty { return found }
        for relationship in record.entity.toManyRelationships {
            guard let index = relationship.toManyIndex, index < record.toMany.count,
                record.toMany[index].mentions(links.rows)
            else { continue }
            if case .pending = links.reason {
                guard relationship.losesDeletedDestinations else { continue }
                notifyingObservers(record, relationship) { record.toMany[index].hide(links.rows) }
                continue
            }
            found.any = true
            if record.toMany[index].stored?.contains(where: links.rows.contains) == true { found.read = true }
            notifyingObservers(record, relationship) { record.toMany[index].discardMembers(links.rows) }
        }
        return found
    }

    private func notifyingObservers(_ record: Record, _ relationship: EntityRelationship, _ change: () -> Void) {
        record.observer?.willChange(record, relationship: relationship)
        change()
        log.followed?.note(record, PropertyMask(relationship))
        record.observer?.didChange(record, relationship: relationship)
    }
}

extension [NullifiedLink] {
    /// Returns the relationships of a record that are among the links.
    func relationships(of record: Record) -> [EntityRelationship] {
        compactMap { link in
            guard link.space == record.id.space, link.keys.contains(record.id.key),
                record.entity.relationships.indices.contains(link.relationshipIndex)
            else { return nil }
            return record.entity.relationships[link.relationshipIndex]
        }
    }
}
