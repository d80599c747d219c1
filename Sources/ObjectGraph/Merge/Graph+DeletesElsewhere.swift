/// Rows that others deleted, taken in as deletions that wait for the save: the objects stay readable and say that they are
/// deleted, and what is registered here follows by rule. Nothing is read from the store, and nothing is written about the
/// rows that are gone.
extension Graph {
    /// What taking in the deletes did here.
    package struct DeletesTakenIn {
        package var deleted: [Record] = []
        /// Survivors that lost a link.
        package var cut: [Record] = []
    }

    /// - Complexity: O(n) in the records registered.
    package func markDeletedElsewhere(_ rows: RowSet) -> DeletesTakenIn {
        var taken = DeletesTakenIn()
        guard !rows.isEmpty else { return taken }
        let named = registered(in: rows)
        for record in named { deletedElsewhere.insert(record.id) }
        var level = named.filter { !$0.isDeleted }
        while !level.isEmpty {
            // Found before they are marked, as those never saved leave at once.
            let next = registeredBelow(level)
            level.forEach(markDeleted)
            taken.deleted += level
            takenElsewhere.formUnion(level.lazy.map(\.id))
            level = next.filter { !$0.isDeleted && $0.graph === self }
        }
        var gone = RowSet(taken.deleted.map(\.id))
        gone.formUnion(rows)
        taken.cut = cutInMemory(from: gone)
        return taken
    }

    /// Whether the object waits for deletion because others deleted its row.
    package func isDeletedElsewhere(_ record: Record) -> Bool { deletedElsewhere.contains(record.id) }

    /// Rows that others deleted are there again: their objects, and those that had to follow them, do not wait for deletion
    /// any more. Unedited ones are read when next used. What the program itself deleted stays so.
    /// - Returns: the objects that are back.
    package func takeBackDeletedElsewhere(_ ids: [ObjectID]) -> [Record] {
        deletedElsewhere.subtract(ids)
        let known = takenElsewhere.intersection(ids)
        guard !known.isEmpty else { return [] }
        takenElsewhere.subtract(known)
        pending.forgetDeleted(known)
        let back = known.sorted().compactMap { identityMap[$0] }.filter { $0.isDeleted && !$0.isGone }
        for record in back {
            record.status.remove(.deleted)
            if !record.isUpdated { makeFault(record) }
        }
        forgetMembers(in: Set(known.map(\.space)))
        return back
    }

    /// A fault can no longer be read: from now on it has what it carried, and nothing else.
    private func markDeleted(_ record: Record) {
        if record.isInserted {
            if tracksTouched { touch(record) }
            return drop(record)
        }
        if record.isFault {
            record.values = record.carriedRow()
            record.carried = nil
            record.status.remove(.fault)
        }
        if tracksTouched { touch(record) }
        pending.noteDeleted(record)
    }

    /// Registered objects that cascades lead to, by what has been read.
    private func registeredBelow(_ owners: [Record]) -> [Record] {
        var found: [Record] = []
        var seen: Set<ObjectID> = []
        let ids = Set(owners.map(\.id))
        for owner in owners {
            for relationship in owner.entity.relationships
            where DeleteRules.effect(of: relationship) == .deleteDestinations {
                for id in knownDestinations(of: owner, relationship) where !ids.contains(id) && seen.insert(id).inserted
                {
                    if let record = identityMap[id], !record.isDeleted, !record.isGone { found.append(record) }
                }
            }
        }
        for record in identityMap.all where !record.isFault && !record.isDeleted && !record.isGone {
            for relationship in record.entity.toOneRelationships where cascades(backAlong: relationship) {
                guard let slot = relationship.slot, slot < record.values.count,
                    case .reference(let id) = record.values[slot], ids.contains(id), !ids.contains(record.id),
                    seen.insert(record.id).inserted
                else { continue }
                found.append(record)
            }
        }
        return found
    }

    private func knownDestinations(of owner: Record, _ relationship: EntityRelationship) -> [ObjectID] {
        if let index = relationship.toManyIndex { return owner.members(index).current ?? [] }
        guard let slot = relationship.slot, slot < owner.values.count, case .reference(let id) = owner.values[slot]
        else { return [] }
        return [id]
    }

    func effect(backAlong relationship: EntityRelationship) -> DeleteRules.Effect {
        model?.inverse(of: relationship).map(DeleteRules.effect) ?? .nothing
    }

    private func cascades(backAlong relationship: EntityRelationship) -> Bool {
        effect(backAlong: relationship) == .deleteDestinations
    }

    /// Keys and member lists of survivors lose the rows, with nothing to be saved about it.
    private func cutInMemory(from rows: RowSet) -> [Record] {
        var cut: [Record] = []
        for record in Array(identityMap.all) where !record.isGone && !record.isDeleted {
            var isCut = false
            forgetCarried(of: record, leadingTo: rows)
            for relationship in record.entity.relationships {
                if let index = relationship.toManyIndex {
                    guard index < record.toMany.count, record.toMany[index].mentions(rows) else { continue }
                    record.toMany[index].forget(rows)
                    isCut = true
                } else if let slot = relationship.slot, effect(backAlong: relationship) == .clearInverse {
                    if slot < record.committed?.count ?? 0, leads(record.committed?[slot], into: rows) {
                        record.committed?[slot] = .null
                    }
                    guard slot < record.values.count, leads(record.values[slot], into: rows) else { continue }
                    record.values[slot] = .null
                    isCut = true
                }
            }
            if isCut { cut.append(record) }
        }
        return cut
    }

    private func leads(_ value: Value?, into rows: RowSet) -> Bool {
        guard case .reference(let id)? = value else { return false }
        return rows.contains(id)
    }
}
