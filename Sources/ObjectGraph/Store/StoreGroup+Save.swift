/// Saving one change set in the stores that it concerns.
extension StoreGroup: RowWriting {
    /// Writes in every store before any of them commits.
    /// - Returns: The joined results at the positions of the whole change set, or the conflicts of one store; then
    ///   nothing is written.
    /// - Throws: `StoreGroupError` before anything is written, if no store accepts a changed row; the errors of the
    ///   stores and of `beforeCommit`.
    package func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult {
        try whereverStoresAre {
            let save = try GroupSave(changes, self)
            try save.refuseReadOnly()
            return try save.run(beforeCommit: beforeCommit)
        }
    }

    /// Runs the body again if a store that it writes to has been replaced with another one.
    package func whereverStoresAre<Result>(_ body: () throws -> Result) throws -> Result {
        while true {
            let before = members.map { ObjectIdentifier($0.store) }
            do {
                return try body()
            } catch let error as any StoreError
                where error.isMoved && members.map({ ObjectIdentifier($0.store) }) != before
            {
                continue
            }
        }
    }
}

extension StoreGroup.Member {
    /// The order of writing. Program-defined stores are last, because their writes cannot be rolled back.
    static func isWritten(_ left: StoreGroup.Member, before right: StoreGroup.Member) -> Bool {
        (left.store is ObjectStore ? 1 : 0, left.identifier) < (right.store is ObjectStore ? 1 : 0, right.identifier)
    }
}

/// The division of one change set among the stores of a group.
private struct GroupSave {
    /// The shares of the stores with any changes, in the order of writing.
    private var shares: [Share]
    private let whole: ChangeSet
    private let model: Model
    private let assignment: StoreAssignments
    private var placesBySpace: [IDSpace: Int] = [:]

    /// The part of a change set that one store writes.
    struct Share {
        let member: StoreGroup.Member
        var changes = ChangeSet()
        /// The positions of this share's insertions in the whole change set.
        var insertionPositions: [Int] = []
        var updatePositions: [Int] = []

        init(_ member: StoreGroup.Member, of whole: ChangeSet) {
            self.member = member
            changes.author = whole.author
            changes.contextName = whole.contextName
            changes.constraints = whole.constraints
            changes.replacements = whole.replacements
        }

        var store: any Store { member.store }

        /// The names of the entities that the share changes.
        var entityNames: [String] {
            var indexes = Set(changes.insertions.lazy.map(\.entityIndex))
            indexes.formUnion(changes.updates.lazy.map(\.entityIndex))
            indexes.formUnion(changes.deletions.lazy.map(\.entityIndex))
            indexes.formUnion(changes.links.lazy.map(\.entityIndex))
            return indexes.map { store.model[$0].name } + namesOfBulkDelete
        }

        private var namesOfBulkDelete: [String] {
            switch changes.bulkDelete?.roots {
            case nil: []
            case .matching(let query): [store.model[query.entityIndex].name]
            case .rows(let rows): rows.keysBySpace.keys.map(\.entityName)
            case .everything: store.model.entities.map(\.name)
            }
        }
    }

    /// Leaves out watched rows of a read-only store, as they cannot change in this process.
    init(_ whole: ChangeSet, _ group: StoreGroup) throws {
        self.whole = whole
        model = group.model
        assignment = group.assignment
        shares = assignment.members.map { Share($0, of: whole) }
        try divide(whole.insertions) { share, insertion, position in
            share.changes.insertions.append(insertion)
            share.insertionPositions.append(position)
        }
        try divide(whole.updates) { share, update, position in
            share.changes.updates.append(update)
            share.updatePositions.append(position)
        }
        try divide(whole.deletions) { share, deletion, _ in share.changes.deletions.append(deletion) }
        try divide(whole.links) { share, link, _ in share.changes.links.append(link) }
        try divide(whole.watched) { share, watch, _ in
            if !share.store.isReadOnly { share.changes.watched.append(watch) }
        }
        if let request = whole.bulkDelete {
            for part in try group.shares(request) {
                guard let place = shares.firstIndex(where: { $0.store.identifier == part.identifier }) else { continue }
                shares[place].changes.bulkDelete = part.request
            }
        }
        shares.removeAll(where: \.changes.isEmpty)
        shares.sort { StoreGroup.Member.isWritten($0.member, before: $1.member) }
    }

