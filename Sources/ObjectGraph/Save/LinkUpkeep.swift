/// What a store reads and writes within a save to keep references right that the change set does not mention.
package protocol LinkedRows {
    var model: Model { get }
    var changes: ChangeSet { get }
    /// What the save has done so far.
    var saved: SavedRows { get }

    /// To-one relationships of an entity with an inverse that is one too, by slot.
    func oneToOne(_ entityIndex: Int) -> [Int: EntityRelationship]

    /// What is written for a value.
    func resolved(_ value: Value) -> Value

    /// Rows whose relationship refers to a row.
    /// - Parameters:
    ///   - entityIndex: of an entity that has the relationship.
    ///   - kept: a row that is left out.
    func rows(
        leadingTo destination: ObjectID, along relationship: EntityRelationship, declaredIn entityIndex: Int,
        except kept: Value
    ) throws -> [ObjectID]

    /// Those of an entity's rows that lead somewhere along a relationship, but not to a row that refers back.
    func rows(
        _ keys: KeySet, notLedBackToAlong relationship: EntityRelationship, _ entityIndex: Int
    ) throws -> [Int64]

    /// Writes the relationship of a row that the change set does not mention: version, history, `SavedRows.unlinked`.
    /// - Returns: `false` where the row is not there.
    mutating func setLink(_ relationship: EntityRelationship, of row: ObjectID, to destination: ObjectID?) throws
        -> Bool

    /// Whether a row was inserted by this save. To be asked when all are.
    mutating func isNew(_ row: ObjectID) -> Bool

    /// Rows whose to-one relationship refers to one of these.
    func holders(of relationship: RelationshipPlace, pointingAt rows: SpaceKeys) throws -> RowSet
}

/// References to rows that the save deletes, and that the change set does not mention: other contexts linked the rows since the
/// saving one read them.
extension LinkedRows {
    /// A reference that may be nil becomes nil; what else the delete rules say is for the graph to do. To be called when all rows
    /// are written.
    /// - Throws: `StaleRow` with the rows that cannot be without their reference, or that a rule other than nullify leads to.
    /// - Complexity: One call of `holders` for each relationship that refers to an entity of which rows were deleted.
    package mutating func clearReferencesToDeleted() throws {
        if changes.deletions.isEmpty { return }
        var leading: Set<ObjectID> = []
        let byEntity = Dictionary(grouping: changes.deletions, by: \.entityIndex).sorted { $0.key < $1.key }
        for (entityIndex, deletions) in byEntity {
            for (space, keys) in RowSet(deletions.map(\.id)).keysBySpace {
                for link in model[entityIndex].relationships.compactMap({ IncomingLink(against: $0, model) }) {
                    for row in try holders(of: link.place, pointingAt: SpaceKeys(keys, in: space)).ids {
                        if link.isNullified || isNew(row) {
                            try clear(link.relationship, of: row)
                        } else {
                            leading.insert(row)
                        }
                    }
                }
            }
        }
        if !leading.isEmpty { throw StaleRow(leading: leading) }
    }
}

/// Upkeep of one-to-one relationships, of which both ends have a key, where the change set tells of one end only: its context
/// did not know the other, or others linked one of the rows since it was read.
extension LinkedRows {
    /// Where an update leads a one-to-one relationship elsewhere, another row may refer to the updated one by now, of which the
    /// update does not tell. It loses that link.
    /// - Throws: `ValidationError.missingValue` for a row that may not be without; nothing is to be written then.
    package mutating func unlinkRivals() throws {
        if changes.updates.isEmpty { return }
        // What went into a row that was there is what counts of it: `unlinkFormerDestinations`.
        let taken = Set(saved.inserted.lazy.filter(\.replaced).map(\.id))
        let deleted = saved.bulkDeletes.deleted
        for update in changes.updates where !deleted.contains(update.id) && !taken.contains(update.id) {
            let oneToOne = oneToOne(update.entityIndex)
            if oneToOne.isEmpty { continue }
            for slot in update.changedSlots {
                guard let relationship = oneToOne[slot], let inverse = model.inverse(of: relationship) else { continue }
                let rivals = try rows(
                    leadingTo: update.id, along: inverse, declaredIn: relationship.destinationIndex,
                    except: resolved(update.values[slot]))
                for rival in rivals { try clear(inverse, of: rival) }
            }
        }
    }

