import ObjectGraph
import SQLiteStore

/// One change set, written by the stores it concerns, each with what was set of its metadata.
extension CoordinatorStore {
    func save(_ changes: ChangeSet) throws -> SaveResult {
        var shares = try split(changes)
        for share in shares where share.member.store.isReadOnly {
            throw CoordinatorStoreError.readOnly(entity: share.entityName)
        }
        for place in shares.indices { shares[place].takeMetadata() }
        var isSaved = false
        defer {
            if !isSaved { for share in shares { share.putBackMetadata() } }
        }
        let result = try save(shares, changes)
        if case .saved = result { isSaved = true }
        return result
    }

    private func save(_ shares: [Share], _ changes: ChangeSet) throws -> SaveResult {
        if shares.count == 1, let only = shares.first, only.isWhole(of: changes) { return try only.save {} }
        var saved: [SavedRows] = []
        do {
            try save(shares[...], &saved)
        } catch let found as FoundConflicts {
            return .conflicts(found.conflicts)
        }
        return .saved(joined(shares, saved.reversed(), changes))
    }

    /// Saves the first share, and the others inside its transaction.
    /// - Parameter saved: what each did; the last share's comes first.
    private func save(_ shares: ArraySlice<Share>, _ saved: inout [SavedRows]) throws {
        guard let share = shares.first else { return }
        let result = try share.save { try save(shares.dropFirst(), &saved) }
        switch result {
        case .saved(let rows): saved.append(rows)
        case .conflicts(let conflicts): throw FoundConflicts(conflicts: conflicts)
        }
    }

    /// The shares of the stores that have anything to write, in the order they are written.
    private func split(_ changes: ChangeSet) throws -> [Share] {
        var shares = Shares(changes)
        var newHomes: [ObjectID: Member] = [:]
        for (position, var insertion) in changes.insertions.enumerated() {
            let member = try member(forNew: insertion.id, model[insertion.entityIndex])
            newHomes[insertion.id] = member
            try shares.add(to: member, model[insertion.entityIndex].name) { share in
                insertion.entityIndex = try member.index(insertion.entityIndex)
                share.insertionPositions.append(position)
                share.changes.insertions.append(insertion)
            }
        }
        for (position, var update) in changes.updates.enumerated() {
            let member = try home(of: update.id, update.entityIndex)
            try shares.add(to: member, model[update.entityIndex].name) { share in
                update.entityIndex = try member.index(update.entityIndex)
                share.updatePositions.append(position)
                share.changes.updates.append(update)
            }
        }
        for var deletion in changes.deletions {
            let member = try home(of: deletion.id, deletion.entityIndex)
            try shares.add(to: member, model[deletion.entityIndex].name) { share in
                deletion.entityIndex = try member.index(deletion.entityIndex)
                share.changes.deletions.append(deletion)
            }
        }
        for var watch in changes.watched {
            let member = try home(of: watch.id, watch.entityIndex)
            if member.store.isReadOnly { continue }
            try shares.add(to: member, model[watch.entityIndex].name) { share in
                watch.entityIndex = try member.index(watch.entityIndex)
                share.changes.watched.append(watch)
            }
        }
        for var link in changes.links {
            let member = try newHomes[link.owner] ?? home(of: link.owner, link.ownerEntityIndex)
            try shares.add(to: member, model[link.ownerEntityIndex].name) { share in
                link.ownerEntityIndex = try member.index(link.ownerEntityIndex)
                share.changes.links.append(link)
            }
        }
        return shares.list.sorted { $0.place < $1.place }
    }

    private func home(of id: ObjectID, _ entityIndex: Int) throws -> Member {
        guard let identifier = id.storeIdentifier, let member = member(identifier: identifier) else {
            throw CoordinatorStoreError.noStore(entity: model[entityIndex].name)
        }
        return member
    }

    /// What each store did, at the places the changes had in the whole change set.
    private func joined(_ shares: [Share], _ saved: [SavedRows], _ changes: ChangeSet) -> SavedRows {
        var inserted: [SavedRows.Inserted?] = Array(repeating: nil, count: changes.insertions.count)
        var versions: [RowVersion] = Array(repeating: 0, count: changes.updates.count)
        for (share, rows) in zip(shares, saved) {
            for (position, row) in zip(share.insertionPositions, rows.inserted) { inserted[position] = row }
            for (position, version) in zip(share.updatePositions, rows.updatedVersions) { versions[position] = version }
        }
        var joined = SavedRows()
        joined.inserted = inserted.compactMap { $0 }
        joined.updatedVersions = versions
        // Each store counts its own history.
        joined.transactionNumber = saved.count == 1 ? saved.first?.transactionNumber : nil
        return joined
    }
}

/// The part of a change set that one store writes.
private struct Share {
    let member: CoordinatorStore.Member
    /// One of the entities, for messages.
    let entityName: String
    /// In the store's own entity indexes.
    var changes: ChangeSet
    /// Places of this share's insertions in the whole change set.
    var insertionPositions: [Int] = []
    var updatePositions: [Int] = []
    private var metadata: MetadataChange?

    init(member: CoordinatorStore.Member, entityName: String, changes: ChangeSet) {
        self.member = member
        self.entityName = entityName
        self.changes = changes
    }

    /// Stores that cannot take back what they wrote come last.
    var place: (Int, String) { (member.store is ObjectStore ? 1 : 0, member.store.identifier) }

    mutating func takeMetadata() { metadata = member.persistentStore.store?.takeMetadataChange() }

    func putBackMetadata() {
        if let metadata { member.persistentStore.store?.putBack(metadata) }
    }

    func save(beforeCommit: () throws -> Void) throws -> SaveResult {
        guard let metadata, let sqlite = member.sqlite else {
            return try member.store.save(changes, beforeCommit: beforeCommit)
        }
        return try sqlite.save(changes, metadata: metadata.apply, beforeCommit: beforeCommit)
    }

    func isWhole(of whole: ChangeSet) -> Bool {
        changes.insertions.count == whole.insertions.count && changes.updates.count == whole.updates.count
    }
}

private struct Shares {
    private(set) var list: [Share] = []
    private let empty: ChangeSet

    init(_ whole: ChangeSet) {
        var empty = ChangeSet()
        empty.author = whole.author
        empty.contextName = whole.contextName
        empty.constraints = whole.constraints
        self.empty = empty
    }

    mutating func add(
        to member: CoordinatorStore.Member, _ entityName: String, _ body: (inout Share) throws -> Void
    ) rethrows {
        if let place = list.firstIndex(where: { $0.member.store === member.store }) {
            return try body(&list[place])
        }
        var share = Share(member: member, entityName: entityName, changes: empty)
        try body(&share)
        list.append(share)
    }
}

/// One store's rows are not as expected. Takes the others' transactions back on its way; never leaves this file.
private struct FoundConflicts: Error {
    let conflicts: [Conflict]
}
