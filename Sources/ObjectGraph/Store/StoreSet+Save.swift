/// One change set, written by several stores.
extension StoreSet {
    package func save(_ changes: ChangeSet) throws -> SaveResult {
        let shares = try split(changes)
        try refuseReadOnly(shares)
        var saved: [SavedRows] = []
        do {
            try save(shares[...], &saved)
        } catch let found as FoundConflicts {
            return .conflicts(found.conflicts)
        }
        return .saved(joined(shares, saved, changes))
    }

    /// Saves the first share, and the others inside its transaction.
    /// - Parameter saved: what each did; the last share's comes first.
    private func save(_ shares: ArraySlice<ChangeShare>, _ saved: inout [SavedRows]) throws {
        guard let share = shares.first else { return }
        let result = try members[share.place].store.save(share.changes) {
            try save(shares.dropFirst(), &saved)
        }
        switch result {
        case .saved(let rows): saved.append(rows)
        case .conflicts(let conflicts): throw FoundConflicts(conflicts: conflicts)
        }
    }

    private func refuseReadOnly(_ shares: [ChangeShare]) throws {
        let refused = shares.filter { members[$0.place].store.isReadOnly }
        guard !refused.isEmpty else { return }
        throw StoreSetError.readOnly(
            entities: Set(refused.flatMap(\.entityIndexes).map { model[$0].name }).sorted())
    }

    /// The shares of the stores that have anything to write, in the order they are written.
    private func split(_ changes: ChangeSet) throws -> [ChangeShare] {
        var shares = members.indices.map { ChangeShare(place: $0, of: changes) }
        for (position, var insertion) in changes.insertions.enumerated() {
            let place = try place(insertion.entityIndex)
            shares[place].entityIndexes.insert(insertion.entityIndex)
            insertion.entityIndex = try members[place].numbers.index(insertion.entityIndex)
            shares[place].insertionPositions.append(position)
            shares[place].changes.insertions.append(insertion)
        }
        for (position, var update) in changes.updates.enumerated() {
            let place = try place(update.entityIndex)
            shares[place].entityIndexes.insert(update.entityIndex)
            update.entityIndex = try members[place].numbers.index(update.entityIndex)
            shares[place].updatePositions.append(position)
            shares[place].changes.updates.append(update)
        }
        for var deletion in changes.deletions {
            let place = try place(deletion.entityIndex)
            shares[place].entityIndexes.insert(deletion.entityIndex)
            deletion.entityIndex = try members[place].numbers.index(deletion.entityIndex)
            shares[place].changes.deletions.append(deletion)
        }
        for var link in changes.links {
            let place = try place(link.ownerEntityIndex)
            shares[place].entityIndexes.insert(link.ownerEntityIndex)
            link.ownerEntityIndex = try members[place].numbers.index(link.ownerEntityIndex)
            shares[place].changes.links.append(link)
        }
        for request in changes.plannedDeletes {
            for share in try self.shares(request) {
                shares[share.place].entityIndexes.formUnion(entityIndexes(of: share.request.roots, share.place))
                shares[share.place].changes.plannedDeletes.append(share.request)
            }
        }
        return shares.filter { !$0.changes.isEmpty }
    }

    /// Entities of the whole model that are asked to be deleted from, to name them when that is refused.
    private func entityIndexes(of roots: DeleteRequest.Roots, _ place: Int) -> [Int] {
        let own = members[place].store.model
        let names: [String] =
            switch roots {
            case .matching(let query): [own[query.entityIndex].name]
            case .rows(let rows): rows.keysBySpace.keys.map(\.entityName)
            case .everything: own.entities.map(\.name)
            }
        return names.compactMap { model.entity(named: $0)?.index }
    }

    /// What each store did, at the places the changes had in the whole change set.
    private func joined(_ shares: [ChangeShare], _ saved: [SavedRows], _ changes: ChangeSet) -> SavedRows {
        var inserted: [SavedRows.Inserted?] = Array(repeating: nil, count: changes.insertions.count)
        var versions: [RowVersion] = Array(repeating: 0, count: changes.updates.count)
        var joined = SavedRows()
        for (share, rows) in zip(shares, saved.reversed()) {
            joined.planned.append(rows.planned)
            joined.unlinked += rows.unlinked
            joined.keptTokens += rows.keptTokens.filter { !joined.keptTokens.contains($0) }
            for (position, row) in zip(share.insertionPositions, rows.inserted) { inserted[position] = row }
            for (position, version) in zip(share.updatePositions, rows.updatedVersions) { versions[position] = version }
        }
        joined.inserted = inserted.compactMap { $0 }
        joined.updatedVersions = versions
        // Each store counts its own history.
        joined.transactionNumber = saved.count == 1 ? saved.first?.transactionNumber : nil
        return joined
    }
}

/// The part of a change set that one store writes.
private struct ChangeShare {
    let place: Int
    /// In the store's own entity indexes.
    var changes = ChangeSet()
    /// In the whole model's.
    var entityIndexes: Set<Int> = []
    /// Places of this share's insertions in the whole change set.
    var insertionPositions: [Int] = []
    var updatePositions: [Int] = []

    init(place: Int, of whole: ChangeSet) {
        self.place = place
        changes.author = whole.author
        changes.contextName = whole.contextName
        changes.constraints = whole.constraints
        changes.deleteObserver = whole.deleteObserver
    }
}

/// One store's rows are not as expected. Takes the others' transactions back on its way; never leaves the set.
private struct FoundConflicts: Error {
    let conflicts: [Conflict]
}
