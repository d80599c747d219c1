import ObjectGraph

/// One-to-one relationships, of which both ends have a key, after others linked one of the rows since it was read.
extension SaveAttempt {
    /// Where an update leads a one-to-one relationship elsewhere, another row may lead to the updated one by now, of which the
    /// update does not tell. It lets go, as both ends of such a relationship always agree.
    /// - Throws: `ValidationError.missingValue` for a row that may not be without; nothing is written then.
    mutating func unlinkRivals() throws {
        if changes.updates.isEmpty { return }
        // What went into a row that was there is what counts of it, and was seen to already.
        let taken = Set(saved.inserted.lazy.filter(\.replaced).map(\.id))
        for update in changes.updates where !saved.planned.deleted.contains(update.id) && !taken.contains(update.id) {
            let oneToOne = runner.plans[update.entityIndex].oneToOne
            if oneToOne.isEmpty { continue }
            for slot in update.changedSlots {
                guard let relationship = oneToOne[slot], let inverse = runner.map.model.inverse(of: relationship) else {
                    continue
                }
                let rivals = try rows(
                    leadingTo: update.id, along: inverse, declaredIn: relationship.destinationIndex,
                    except: resolved(update.values[slot]))
                for rival in rivals {
                    let isNew = isNew(rival)
                    try clear(inverse, of: rival, isNew: isNew)
                }
            }
        }
    }

    /// The destination of a one-to-one relationship that was written may not be written itself, as it was edited and edited
    /// back, while others led it elsewhere. It leads back then, and what it led to loses its link.
    /// - Throws: `StaleRow` for a destination that is gone; `ValidationError.missingValue` for a row that may not be without.
    /// - Complexity: One statement for each one-to-one relationship that was written.
    mutating func linkBack() throws {
        let written = writtenOneToOne()
        if written.isEmpty { return }
        let ends = Set(
            changes.updates.flatMap { update in
                update.changedSlots.map { RowSlot(id: update.id, slot: $0) }
            })
        let deleted = Set(changes.deletions.map(\.id))
        for (end, destinations) in written.sorted(by: { $0.key < $1.key }) {
            guard let relationship = runner.plans[end.entityIndex].oneToOne[end.slot],
                let inverse = runner.map.model.inverse(of: relationship), let back = inverse.slot
            else { continue }
            for key in try rowsNotLedBackTo(KeySet(Array(destinations.keys)), along: relationship, end) {
                guard let destination = destinations[key], !ends.contains(RowSlot(id: destination, slot: back)),
                    !deleted.contains(destination), !saved.planned.deleted.contains(destination)
                else { continue }
                let row = runner.spaces.id(entityIndex: end.entityIndex, key: key)
                try link(destination, back: inverse, to: row, along: relationship, end.entityIndex)
            }
        }
    }

    private struct RowSlot: Hashable {
        let id: ObjectID
        let slot: Int
    }

    /// A one-to-one relationship of the rows of one entity.
    private struct OneToOneEnd: Hashable, Comparable {
        let entityIndex: Int
        let slot: Int

        static func < (first: Self, second: Self) -> Bool {
            (first.entityIndex, first.slot) < (second.entityIndex, second.slot)
        }
    }

    /// Rows that were written with a destination that is no insertion of the same save, and their destinations. An insertion
    /// comes with its own end of the link.
    private func writtenOneToOne() -> [OneToOneEnd: [Int64: ObjectID]] {
        var written: [OneToOneEnd: [Int64: ObjectID]] = [:]
        for update in changes.updates where !saved.planned.deleted.contains(update.id) {
            let oneToOne = runner.plans[update.entityIndex].oneToOne
            if oneToOne.isEmpty { continue }
            for slot in update.changedSlots where oneToOne[slot] != nil {
                guard case .reference(let id) = update.values[slot], !id.isTemporary else { continue }
                written[OneToOneEnd(entityIndex: update.entityIndex, slot: slot), default: [:]][update.id.key] = id
            }
        }
        for (insertion, row) in zip(changes.insertions, saved.inserted) {
            for slot in runner.plans[insertion.entityIndex].oneToOne.keys {
                guard case .reference(let id) = insertion.values[slot], !id.isTemporary else { continue }
                written[OneToOneEnd(entityIndex: insertion.entityIndex, slot: slot), default: [:]][row.id.key] = id
            }
        }
        return written
    }

    private func rowsNotLedBackTo(
        _ rows: KeySet, along relationship: EntityRelationship, _ end: OneToOneEnd
    ) throws -> [Int64] {
        guard let columns = runner.map.keyColumns(of: relationship, end.entityIndex), let back = columns.inverseKey
        else {
            return []
        }
        let key = SystemTables.keyColumn
        let sql =
            "SELECT t.\(key) FROM \(runner.map.entities[end.entityIndex].table) t LEFT JOIN \(columns.destinationTable) d "
            + "ON d.\(key) = t.\(columns.key) WHERE t.\(key) IN \(SQLNames.listedValues) "
            + "AND t.\(columns.key) IS NOT NULL AND d.\(back) IS NOT t.\(key)"
        return try connection.withStatement(sql) { statement in
            try statement.bind(ValueList(rows.keys), at: 1)
            var found: [Int64] = []
            while try statement.step() { found.append(statement.integer(at: 0)) }
            return found
        }
    }

    /// - Parameters:
    ///   - inverse: the destination's relationship.
    ///   - relationship: that of the row, of the entity at the index.
    private mutating func link(
        _ destination: ObjectID, back inverse: EntityRelationship, to row: ObjectID,
        along relationship: EntityRelationship, _ entityIndex: Int
    ) throws {
        guard let slot = inverse.slot, let destinationIndex = runner.spaces.entityIndex(of: destination),
            let position = runner.plans[destinationIndex].columnBySlot.element(slot) ?? nil
        else { return }
        let plan = runner.plans[destinationIndex]
        let column = plan.columns[position]
        let sets = column.names.map { "\($0) = ?" } + [SystemTables.raisedVersion]
        let sql =
            "UPDATE \(plan.storage.table) SET \(sets.joined(separator: ", ")) WHERE \(SystemTables.keyColumn) = ?"
        try connection.withStatement(sql) { statement in
            try statement.bind(row.key, at: 1)
            if column.numberName != nil {
                try statement.bind(Int64(runner.map.entities[entityIndex].entityNumber), at: 2)
            }
            try statement.bind(destination.key, at: column.names.count + 1)
            try statement.run()
        }
        guard connection.changeCount == 1 else { throw StaleRow(taken: [destination]) }
        saved.unlinked.append(
            .init(
                id: destination, relationshipIndex: inverse.index, destination: row,
                version: try version(of: destination.key, plan)))
        try history?.updated(destinationIndex, rows: KeySet([destination.key]), slots: [slot], toMany: [], &keys)
        let former = try rows(
            leadingTo: destination, along: relationship, declaredIn: inverse.destinationIndex, except: .reference(row))
        for other in former {
            let isNew = isNew(other)
            try clear(relationship, of: other, isNew: isNew)
        }
    }
}
