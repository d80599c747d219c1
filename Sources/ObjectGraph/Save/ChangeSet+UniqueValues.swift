/// Updates of a change set whose unique values other updates free, by uniqueness constraints.
extension ChangeSet {
    /// Writes updates in an order that uniqueness constraints allow: conflicting ones are repeated until no more of them
    /// succeed; then their unique values are cleared first, for rows that exchange values.
    /// - Parameters:
    ///   - positions: The positions of updates whose row exists.
    ///   - write: Writes the update at a position; returns `false` if another row has its unique values.
    ///   - clear: Clears slots of an update's row.
    /// - Throws: `UniqueViolation` for the updates that still conflict and violate the same constraint as the first of
    ///   them; the errors of the closures.
    package func writeUpdates(
        _ positions: [Int], _ model: Model, write: (Int) throws -> Bool,
        clear: (Update, [Int]) throws -> Void
    ) throws {
        var waiting: [Int] = []
        for position in positions where try !write(position) { waiting.append(position) }
        var former = waiting.count + 1
        while !waiting.isEmpty, waiting.count < former {
            former = waiting.count
            waiting = try waiting.filter { try !write($0) }
        }
        for update in waiting.map({ updates[$0] }) { try clear(update, uniqueSlots(of: update, model)) }
        let refused = try waiting.filter { try !write($0) }.map { updates[$0] }
        if let violation = violation(of: refused, model) { throw violation }
    }

    /// Returns the slots with uniqueness constraints that an update writes.
    private func uniqueSlots(of update: Update, _ model: Model) -> [Int] {
        let unique = model.uniqueConstraints(of: model[update.entityIndex]).flatMap(\.slots)
        return update.changedSlots.filter(unique.contains)
    }

    private func violation(of refused: [Update], _ model: Model) -> UniqueViolation? {
        guard let first = refused.first else { return nil }
        let (entity, slots) = (model[first.entityIndex], uniqueSlots(of: first, model))
        let alike = refused.filter { $0.entityIndex == entity.index && uniqueSlots(of: $0, model) == slots }
        return UniqueViolation(
            entity: entity.name, properties: slots.map(entity.propertyName), ids: alike.map(\.id))
    }
}

extension ChangeSet.Update {
    /// The version that the row has when the update is written.
    /// - Parameter raised: Survivors of the save's bulk delete.
    package func storedVersion(after raised: RowSet) -> RowVersion {
        raised.contains(id) ? .next(after: expectedVersion) : expectedVersion
    }

    /// Returns the changed slots that refer to one of these objects.
    package func slots(referringTo ids: Set<ObjectID>) -> [Int] {
        changedSlots.filter { slot in
            if case .reference(let id) = values[slot] { ids.contains(id) } else { false }
        }
    }
}

extension SavedRows {
    /// Sets the versions of insertions that were not written to that of the last insertion with their identity.
    package mutating func adoptVersions(ofOverwritten positions: Set<Int>) {
        if positions.isEmpty { return }
        let versions = Dictionary(inserted.map { ($0.id, $0.version) }, uniquingKeysWith: { _, last in last })
        for position in positions {
            guard let version = versions[inserted[position].id] else { continue }
            inserted[position].version = version
        }
    }
}
