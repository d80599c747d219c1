extension Graph {
    /// The registered record of an identity, or a new fault. `nil` for an entity the model lacks or a temporary
    /// identity that is not registered.
    package func record(for id: ObjectID) -> Record? {
        if let record = identityMap[id] { return record }
        guard !id.isTemporary, let entity = model?.entity(named: id.entityName) else { return nil }
        let record = Record(id: id, entity: entity)
        record.graph = self
        identityMap.insert(record)
        hideIfDeleted(record)
        return record
    }

    /// Reads the values of a fault. A row that is gone leaves a record that says so.
    package func fire(_ record: Record) {
        if !batches.isEmpty { fireBatch(of: record) }
        guard record.isFault else { return }
        do {
            guard let snapshot = try store?.snapshots(of: [record.id]).first else {
                markGone(record)
                return
            }
            fill(record, from: snapshot)
        } catch {
            face?.report(error)
        }
    }

    /// Reads the values of several faults with as few statements as the store can.
    package func fire(_ records: [Record]) throws {
        let faults = records.filter(\.isFault)
        guard let store, !faults.isEmpty else { return }
        for snapshot in try store.snapshots(of: faults.map(\.id)) {
            if let record = identityMap[snapshot.id] { fill(record, from: snapshot) }
        }
        for record in faults where record.isFault { markGone(record) }
    }

    /// As `fire(_:)`, where nothing can be thrown: what cannot be read stays a fault.
    package func fireTogether(_ records: [Record]) {
        do {
            try fire(records)
        } catch {
            face?.report(error)
        }
    }

    /// A row that a planned delete takes is known as deleted from the first moment.
    func hideIfDeleted(_ record: Record) {
        if !deletes.bulk.isEmpty, deletes.bulk.deleted.contains(record.id) { unsaved.noteDeleted(record) }
    }

    private func fill(_ record: Record, from stored: Snapshot) {
        let snapshot = row(stored)
        record.values = snapshot.values
        record.version = snapshot.version
        record.status.subtract([.fault, .stale])
        record.carried = nil
    }

    /// The row does not exist: no values, but nothing to trap on either.
    func markGone(_ record: Record) {
        if record.isFault { record.values = record.carriedRow() }
        if record.hasChanges { breakUnsavedLinks(of: record) }
        record.status = .gone
        record.committed = nil
        record.carried = nil
        record.toMany = []
        identityMap.remove(record.id)
        record.graph = nil
        // The object lives on as long as somebody else holds it.
        record.object = nil
    }

    /// The one record of a row just read: registered and, unless it has edits, brought up to date.
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

    /// Others lose the links with an object whose row is gone that were made here and never saved.
    private func breakUnsavedLinks(of record: Record) {
        for relationship in record.entity.relationships where relationship.inverseIndex != nil {
            var others: [ObjectID] = relationship.toManyIndex.map { record.members($0).added.all } ?? []
            if let slot = relationship.slot, slot < record.values.count, case .reference(let id) = record.values[slot] {
                others = [id]
            }
            for other in others.compactMap({ identityMap[$0] }) {
                guard let inverse = inverse(of: relationship, on: other) else { continue }
                if inverse.isToOne {
                    removeHalf(other, inverse, record.id)
                } else if let index = inverse.toManyIndex {
                    other.withMembers(index) { $0.forget(record.id) }
                }
            }
        }
    }

    func refresh(_ record: Record, with stored: Snapshot) {
        let snapshot = row(stored)
        if record.isFault {
            fill(record, from: snapshot)
        } else if record.version == snapshot.version {
            record.status.remove(.stale)
            takeDerived(record, from: snapshot)
        } else if record.hasChanges {
            rebase(record, onto: snapshot)
        } else {
            record.observer?.willChange(record, relationship: nil)
            forgetMembers(of: record, basedOn: record.values, snapshot)
            record.values = row(snapshot.values, of: record.entity, keepingTransientsOf: record.values)
            record.version = snapshot.version
            for index in record.toMany.indices { record.toMany[index].forgetStored() }
            record.observer?.didChange(record, relationship: nil)
        }
    }

    /// Puts unsaved edits on top of a newer row: edited properties stay, the others take the stored values.
    func rebase(_ record: Record, onto stored: Snapshot) {
        let snapshot = row(stored)
        let base = record.committed ?? record.values
        let values = row(snapshot.values, of: record.entity, keepingTransientsOf: base)
        record.observer?.willChange(record, relationship: nil)
        forgetMembers(of: record, basedOn: base, snapshot)
        for slots in record.entity.propertySlots
        where slots.upperBound <= values.count && slots.allSatisfy({ record.values[$0] == base[$0] }) {
            for slot in slots { record.values[slot] = values[slot] }
        }
        if record.committed != nil { record.committed = values }
        // Others may have linked something with it that goes too, or must be cut loose.
        if record.isDeleted { deletes.needsPropagation = true }
        record.version = snapshot.version
        record.status.remove(.stale)
        numberEdit(of: record)
        for index in record.toMany.indices { record.toMany[index].forgetStored() }
        record.observer?.didChange(record, relationship: nil)
    }

    /// Keys that somebody else changed change the member lists at their other ends, old and new.
    private func forgetMembers(of record: Record, basedOn base: SlotValues, _ snapshot: Snapshot) {
        for relationship in record.entity.toOneRelationships {
            guard let slot = relationship.slot, slot < snapshot.values.count, slot < base.count,
                record.values[slot] == base[slot], record.values[slot] != snapshot.values[slot]
            else { continue }
            forgetMember(record, relationship, in: record.values[slot])
            forgetMember(record, relationship, in: snapshot.values[slot])
        }
    }

    /// The member list at the other end of a key that somebody else changed is read again when next asked for. An edit that
    /// it may have of the member was saved alike by others, before this.
    private func forgetMember(_ member: Record, _ relationship: EntityRelationship, in value: Value) {
        guard case .reference(let id) = value, let owner = identityMap[id], !owner.isFault,
            let inverse = inverse(of: relationship, on: owner), let index = inverse.toManyIndex
        else { return }
        if owner.members(index).isEdited { owner.withMembers(index) { $0.forgetEdit(of: member.id) } }
        guard owner.isRead(toMany: index) else { return }
        owner.observer?.willChange(owner, relationship: inverse)
        owner.toMany[index].forgetStored()
        owner.observer?.didChange(owner, relationship: inverse)
    }
}

extension Graph {
    /// Slots whose values are this graph's alone and come from no row.
    func ownSlots(of entity: Entity) -> [Int] {
        entity.transientSlots.isEmpty || store?.keepsTransients == true ? [] : entity.transientSlots
    }

    /// A row's values with those of the graph's own as they were.
    func row(_ stored: SlotValues, of entity: Entity, keepingTransientsOf former: SlotValues) -> SlotValues {
        var row = stored
        for slot in ownSlots(of: entity) where slot < row.count && slot < former.count { row[slot] = former[slot] }
        return row
    }
}
