/// The reads and writes of a store within a save to maintain links outside the change set.
package protocol InverseMaintenance {
    associatedtype Reading: DeleteReading

    var model: Model { get }
    var changes: ChangeSet { get }
    /// The results of the save so far.
    var saved: SavedRows { get }
    /// The permanent identities of the insertions.
    var permanent: PermanentIDs { get }

    /// Returns the to-one relationships of an entity whose inverse is also to-one, by slot.
    func oneToOne(_ entityIndex: Int) -> [Int: EntityRelationship]

    /// Returns rows whose relationship refers to a row.
    /// - Parameters:
    ///   - entityIndex: The index of an entity that has the relationship.
    ///   - kept: A row to leave out.
    func rows(
        referencing destination: ObjectID, along relationship: EntityRelationship, declaredIn entityIndex: Int,
        except kept: ObjectID?
    ) throws -> [ObjectID]

    /// Returns those of an entity's rows whose destination along a relationship does not refer back.
    func rows(
        _ keys: KeySet, notReferencedBackAlong relationship: EntityRelationship, _ entityIndex: Int
    ) throws -> [Int64]

    /// Writes the relationship of a row outside the change set, with its version, history and `SavedRows.adjusted`.
    /// - Returns: `false` if the row does not exist.
    mutating func setLink(_ relationship: EntityRelationship, of row: ObjectID, to destination: ObjectID?) throws
        -> Bool

    /// Whether this save inserted the row. Call this after all insertions.
    mutating func isNew(_ row: ObjectID) -> Bool

    /// Reads the few rows that refer to deleted ones.
    var lateReading: Reading { get }
}

extension InverseMaintenance {
    package func oneToOne(_ entityIndex: Int) -> [Int: EntityRelationship] {
        model.oneToOneRelationships(of: model[entityIndex])
    }

    /// Returns the value that is written for a value.
    package func resolved(_ value: Value) -> Value {
        if case .reference(let id) = value, let known = permanent[id] { .reference(known) } else { value }
    }

    private func destination(_ slot: Int, of values: SlotValues) -> ObjectID? {
        values.reference(slot).map(permanent.current)
    }

    /// Maintains all links outside the change set. Call this after all rows are written.
    /// - Throws: `StaleRow`, `ValidationError.missingValue`; then nothing may be written.
    package mutating func maintainInverses() throws {
        try unlinkConflictingRows()
        try writeInverses()
        try clearReferencesToDeleted()
    }
}

/// References to rows that the save deletes from rows outside the change set: other contexts linked them after the
/// saving context had read them.
extension InverseMaintenance {
    /// Clears references that the delete rules nullify, and those of new rows; the graph must apply all other rules.
    /// Call this after all rows are written.
    /// - Throws: `StaleRow` with the rows whose reference is mandatory, or whose inverse has another rule than nullify;
    ///   `ValidationError.missingValue` for a new row whose reference is mandatory.
    /// - Complexity: One read for each relationship that refers to an entity with deleted rows.
    private mutating func clearReferencesToDeleted() throws {
        if changes.deletions.isEmpty { return }
        var leading: Set<ObjectID> = []
        for late in try DeletePlanner.lateReferences(to: RowSet(changes.deletions.map(\.id)), lateReading) {
            for row in late.rows.ids {
                if late.isNullified || isNew(row) {
                    try clear(late.relationship, of: row)
                } else {
                    leading.insert(row)
                }
            }
        }
        if !leading.isEmpty { throw StaleRow(leading: leading) }
    }
}

/// Upkeep of one-to-one relationships, with a key at both ends, if the change set has one end only: its context did not
/// know the other end, or another context linked one of the rows after it was read.
extension InverseMaintenance {
    /// If an update changes a one-to-one relationship, clears references to the updated row from all rows other than
    /// its new destination: another context may have linked them, unknown to the update.
    /// - Throws: `ValidationError.missingValue` if a reference is mandatory; then nothing may be written.
    private mutating func unlinkConflictingRows() throws {
        if changes.updates.isEmpty { return }
        // `unlinkFormerDestinations` handles rows that an insertion replaced.
        let replaced = Set(saved.inserted.lazy.filter(\.replaced).map(\.id))
        let deleted = saved.plan.deleted
        for update in changes.updates where !deleted.contains(update.id) && !replaced.contains(update.id) {
            let oneToOne = oneToOne(update.entityIndex)
            if oneToOne.isEmpty { continue }
            for slot in update.changedSlots {
                guard let relationship = oneToOne[slot], let inverse = model.inverse(of: relationship) else { continue }
                let conflictingRows = try rows(
                    referencing: update.id, along: inverse, declaredIn: relationship.destinationIndex,
                    except: destination(slot, of: update.values))
                for row in conflictingRows { try clear(inverse, of: row) }
            }
        }
    }

