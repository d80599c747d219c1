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

    /// Writes the changed values of each updated row, and increments its version. An update may use a unique value that
    /// another one frees, so conflicting updates are repeated until no more of them succeed; then their values are
    /// cleared first, for rows that exchange values.
    /// - Throws: `UniqueViolation` for the updates that still conflict and violate the same constraint as the first of
    ///   them.
    mutating func update() throws {
        let raised = saved.plan.updated
        saved.updatedVersions = changes.updates.map { update in
            .next(after: raised.contains(update.id) ? .next(after: update.expectedVersion) : update.expectedVersion)
        }
        let expected = saved.updatedVersions
        // The bulk delete deleted the others in this transaction.
        var waiting = changes.updates.indices.filter { !saved.plan.deleted.contains(changes.updates[$0].id) }
        let written = waiting
        for index in waiting {
            let stored = rows.snapshot(changes.updates[index].id)
            guard let stored, .next(after: stored.version) == expected[index] else { throw StaleRow() }
        }
        var former = waiting.count + 1
        while !waiting.isEmpty, waiting.count < former {
            former = waiting.count
            waiting = try waiting.filter { try !apply(changes.updates[$0]) }
        }
        for index in waiting { clearUniqueValues(changes.updates[index]) }
        waiting = try waiting.filter { try !apply(changes.updates[$0]) }
        if let violation = violation(of: waiting.map { changes.updates[$0] }) { throw violation }
        for update in written.map({ changes.updates[$0] }) {
            notes.updated(
                update.id, model[update.entityIndex], slots: update.changedSlots, toMany: update.changedToMany)
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

    private func uniqueSlots(_ update: ChangeSet.Update) -> [Int] {
        let unique = model.uniqueConstraints(of: model[update.entityIndex]).flatMap(\.slots)
        return update.changedSlots.filter(unique.contains)
    }

    private mutating func clearUniqueValues(_ update: ChangeSet.Update) {
        guard let name = rows.name(of: update.id) else { return }
        for slot in uniqueSlots(update) { rows[name]?.values[slot] = .null }
    }

    private func violation(of refused: [ChangeSet.Update]) -> UniqueViolation? {
        guard let first = refused.first else { return nil }
        let (entity, slots) = (model[first.entityIndex], uniqueSlots(first))
        let alike = refused.filter { $0.entityIndex == entity.index && uniqueSlots($0) == slots }
        return UniqueViolation(
            entity: entity.name, properties: slots.map(entity.propertyName), ids: alike.map(\.id))
    }

    /// Rewrites references to insertions that turned out to be existing rows.
    mutating func redirectReferences(to replaced: Set<ObjectID>) throws {
        for update in changes.updates {
            guard let name = rows.name(of: update.id), var row = rows[name] else { continue }
            let slots = update.changedSlots.filter { slot in
                if case .reference(let id) = update.values[slot] { replaced.contains(id) } else { false }
            }
            try write(update.values, slots, to: &row)
            rows[name] = row
        }
    }

    // MARK: Uniqueness

    func refuseClash(of row: Row, _ name: RowName, _ id: ObjectID) throws {
        if let clash = rows.clash(of: row, name) {
            throw rows.violation(clash.constraint, model[row.entityIndex], [id])
        }
    }
}

extension SaveRun: UniqueRows {
    struct Key: Hashable {
        let entityIndex: Int
        let constraint: UniqueConstraint
        let values: [ValueKey]
    }

    func uniqueKeys(of insertion: ChangeSet.Insertion, resolved: (Value) -> Value) -> [Key] {
        model.uniqueConstraints(of: model[insertion.entityIndex])
            .filter { changes.constraints != .updateEqual || !$0.isOfOwners }
            .compactMap { constraint in
                constraint.values { resolved(insertion.values[$0]) }.map {
                    Key(entityIndex: insertion.entityIndex, constraint: constraint, values: $0.map(ValueKey.init))
                }
            }
    }

    func row(with key: Key) throws -> ObjectID? {
        rows.all(key.entityIndex).first {
            $0.row.entityIndex == key.entityIndex && rows.key($0.row, key.constraint) == key.values
        }.map { rows.id($0.row, $0.name) }
    }

    func isOfSameConstraint(_ one: Key, as other: Key) -> Bool {
        one.entityIndex == other.entityIndex && one.constraint == other.constraint
    }

    func violation(of key: Key, _ ids: [ObjectID]) -> UniqueViolation {
        rows.violation(key.constraint, model[key.entityIndex], ids)
    }
}