    /// Where an insertion's values went into a row that was there, or into that of an earlier insertion, what referred to the
    /// row along a one-to-one relationship refers there still. Rows that are not the row's destination any more lose the link.
    /// - Parameter superseded: positions of insertions that were not written.
    /// - Throws: `ValidationError.missingValue` for one that may not be without; nothing is to be written then.
    package mutating func unlinkFormerDestinations(except superseded: Set<Int>) throws {
        let inserted = saved.inserted
        for (index, insertion) in changes.insertions.enumerated()
        where inserted[index].replaced && !superseded.contains(index) {
            for (slot, relationship) in oneToOne(insertion.entityIndex).sorted(by: { $0.key < $1.key }) {
                guard let inverse = model.inverse(of: relationship) else { continue }
                let former = try rows(
                    leadingTo: inserted[index].id, along: inverse, declaredIn: relationship.destinationIndex,
                    except: resolved(insertion.values[slot]))
                for row in former { try clear(inverse, of: row) }
            }
        }
    }

    /// The destination of a one-to-one relationship that was written may not be written itself, as it was edited and edited
    /// back, while others led it elsewhere. It refers back then, and what it referred to loses its link.
    /// - Throws: `LinkToGoneRow` for a destination that is not there; `ValidationError.missingValue` for a row that may not be
    ///   without its link.
    /// - Complexity: One call of `rows(_:notLedBackToAlong:_:)` for each one-to-one relationship that was written.
    package mutating func linkBack() throws {
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
                KeySet(destinations.keys.map(\.key)), notLedBackToAlong: relationship, end.entityIndex)
            let ids = Dictionary(destinations.keys.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
            for row in rows.compactMap({ ids[$0] }) {
                guard let destination = destinations[row], !ends.contains(RowSlot(id: destination, slot: back)),
                    !deleted.contains(destination), !saved.bulkDeletes.deleted.contains(destination)
                else { continue }
                guard try setLink(inverse, of: destination, to: row) else { throw LinkToGoneRow(id: destination) }
                let former = try self.rows(
                    leadingTo: destination, along: relationship, declaredIn: inverse.destinationIndex,
                    except: .reference(row))
                for other in former { try clear(relationship, of: other) }
            }
        }
    }

    /// Makes the relationship of a row nil.
    /// - Throws: `ValidationError.missingValue` where it may not be.
    package mutating func clear(_ relationship: EntityRelationship, of row: ObjectID) throws {
        guard relationship.relationship.isOptional else {
            throw ValidationError.missingValue(row, property: relationship.name)
        }
        _ = try setLink(relationship, of: row, to: nil)
    }

    /// Rows that were written with a destination that is no insertion of the same save, and their destinations. An insertion
    /// comes with its own end of the link.
    private func writtenOneToOne() -> [OneToOneEnd: [ObjectID: ObjectID]] {
        var written: [OneToOneEnd: [ObjectID: ObjectID]] = [:]
        let deleted = saved.bulkDeletes.deleted
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

/// A one-to-one relationship of the rows of one entity.
private struct OneToOneEnd: Hashable, Comparable {
    let entityIndex: Int
    let slot: Int

    static func < (first: Self, second: Self) -> Bool {
        (first.entityIndex, first.slot) < (second.entityIndex, second.slot)
    }
}

/// A save links a row with one that is not there. The store tells of it as a conflict.
package struct LinkToGoneRow: Error {
    package let id: ObjectID
}
