import ObjectGraph

extension Rows {
    /// Returns a constraint that a row violates, and the row with equal values. That row may be of another entity of
    /// the hierarchy.
    func clash(of row: Row, _ name: RowName) -> (constraint: UniqueConstraint, other: RowName)? {
        for constraint in model.uniqueConstraints(inHierarchyOf: model[row.entityIndex]) {
            guard let key = key(row, constraint) else { continue }
            let equal = all(constraint.entityIndex).first { $0.name != name && self.key($0.row, constraint) == key }
            if let equal { return (constraint, equal.name) }
        }
        return nil
    }

    /// Returns the unique values of a row; `nil` for a row to which the constraint does not apply.
    func key(_ row: Row, _ constraint: UniqueConstraint) -> [ValueKey]? {
        guard isKind(row, of: constraint.entityIndex) else { return nil }
        return constraint.values { row.values[$0] }?.map(ValueKey.init)
    }

    /// Sets a value that a save may set. A row that leaves its owner loses its position in the owner's list; a new
    /// owner assigns one.
    /// - Throws: `ChangeSetError.unknownReference`.
    func put(_ value: Value, in slot: Int, of row: inout Row) throws {
        let entity = model[row.entityIndex]
        guard entity.storedSlots.contains(slot) else { return }
        if case .reference(let id) = value, spaces.entityIndex(of: id) == nil {
            throw ChangeSetError.unknownReference(
                entity: entity.name, property: entity.propertyName(ofSlot: slot), id: id)
        }
        row.values[slot] = value
        if case .toOne(let index) = entity.slots[slot], let list = model.inverse(of: entity.relationships[index]) {
            row.places[list.place] = nil
        }
    }
}
