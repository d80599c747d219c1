import ObjectGraph

/// The values of rows, and uniqueness constraints on them.
extension SaveRun {
    func resolved(_ value: Value) -> Value {
        if case .reference(let id) = value { .reference(permanent.current(id)) } else { value }
    }

    func write(_ values: SlotValues, _ slots: some Sequence<Int>, to row: inout Row) throws {
        for slot in slots { try rows.put(resolved(values[slot]), in: slot, of: &row) }
    }

    // MARK: Updates

    /// Writes the changed values of each updated row, and increments its version.
    mutating func update() throws {
        let changes = changes
        let raised = saved.plan.updated
        saved.updatedVersions = changes.updates.map { update in
            .next(after: raised.contains(update.id) ? .next(after: update.expectedVersion) : update.expectedVersion)
        }
        let expected = saved.updatedVersions
        // The bulk delete deleted the others in this transaction.
        let written = changes.updates.indices.filter { !saved.plan.deleted.contains(changes.updates[$0].id) }
        for index in written {
            let stored = rows.snapshot(changes.updates[index].id)
            guard let stored, .next(after: stored.version) == expected[index] else { throw StaleRow() }
        }
        try changes.writeUpdates(
            written, model, write: { try apply(changes.updates[$0]) }, clear: { clear($1, of: $0) })
        for update in written.map({ changes.updates[$0] }) {
            rows.history.noteUpdate(
                of: update.id, model[update.entityIndex], slots: update.changedSlots, toMany: update.changedToMany)
        }
    }

    /// - Returns: `false` if another row has the unique values.
    private mutating func apply(_ update: ChangeSet.Update) throws -> Bool {
        guard let name = rows.name(of: update.id), var row = rows[name] else { throw StaleRow() }
        try write(update.values, update.changedSlots, to: &row)
        guard rows.clash(of: row, name) == nil else { return false }
        row.version = .next(after: row.version)
        rows[name] = row
        return true
    }

    private mutating func clear(_ slots: [Int], of update: ChangeSet.Update) {
        guard let name = rows.name(of: update.id) else { return }
        for slot in slots { rows[name]?.values[slot] = .null }
    }

    /// Rewrites references to insertions that turned out to be existing rows.
    mutating func redirectReferences(to replaced: Set<ObjectID>) throws {
        for update in changes.updates {
            guard let name = rows.name(of: update.id), var row = rows[name] else { continue }
            try write(update.values, update.slots(referringTo: replaced), to: &row)
            rows[name] = row
        }
    }

    // MARK: Uniqueness

    func refuseClash(of row: Row, _ name: RowName, _ id: ObjectID) throws {
        if let clash = rows.clash(of: row, name) {
            throw UniqueViolation(of: clash.constraint, model[row.entityIndex], ids: [id])
        }
    }
}

extension SaveRun: UniqueRows {
    func constraints(of entityIndex: Int) -> [UniqueConstraint] { model.uniqueConstraints(of: model[entityIndex]) }

    func values(of constraint: UniqueConstraint, _ entityIndex: Int, _ value: (Int) -> Value) -> [Value]? {
        constraint.values(value)
    }

    func row(with key: UniqueKey<UniqueConstraint>) throws -> ObjectID? {
        let values = key.values.map(ValueKey.init)
        return rows.all(key.entityIndex).first {
            $0.row.entityIndex == key.entityIndex && rows.key($0.row, key.constraint) == values
        }.map { rows.id($0.row, $0.name) }
    }

    func violation(of key: UniqueKey<UniqueConstraint>, _ ids: [ObjectID]) -> UniqueViolation {
        UniqueViolation(of: key.constraint, model[key.entityIndex], ids: ids)
    }
}
