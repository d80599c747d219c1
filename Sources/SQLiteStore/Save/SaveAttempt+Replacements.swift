import ObjectGraph

/// Rows that led to one another before an insertion took the place of one of them.
extension SaveAttempt {
    /// Where an insertion's values went into a row that was there, or into that of an earlier insertion, what led to the
    /// row along a one-to-one relationship leads there still. Whoever is not the row's destination any more lets go of it.
    /// - Parameters:
    ///   - superseded: positions of insertions that were not written.
    ///   - isNew: whether a row was inserted by this attempt.
    /// - Throws: `ValidationError.missingValue` for one that may not be without; nothing is written then.
    mutating func unlinkFormerDestinations(except superseded: Set<Int>, isNew: (ObjectID) -> Bool) throws {
        for (index, insertion) in changes.insertions.enumerated()
        where saved.inserted[index].replaced && !superseded.contains(index) {
            for relationship in runner.plans[insertion.entityIndex].entity.toOneRelationships {
                guard let slot = relationship.slot, let inverse = runner.map.model.inverse(of: relationship),
                    inverse.isToOne
                else { continue }
                let former = try rows(
                    leadingTo: saved.inserted[index].id, along: inverse, declaredIn: relationship.destinationIndex,
                    except: resolved(insertion.values[slot]))
                for row in former { try clear(inverse, of: row, isNew: isNew(row)) }
            }
        }
    }

    func rows(
        leadingTo destination: ObjectID, along relationship: EntityRelationship, declaredIn entityIndex: Int,
        except kept: Value
    ) throws -> [ObjectID] {
        let storage = runner.map.entities[entityIndex]
        guard let slot = relationship.slot, let column = storage.columns[slot] else { return [] }
        let sql =
            "SELECT \(SystemTables.keyColumn), \(SystemTables.entityColumn) FROM \(storage.table) "
            + "WHERE \(column.name) = ?"
        return try connection.withStatement(sql) { statement in
            var rows: [ObjectID] = []
            try statement.bind(destination.key, at: 1)
            while try statement.step() {
                guard let number = Int(exactly: statement.integer(at: 1)),
                    let rowEntity = runner.map.entityIndexByNumber[number]
                else { continue }
                let row = runner.spaces.id(entityIndex: rowEntity, key: statement.integer(at: 0))
                if kept != .reference(row) { rows.append(row) }
            }
            return rows
        }
    }

    mutating func clear(_ relationship: EntityRelationship, of row: ObjectID, isNew: Bool) throws {
        guard relationship.relationship.isOptional else {
            throw ValidationError.missingValue(row, property: relationship.name)
        }
        guard let slot = relationship.slot, let entityIndex = runner.spaces.entityIndex(of: row),
            let position = runner.plans[entityIndex].columnBySlot[slot]
        else { return }
        let plan = runner.plans[entityIndex]
        let column = plan.columns[position]
        let names = column.names + [column.orderName].compactMap { $0 }
        let sets = names.map { "\($0) = NULL" } + [SystemTables.raisedVersion]
        let sql =
            "UPDATE \(plan.storage.table) SET \(sets.joined(separator: ", ")) WHERE \(SystemTables.keyColumn) = ?"
        try connection.withStatement(sql) { statement in
            try statement.bind(row.key, at: 1)
            try statement.run()
        }
        saved.unlinked.append(
            .init(id: row, relationshipIndex: relationship.index, version: try self.version(of: row.key, plan)))
        // A new row's insertion tells all there is to tell.
        // This one was not counted on, and needs a key of its own.
        if !isNew { try history?.updated(entityIndex, rows: KeySet([row.key]), slots: [slot], toMany: [], &keys) }
    }
}