    /// Clears one-to-one references to rows that an insertion replaced, from rows that are no destinations of the
    /// insertion: they still refer to the existing row, or to that of an earlier insertion.
    /// - Parameter overwritten: Positions of insertions that were not written.
    /// - Throws: `ValidationError.missingValue` if a reference is mandatory; then nothing may be written.
    package mutating func unlinkFormerDestinations(except overwritten: Set<Int>) throws {
        let inserted = saved.inserted
        for (index, insertion) in changes.insertions.enumerated()
        where inserted[index].replaced && !overwritten.contains(index) {
            for (slot, relationship) in oneToOne(insertion.entityIndex).sorted(by: { $0.key < $1.key }) {
                guard let inverse = model.inverse(of: relationship) else { continue }
                let former = try rows(
                    referencing: inserted[index].id, along: inverse, declaredIn: relationship.destinationIndex,
                    except: destination(slot, of: insertion.values))
                for row in former { try clear(inverse, of: row) }
            }
        }
    }

    /// Writes the inverse of one-to-one relationships whose destination is not in the change set: its edits may have
    /// been reverted while other contexts linked it to another row. The former destination of the destination loses its
    /// link.
    /// - Throws: `StaleRow` if a destination does not exist; `ValidationError.missingValue` for a row whose link
    ///   is mandatory.
    /// - Complexity: One call of `rows(_:notReferencedBackAlong:_:)` for each written one-to-one relationship.
    private mutating func writeInverses() throws {
        let written = writtenOneToOne()
        if written.isEmpty { return }
        let ends = Set(
            changes.updates.flatMap { update in update.changedSlots.map { RowSlot(id: update.id, slot: $0) } })
        let deleted = Set(changes.deletions.map(\.id))
        for (end, destinations) in written.sorted(by: { $0.key < $1.key }) {
            guard let relationship = oneToOne(end.entityIndex)[end.slot], let inverse = model.inverse(of: relationship),
                let back = inverse.slot
            else { continue }
            let rows = try rows(
                KeySet(destinations.keys.map(\.key)), notReferencedBackAlong: relationship, end.entityIndex)
            let ids = Dictionary(destinations.keys.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
            for row in rows.compactMap({ ids[$0] }) {
                guard let destination = destinations[row], !ends.contains(RowSlot(id: destination, slot: back)),
                    !deleted.contains(destination), !saved.plan.deleted.contains(destination)
                else { continue }
                guard try setLink(inverse, of: destination, to: row) else { throw StaleRow(deleted: [destination]) }
                let former = try self.rows(
                    referencing: destination, along: relationship, declaredIn: inverse.destinationIndex,
                    except: row)
                for other in former { try clear(relationship, of: other) }
            }
        }
    }

    /// Sets the relationship of a row to nil.
    /// - Throws: `ValidationError.missingValue` if it is mandatory.
    private mutating func clear(_ relationship: EntityRelationship, of row: ObjectID) throws {
        guard relationship.relationship.isOptional else {
            throw ValidationError.missingValue(row, property: relationship.name)
        }
        _ = try setLink(relationship, of: row, to: nil)
    }

    /// Returns written rows with their destinations, except for destinations inserted by the same save: an insertion
    /// has its own end of the link.
    private func writtenOneToOne() -> [OneToOneEnd: [ObjectID: ObjectID]] {
        var written: [OneToOneEnd: [ObjectID: ObjectID]] = [:]
        let deleted = saved.plan.deleted
        for update in changes.updates where !deleted.contains(update.id) {
            let oneToOne = oneToOne(update.entityIndex)
            if oneToOne.isEmpty { continue }
            for slot in update.changedSlots where oneToOne[slot] != nil {
                guard case .reference(let id) = update.values[slot], !id.isTemporary else { continue }
                written[OneToOneEnd(entityIndex: update.entityIndex, slot: slot), default: [:]][update.id] = id
            }
        }
        for (insertion, row) in zip(changes.insertions, saved.inserted) {
            for slot in oneToOne(insertion.entityIndex).keys {
                guard case .reference(let id) = insertion.values[slot], !id.isTemporary else { continue }
                written[OneToOneEnd(entityIndex: insertion.entityIndex, slot: slot), default: [:]][row.id] = id
            }
        }
        return written
    }
}

private struct RowSlot: Hashable {
    let id: ObjectID
    let slot: Int
}

/// A one-to-one relationship of one entity's rows.
private struct OneToOneEnd: Hashable, Comparable {
    let entityIndex: Int
    let slot: Int

    static func < (first: Self, second: Self) -> Bool {
        (first.entityIndex, first.slot) < (second.entityIndex, second.slot)
    }
}
