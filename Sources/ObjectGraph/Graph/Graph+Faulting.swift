extension Graph {
    /// The registered record of an identity, or a new fault. `nil` for an entity the model lacks or a temporary
    /// identity that is not registered.
    package func record(for id: ObjectID) -> Record? {
        if let record = identityMap[id] { return record }
        guard !id.isTemporary, let entity = model?.entity(named: id.entityName) else { return nil }
        let record = Record(id: id, entity: entity)
        record.graph = self
        identityMap.insert(record)
        return record
    }

    /// Reads the values of a fault. A row that is gone leaves a record that says so.
    package func fire(_ record: Record) {
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

    private func fill(_ record: Record, from snapshot: Snapshot) {
        record.values = snapshot.values
        record.version = snapshot.version
        record.status.remove(.fault)
    }

    /// The row does not exist: no values, but nothing to trap on either.
    func markGone(_ record: Record) {
        if record.isFault { record.values = Array(repeating: .null, count: record.entity.slots.count) }
        record.status = .gone
        record.committed = nil
        record.toMany = []
        identityMap.remove(record.id)
        record.graph = nil
        // The object lives on as long as somebody else holds it.
        record.object = nil
    }

    /// The one record of a row just read: registered and, unless it has edits, brought up to date.
    package func register(_ snapshot: Snapshot) -> Record? {
        if let record = identityMap[snapshot.id] {
            refresh(record, with: snapshot)
            return record
        }
        guard let entity = entity(of: snapshot.id) else { return nil }
        let record = Record(snapshot: snapshot, entity: entity)
        record.graph = self
        identityMap.insert(record)
        return record
    }

    private func entity(of id: ObjectID) -> Entity? {
        if let last = lastEntity, last.space == id.space { return last.entity }
        guard let entity = model?.entity(named: id.entityName) else { return nil }
        lastEntity = (id.space, entity)
        return entity
    }

    func refresh(_ record: Record, with snapshot: Snapshot) {
        if record.isFault {
            fill(record, from: snapshot)
        } else if !record.hasChanges, record.version != snapshot.version {
            record.observer?.willChange(record, relationship: nil)
            record.values = snapshot.values
            record.version = snapshot.version
            for index in record.toMany.indices { record.toMany[index].forgetStored() }
            record.observer?.didChange(record, relationship: nil)
        }
    }
}
