extension Graph {
    /// Takes in what other graphs saved since the last time. Cost grows with what is registered here and named there,
    /// not with how much was saved.
    package func mergeWaitingChanges() {
        guard !inbox.isEmpty else { return }
        for changes in inbox.takeAll() { merge(changes) }
    }

    /// Brings another graph's saved changes into this one: deleted rows leave, updated ones are refreshed under kept
    /// edits, member lists that may have changed are forgotten.
    package func merge(_ changes: SavedChanges) {
        var destinations: Set<IDSpace> = []
        for id in changes.inserted { destinations.insert(id.space) }
        for snapshot in changes.updated {
            destinations.insert(snapshot.id.space)
            if let record = identityMap[snapshot.id], record.version < snapshot.version, !record.isFault {
                refresh(record, with: snapshot)
            }
        }
        for id in changes.deleted {
            destinations.insert(id.space)
            guard let record = identityMap[id] else { continue }
            record.observer?.willChange(record, relationship: nil)
            record.status.remove(.deleted)
            markGone(record)
            record.observer?.didChange(record, relationship: nil)
        }
        forgetMembers(in: destinations)
    }

    private func forgetMembers(in spaces: Set<IDSpace>) {
        guard let model else { return }
        let changed = Set(spaces.compactMap { model.entity(named: $0.entityName)?.rootIndex })
        for record in identityMap.all where !record.toMany.isEmpty {
            for relationship in record.entity.relationships {
                guard let index = relationship.toManyIndex, record.members(index).isRead,
                    changed.contains(model.destination(of: relationship).rootIndex)
                else { continue }
                record.observer?.willChange(record, relationship: relationship)
                record.toMany[index].forgetStored()
                record.observer?.didChange(record, relationship: relationship)
            }
        }
    }
}
