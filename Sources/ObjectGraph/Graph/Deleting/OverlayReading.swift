/// Reads rows of a store combined with the unsaved changes of a context, for delete plans. Stored rows are processed as
/// sets; only objects with unsaved changes are examined one by one, and none is read for it.
final class OverlayReading<Base: DeleteReading>: DeleteReading {
    let model: Model
    private let base: Base
    /// Rows that are deleted already.
    private let hidden: RowSet
    /// Inserted and updated objects.
    private let edited: [IDSpace: [Record]]
    private let inserted: Set<ObjectID>
    /// Stored rows that unsaved links refer to.
    private(set) var reachedByUnsavedLinks = RowSet()

    init(_ base: Base, edited: [Record], hidden: RowSet) {
        model = base.model
        self.base = base
        self.hidden = hidden
        self.edited = Dictionary(grouping: edited, by: \.id.space)
        inserted = Set(edited.lazy.filter(\.isInserted).map(\.id))
    }

    func entity(of space: IDSpace) -> Entity? { base.entity(of: space) ?? model.entity(named: space.entityName) }

    func existing(_ rows: RowSet) throws -> RowSet {
        var existing = try base.existing(rows)
        existing.formUnion(RowSet(records(in: rows).lazy.filter(\.isInserted).map(\.id)))
        return existing.subtracting(hidden)
    }

    func destinations(of place: RelationshipPlace, from owners: SpaceKeys) throws -> Destinations {
        let relationship = model[place.entityIndex].relationships[place.index]
        var found: Destinations
        if !relationship.isToOne, let inverse = model.inverse(of: relationship), inverse.isToOne {
            found = try stored(place, owners)
            apply(editsOf: inverse, ofKind: relationship.destinationIndex, referringTo: owners, to: &found.rows)
        } else {
            found = try destinations(of: relationship, place, owners)
        }
        found.rows = found.rows.subtracting(hidden)
        return found
    }

    func referencingRows(of place: RelationshipPlace, referringTo rows: SpaceKeys) throws -> RowSet {
        let relationship = model[place.entityIndex].relationships[place.index]
        var holders = rows.space.isTemporary ? RowSet() : try base.referencingRows(of: place, referringTo: rows)
        apply(editsOf: relationship, ofKind: place.entityIndex, referringTo: rows, to: &holders)
        return holders.subtracting(hidden)
    }

    // MARK: Links kept at the owner

    /// Reads a to-one relationship, or one whose members are in a join table.
    private func destinations(
        of relationship: EntityRelationship, _ place: RelationshipPlace, _ owners: SpaceKeys
    ) throws -> Destinations {
        // A destination that an owner lost may still be a member of another one, so owners with edits are read one by
        // one.
        let apart = records(in: owners).filter { $0.hasLinkChanges(relationship) }
        let together = owners.keys.subtracting(KeySet(apart.map(\.id.key)))
        var found = try stored(place, SpaceKeys(together, in: owners.space))
        removeMoved(from: owners, along: relationship, of: &found.rows)
        for record in apart {
            if let slot = relationship.slot {
                add(reference(record, slot).map { [$0] } ?? [], to: &found.rows)
            } else if let index = relationship.toManyIndex {
                let own = try stored(place, SpaceKeys(KeySet([record.id.key]), in: owners.space))
                let members = record.members(index)
                found.rows.formUnion(own.rows.subtracting(RowSet(members.removed.all)))
                found.joinRowCount += own.joinRowCount
                add(members.added.all, to: &found.rows)
            }
        }
        return found
    }

    /// Removes destinations of a one-to-one relationship that an unsaved change links to another object; the stored
    /// value at the owner's end is older.
    private func removeMoved(from owners: SpaceKeys, along relationship: EntityRelationship, of rows: inout RowSet) {
        guard relationship.isToOne, let inverse = model.inverse(of: relationship), let slot = inverse.slot else {
            return
        }
        let moved = records(in: rows).filter { record in
            guard record.hasLinkChanges(inverse) else { return false }
            return reference(record, slot).map { $0.space != owners.space || !owners.keys.contains($0.key) } ?? true
        }
        rows = rows.subtracting(RowSet(moved.map(\.id)))
    }

    // MARK: Links kept at the destination

    /// Uses the edited value of objects whose reference was edited.
    private func apply(
        editsOf key: EntityRelationship, ofKind entityIndex: Int, referringTo rows: SpaceKeys, to holders: inout RowSet
    ) {
        guard let slot = key.slot else { return }
        var elsewhere: [ObjectID] = []
        var here: [ObjectID] = []
        for record in edited.values.joined()
        where model.isKind(record.entity.index, of: entityIndex) && record.hasLinkChanges(key) {
            if let id = reference(record, slot), id.space == rows.space, rows.keys.contains(id.key) {
                here.append(record.id)
            } else {
                elsewhere.append(record.id)
            }
        }
        holders = holders.subtracting(RowSet(elsewhere))
        add(here, to: &holders)
    }

    // MARK: Parts

    private func stored(_ place: RelationshipPlace, _ owners: SpaceKeys) throws -> Destinations {
        if owners.space.isTemporary || owners.keys.isEmpty { return Destinations() }
        return try base.destinations(of: place, from: owners)
    }

    /// Leaves out links to objects that were dropped before they were saved.
    private func add(_ ids: [ObjectID], to rows: inout RowSet) {
        let new = RowSet(ids.filter { !$0.isTemporary || inserted.contains($0) })
        reachedByUnsavedLinks.formUnion(new)
        rows.formUnion(new)
    }

    private func records(in rows: SpaceKeys) -> [Record] {
        edited[rows.space]?.filter { rows.keys.contains($0.id.key) } ?? []
    }

    private func records(in rows: RowSet) -> [Record] {
        rows.keysBySpace.flatMap { space, keys in records(in: SpaceKeys(keys, in: space)) }
    }

    private func reference(_ record: Record, _ slot: Int) -> ObjectID? {
        guard slot < record.values.count, case .reference(let id) = record.values[slot] else { return nil }
        return id
    }
}
