/// Faults: how records without values are registered, and how a fault fires, that is, reads its values.
extension Graph {
    /// Returns the registered record of an identity, or a new fault; `nil` for an entity that the model lacks, or a
    /// temporary identity that is not registered.
    package func record(for id: ObjectID) -> Record? {
        if let record = identityMap[id] { return record }
        guard !id.isTemporary, let entity = model?.entity(named: id.entityName) else { return nil }
        let record = Record(id: id, entity: entity)
        record.graph = self
        identityMap.insert(record)
        hideIfDeleted(record)
        return record
    }

    /// Reads the values of a fault. If the row does not exist, the record is marked as gone.
    package func fire(_ record: Record) {
        if !batches.isEmpty { fireBatch(of: record) }
        guard record.isFault else { return }
        do {
            guard let snapshot = try store?.snapshots(of: [record.id]).first else {
                leave(record, as: .rowMissing)
                return
            }
            fill(record, from: snapshot)
        } catch {
            face?.report(error)
        }
    }

    /// Reads the values of several faults with as few statements as possible.
    package func fire(_ records: [Record]) throws {
        let faults = records.filter(\.isFault)
        guard let store, !faults.isEmpty else { return }
        for snapshot in try store.snapshots(of: faults.map(\.id)) {
            if let record = identityMap[snapshot.id] { fill(record, from: snapshot) }
        }
        for record in faults where record.isFault { leave(record, as: .rowMissing) }
    }

    /// Reads like `fire(_:)`, for callers that cannot throw. Objects that cannot be read stay faults.
    package func fireTogether(_ records: [Record]) {
        do {
            try fire(records)
        } catch {
            face?.report(error)
        }
    }

    /// Marks a record as deleted when it is created, if a pending bulk delete deletes its row.
    func hideIfDeleted(_ record: Record) {
        if !deletes.bulk.isEmpty, deletes.bulk.deleted.contains(record.id) { deletes.add(.bulk, to: record) }
    }

    private func fill(_ record: Record, from stored: Snapshot) {
        let snapshot = row(stored)
        // Others have changed the row since it was last read, perhaps without a notification.
        if log.followed != nil, !log.isReading, record.version != 0, record.version != snapshot.version {
            log.followed?.note(record, .all)
        }
        record.values = snapshot.values
        record.version = snapshot.version
        record.status.subtract([.fault, .stale])
        record.carried = nil
    }

    /// Registers the one record of a row just read, and updates it unless it has edits.
    package func register(_ snapshot: Snapshot) -> Record? {
        guard let entity = entity(of: snapshot.id) else { return nil }
        var isKnown = true
        let record = identityMap.record(of: snapshot.id) {
            isKnown = false
            return Record(snapshot: self.row(snapshot), entity: entity)
        }
        if isKnown {
            refresh(record, with: snapshot)
        } else {
            record.graph = self
            hideIfDeleted(record)
        }
        return record
    }

    func entity(of id: ObjectID) -> Entity? { entity(of: id.space) }

    func entity(of space: IDSpace) -> Entity? {
        if let last = recentEntities.ofRow, last.space == space { return last.entity }
        guard let entity = model?.entity(named: space.entityName) else { return nil }
        recentEntities.ofRow = (space, entity)
        return entity
    }

    func refresh(_ record: Record, with stored: Snapshot) {
        let snapshot = row(stored)
        if record.isFault {
            fill(record, from: snapshot)
        } else if record.version == snapshot.version {
            record.status.remove(.stale)
            adoptDerivedValues(record, from: snapshot)
        } else if record.hasChanges {
            rebase(record, onto: snapshot)
        } else {
            record.observer?.willChange(record, relationship: nil)
            discardMembers(of: record, basedOn: record.values, snapshot)
            log.followed?.note(record, PropertyMask(from: record.values, to: snapshot.values))
            record.values = row(snapshot.values, of: record.entity, keepingTransientsOf: record.values)
            record.version = snapshot.version
            record.discardStoredMembers()
            record.observer?.didChange(record, relationship: nil)
        }
    }

