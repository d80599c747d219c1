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
        for record in named { deletes.remote.insert(record.id) }
        let roots = RowSet(named.lazy.filter { !$0.isDeleted }.map(\.id))
        taken.deleted = levels(below: roots).flatMap { $0.ids.compactMap { identityMap[$0] } }
        deletes.remoteOnly.formUnion(taken.deleted.lazy.map(\.id))
        taken.deleted.forEach(markDeleted)
        var gone = RowSet(taken.deleted.map(\.id))
        gone.formUnion(rows)
        taken.cut = cutInMemory(from: gone)
        return taken
    }

    /// Whether the object waits for deletion because others deleted its row.
    package func isDeletedElsewhere(_ record: Record) -> Bool { deletes.remote.contains(record.id) }

    /// Rows that others deleted are there again: their objects, and those that had to follow them, do not wait for deletion
    /// any more. Unedited ones are read when next used. What the program itself deleted stays so.
    /// - Returns: the objects that are back.
    package func takeBackDeletedElsewhere(_ ids: [ObjectID]) -> [Record] {
        deletes.remote.subtract(ids)
        let known = deletes.remoteOnly.intersection(ids)
        guard !known.isEmpty else { return [] }
        deletes.remoteOnly.subtract(known)
        unsaved.forgetDeleted(known)
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
        unsaved.noteDeleted(record)
    }

    private func levels(below rows: RowSet) -> [RowSet] {
        guard let model else { return [] }
        do {
            return try DeletePlanner.levels(below: rows, RegisteredReading(self, model))
        } catch {
            face?.report(error)
            return []
        }
    }

    func effect(backAlong relationship: EntityRelationship) -> DeleteRules.Effect {
        model?.inverse(of: relationship).map(DeleteRules.effect) ?? .nothing
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