    private mutating func divide<Change: ChangeOfRow>(
        _ changes: [Change], _ add: (inout Share, Change, Int) -> Void
    ) throws {
        for (position, change) in changes.enumerated() { add(&shares[try place(of: change)], change, position) }
    }

    /// Rows of one space are in one store, unless they were assigned individually.
    private mutating func place(of change: some ChangeOfRow) throws -> Int {
        let isAssigned = change.id.isTemporary && assignment.assigned[change.id] != nil
        if !isAssigned, let known = placesBySpace[change.id.space] { return known }
        guard let entity = model.entity(at: change.entityIndex) else {
            throw StoreGroupError.unknownEntity(index: change.entityIndex)
        }
        let place = try assignment.place(of: change.id, entity)
        if !isAssigned { placesBySpace[change.id.space] = place }
        return place
    }

    func refuseReadOnly() throws {
        let refused = shares.filter(\.store.isReadOnly)
        guard !refused.isEmpty else { return }
        throw StoreGroupError.readOnly(entities: Set(refused.flatMap(\.entityNames)).sorted())
    }

    // MARK: Saving

    func run(beforeCommit: () throws -> Void) throws -> SaveResult {
        if shares.count == 1, let only = shares.first {
            switch try only.store.save(only.changes, beforeCommit: beforeCommit) {
            case .saved(var rows):
                rows.transactions = rows.transactions(of: only.store.identifier)
                rows.transactionNumber = nil
                return .saved(rows)
            case .conflicts(let conflicts): return .conflicts(conflicts)
            }
        }
        var saved: [SavedRows] = []
        do {
            try save(shares[...], &saved, beforeCommit)
        } catch let found as FoundConflicts {
            return .conflicts(found.conflicts)
        }
        return .saved(joined(saved.reversed()))
    }

    /// Saves the first share, and the others inside its transaction.
    /// - Parameter saved: The result of each share; the last share's comes first.
    private func save(
        _ shares: ArraySlice<Share>, _ saved: inout [SavedRows], _ beforeCommit: () throws -> Void
    ) throws {
        guard let share = shares.first else { return try beforeCommit() }
        let result = try share.store.save(share.changes) { try save(shares.dropFirst(), &saved, beforeCommit) }
        switch result {
        case .saved(let rows): saved.append(rows)
        case .conflicts(let conflicts): throw FoundConflicts(conflicts: conflicts)
        }
    }

    /// Joins the results. Each store counts its own history.
    private func joined(_ saved: [SavedRows]) -> SavedRows {
        var inserted: [SavedRows.Inserted?] = Array(repeating: nil, count: whole.insertions.count)
        var joined = SavedRows()
        joined.updatedVersions = Array(repeating: 0, count: whole.updates.count)
        for (share, rows) in zip(shares, saved) {
            for (position, row) in zip(share.insertionPositions, rows.inserted) { inserted[position] = row }
            for (position, version) in zip(share.updatePositions, rows.updatedVersions) {
                joined.updatedVersions[position] = version
            }
            joined.adjusted += rows.adjusted
            joined.plan.append(rows.plan)
            joined.transactions.merge(rows.transactions(of: share.store.identifier), uniquingKeysWith: max)
        }
        joined.inserted = inserted.compactMap { $0 }
        return joined
    }
}

/// A change of one row. It is written by the row's store.
private protocol ChangeOfRow {
    var id: ObjectID { get }
    var entityIndex: Int { get }
}

extension ChangeSet.Insertion: ChangeOfRow {}
extension ChangeSet.Update: ChangeOfRow {}
extension ChangeSet.Deletion: ChangeOfRow {}
extension ChangeSet.Watch: ChangeOfRow {}

extension ChangeSet.LinkChange: ChangeOfRow {
    fileprivate var id: ObjectID { owner }
    fileprivate var entityIndex: Int { ownerEntityIndex }
}
