/// The to-one references of survivors that a store nullified because their destinations were deleted.
enum ClearedReferences {
    /// The listed references. Their rows have one more version, for records read before: those with a reference to a
    /// deleted row, and those that still have the known version.
    case listed([NullifiedLink], known: [ObjectID: RowVersion])
    /// The references that the delete rules nullify, of surviving objects. Their versions come with their values.
    case byRule
}

extension Graph {
    /// Removes links of registered objects to deleted rows, without a change to save: to-one references become nil, and
    /// the rows are removed from member lists.
    /// - Returns: The records that lost a link, except for faults that only lost partial values.
    /// - Complexity: O(n) in the number of registered records and of read members.
    @discardableResult
    func removeLinks(to rows: RowSet, _ references: ClearedReferences) -> [Record] {
        guard !rows.isEmpty else { return [] }
        let removal = LinkRemoval(rows, references)
        return Array(identityMap.all).filter { record in
            if record.isGone || removal.sparesDeleted && record.isDeleted { return false }
            return removeLinks(of: record, removal)
        }
    }

    private func removeLinks(of record: Record, _ removal: LinkRemoval) -> Bool {
        // A fault may have read members.
        let (isShorter, isShorterAsRead) = removeMembers(removal.rows, from: record)
        if record.isFault {
            forgetCarried(of: record, leadingTo: removal.rows)
            return isShorter
        }
        let relationships: [EntityRelationship]
        switch removal.references {
        case .byRule:
            relationships = record.entity.toOneRelationships.filter(isClearedByDeletes)
        case .listed(_, let known):
            relationships = removal.listed(of: record)
            let isOneVersionOn =
                isShorterAsRead || known[record.id] == record.version
                || relationships.contains { led(record.committed ?? record.values, $0, to: removal.rows) }
            if !relationships.isEmpty, isOneVersionOn { record.version = .next(after: record.version) }
        }
        return relationships.reduce(isShorter) { clear($1, of: record, leadingTo: removal.rows) || $0 }
    }

    private func led(_ values: SlotValues, _ relationship: EntityRelationship, to rows: RowSet) -> Bool {
        guard let slot = relationship.slot, slot < values.count, case .reference(let id) = values[slot] else {
            return false
        }
        return rows.contains(id)
    }

    /// - Returns: Whether it referred to one of the rows.
    private func clear(_ relationship: EntityRelationship, of record: Record, leadingTo rows: RowSet) -> Bool {
        guard let slot = relationship.slot else { return false }
        if let committed = record.committed, led(committed, relationship, to: rows) { record.committed?[slot] = .null }
        guard led(record.values, relationship, to: rows) else { return false }
        changeLog?.note(record, PropertyMask(relationship))
        record.observer?.willChange(record, relationship: relationship)
        record.values[slot] = .null
        record.observer?.didChange(record, relationship: relationship)
        return true
    }

    /// - Returns: Whether any row was among the members, and among those that were read.
    private func removeMembers(_ rows: RowSet, from record: Record) -> (any: Bool, read: Bool) {
        var found = (any: false, read: false)
        if record.toMany.isEmpty { return found }
        for relationship in record.entity.toManyRelationships {
            guard let index = relationship.toManyIndex, index < record.toMany.count,
                record.toMany[index].mentions(rows)
            else { continue }
            found.any = true
            changeLog?.note(record, PropertyMask(relationship))
            if record.toMany[index].stored?.contains(where: rows.contains) == true { found.read = true }
            record.observer?.willChange(record, relationship: relationship)
            record.toMany[index].forget(rows)
            record.observer?.didChange(record, relationship: relationship)
        }
        return found
    }
}

/// The deleted rows, and the nullified references for look-up.
private struct LinkRemoval {
    let rows: RowSet
    let references: ClearedReferences
    private var bySpace: [IDSpace: [NullifiedLink]] = [:]

    init(_ rows: RowSet, _ references: ClearedReferences) {
        self.rows = rows
        self.references = references
        if case .listed(let links, _) = references { bySpace = Dictionary(grouping: links, by: \.space) }
    }

    /// Objects pending deletion keep their links, which undoing the deletion restores.
    var sparesDeleted: Bool {
        if case .byRule = references { true } else { false }
    }

    func listed(of record: Record) -> [EntityRelationship] {
        (bySpace[record.id.space] ?? []).compactMap { link in
            guard link.keys.contains(record.id.key),
                record.entity.relationships.indices.contains(link.relationshipIndex)
            else { return nil }
            return record.entity.relationships[link.relationshipIndex]
        }
    }
}