    /// Applies unsaved edits to a newer row: edited properties keep their values, the others get the stored ones.
    func rebase(_ record: Record, onto stored: Snapshot) {
        let snapshot = row(stored)
        let base = record.committed ?? record.values
        let values = row(snapshot.values, of: record.entity, keepingTransientsOf: base)
        record.observer?.willChange(record, relationship: nil)
        log.followed?.note(record, PropertyMask(from: base, to: values))
        discardMembers(of: record, basedOn: base, snapshot)
        for slots in record.entity.propertySlots
        where slots.upperBound <= values.count && slots.allSatisfy({ record.values[$0] == base[$0] }) {
            for slot in slots { record.values[slot] = values[slot] }
        }
        if record.committed != nil { record.committed = values }
        // Another context may have linked it to objects that must be deleted or nullified, too.
        if record.isDeleted { deletes.needsPropagation = true }
        record.version = snapshot.version
        record.status.remove(.stale)
        numberEdit(of: record)
        record.discardStoredMembers()
        record.observer?.didChange(record, relationship: nil)
    }

    /// If another context changed references, discards the member lists at their former and present destinations.
    private func discardMembers(of record: Record, basedOn base: SlotValues, _ snapshot: Snapshot) {
        for relationship in record.entity.toOneRelationships {
            guard let slot = relationship.slot, slot < snapshot.values.count, slot < base.count,
                record.values[slot] == base[slot], record.values[slot] != snapshot.values[slot]
            else { continue }
            for value in [record.values[slot], snapshot.values[slot]] {
                discardMemberEdit(record, relationship, in: value)
                noteMember(relationship, in: value)
            }
        }
    }

    /// Notes that the other ends of references may lose the object, whose values are about to be discarded.
    func noteMember(_ member: Record) {
        if log.followed == nil { return }
        for relationship in member.entity.toOneRelationships where relationship.inverseIndex != nil {
            guard let slot = relationship.slot, slot < member.values.count else { continue }
            noteMember(relationship, in: member.values[slot])
        }
    }

    /// Notes that the other end of a reference has lost or gained a member.
    private func noteMember(_ relationship: EntityRelationship, in value: Value) {
        guard log.followed != nil, case .reference(let id) = value, let inverse = model?.inverse(of: relationship)
        else { return }
        log.followed?.noteRow(id, PropertyMask(inverse))
    }

    /// Discards the member list at the other end of a reference that another context changed, to read it again later.
    /// Another context has saved an equal change, so an edit of this member is discarded, too.
    private func discardMemberEdit(_ member: Record, _ relationship: EntityRelationship, in value: Value) {
        guard case .reference(let id) = value, let owner = identityMap[id], !owner.isFault,
            let inverse = inverse(of: relationship, on: owner), let index = inverse.toManyIndex
        else { return }
        if owner.members(index).isEdited { owner.withMembers(index) { $0.discardEdit(of: member.id) } }
        guard owner.isRead(toMany: index) else { return }
        owner.observer?.willChange(owner, relationship: inverse)
        owner.toMany[index].discardStored()
        owner.observer?.didChange(owner, relationship: inverse)
    }
}

extension Graph {
    /// Slots whose values belong to this graph alone and come from no row.
    func ownSlots(of entity: Entity) -> [Int] {
        entity.transientSlots.isEmpty || store?.storesTransients == true ? [] : entity.transientSlots
    }

    /// Returns a row's values with this graph's own values unchanged.
    func row(_ stored: SlotValues, of entity: Entity, keepingTransientsOf former: SlotValues) -> SlotValues {
        var row = stored
        for slot in ownSlots(of: entity) where slot < row.count && slot < former.count { row[slot] = former[slot] }
        return row
    }
}
