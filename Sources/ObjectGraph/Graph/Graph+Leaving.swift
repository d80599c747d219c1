/// How objects leave a graph. Objects that move out of a detached graph, and unused ones that a sweep releases, keep their
/// state and are not handled here.
extension Graph {
    /// Why an object leaves. It keeps its values; what else it keeps, undo needs to register it again.
    enum Departure {
        /// The row does not exist: access to the values does not trap, but shows those that were known.
        case rowMissing
        /// The same, because others deleted it: the log of changes has the row in a set.
        case rowDeleted
        /// The save deleted the row.
        case saved
        /// A uniqueness constraint made another record represent the row.
        case replaced
        /// The object was deleted before it was ever saved. It keeps its links.
        case discarded
        /// The insertion was rolled back. The object loses its links.
        case rolledBack

        fileprivate var status: Record.Status {
            switch self {
            case .rowMissing, .rowDeleted, .saved, .replaced: .gone
            case .discarded, .rolledBack: []
            }
        }
    }

    /// Removes an object from the graph, with its pending deletion.
    func leave(_ record: Record, as departure: Departure) {
        prepare(record, toLeaveAs: departure)
        identityMap.remove(record.id)
        detach(record, as: departure)
    }

    /// Removes many registered objects, at once.
    func leave(_ records: [Record], as departure: Departure) {
        for record in records { prepare(record, toLeaveAs: departure) }
        identityMap.remove(records)
        for record in records { detach(record, as: departure) }
    }

    private func prepare(_ record: Record, toLeaveAs departure: Departure) {
        switch departure {
        case .rowMissing:
            log.followed?.note(record, .all)
            discardRow(of: record)
        case .rowDeleted: discardRow(of: record)
        case .saved, .discarded: log.followed?.note(record, .all)
        case .rolledBack:
            log.followed?.note(record, .all)
            discardLinks(of: record)
        case .replaced: break
        }
    }

    private func discardRow(of record: Record) {
        if record.isFault { record.values = record.carriedRow() }
        if record.hasChanges { breakUnsavedLinks(of: record) }
        record.carried = nil
        record.toMany = []
    }

    private func detach(_ record: Record, as departure: Departure) {
        deletes.undelete(record)
        record.status = departure.status
        record.committed = nil
        record.graph = nil
        // The object stays alive as long as it has other references.
        record.object = nil
    }

    /// Removes unsaved links of other objects to an object whose row does not exist.
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
                    log.followed?.note(other, PropertyMask(inverse))
                    other.withMembers(index) { $0.discardMember(record.id) }
                }
            }
        }
    }

    /// Removes this end of all links.
    func discardLinks(of record: Record) {
        record.toMany = []
        for relationship in record.entity.relationships {
            if let slot = relationship.slot, slot < record.values.count { record.values[slot] = .null }
        }
    }
}
