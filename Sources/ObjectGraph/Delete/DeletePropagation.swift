/// Applying delete rules to live records, level by level: every level is read with one statement per relationship,
/// however many objects it holds.
extension Graph {
    /// Marks objects, and what the rules take along, for deletion; survivors' inverses are cleared at once. A `deny`
    /// rule is judged at save, when it is known who survives.
    package func delete(_ roots: [Record]) {
        var level = roots.filter { $0.graph === self && !$0.isDeleted && !$0.isGone }
        var unsaved: [Record] = []
        while !level.isEmpty {
            for record in level {
                if record.isInserted { unsaved.append(record) }
                pending.noteDeleted(record)
            }
            level = next(after: level)
        }
        unsaved.forEach(drop)
        face?.graphDidChange()
    }

    private func next(after level: [Record]) -> [Record] {
        try? fire(level)
        var doomed: [Record] = []
        var seen: Set<ObjectID> = []
        for (entity, records) in Dictionary(grouping: level, by: { ObjectIdentifier($0.entity) }).values
            .compactMap({ group in group.first.map { ($0.entity, group) } })
            .sorted(by: { $0.0.index < $1.0.index })
        {
            for relationship in entity.relationships {
                switch DeleteRules.effect(of: relationship) {
                case .nothing, .refuse: continue
                case .clearInverse: clearInverse(of: relationship, from: records)
                case .deleteDestinations:
                    readMembers(of: relationship, owners: records)
                    for destination in records.flatMap({ destinations(of: $0, relationship) })
                    where !destination.isDeleted && seen.insert(destination.id).inserted {
                        doomed.append(destination)
                    }
                }
            }
        }
        return doomed
    }

    private func clearInverse(of relationship: EntityRelationship, from records: [Record]) {
        readMembers(of: relationship, owners: records)
        let links = records.flatMap { record in destinations(of: record, relationship).map { (record, $0) } }
        try? fire(links.map(\.1))
        for (record, destination) in links where !destination.isDeleted {
            if let inverse = inverse(of: relationship, on: destination) {
                removeHalf(destination, inverse, record.id)
            }
        }
    }

    /// Where a relationship leads, whatever its cardinality.
    package func destinations(of record: Record, _ relationship: EntityRelationship) -> [Record] {
        relationship.isToOne
            ? [destination(of: record, relationship)].compactMap { $0 } : members(of: record, relationship)
    }

    /// An object that was never saved leaves no trace.
    private func drop(_ record: Record) {
        record.status = []
        record.committed = nil
        identityMap.remove(record.id)
        record.graph = nil
        record.object = nil
    }

    /// Objects that a `deny` rule protects from a pending deletion.
    func deniedDeletes() -> [ValidationError] {
        var denied: [ValidationError] = []
        for record in pending.deleted {
            for relationship in record.entity.relationships
            where DeleteRules.effect(of: relationship) == .refuse {
                let survivors = destinations(of: record, relationship).filter { !$0.isDeleted && !$0.isGone }
                guard !survivors.isEmpty else { continue }
                denied.append(
                    .deniedDelete(
                        record.id, relationship: relationship.name, blockerCount: survivors.count,
                        blockers: survivors.prefix(5).map(\.id)))
            }
        }
        return denied
    }
}
