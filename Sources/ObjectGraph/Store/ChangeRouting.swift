/// How one change set is divided among several stores. Each has a place, a number of the caller's that also says in which
/// order they are written.
package protocol ChangeRouter {
    var places: Range<Int> { get }

    /// Where an object is, or goes to when it is new.
    func place(of id: ObjectID, _ entityIndex: Int) throws -> Int

    /// The index that a store has for an entity.
    func index(_ entityIndex: Int, at place: Int) throws -> Int

    func isReadOnly(at place: Int) -> Bool

    /// What each store has to do of a delete, in its own indexes.
    func shares(of request: DeleteRequest) throws -> [(place: Int, request: DeleteRequest)]

    /// Has a store write its share.
    /// - Parameter beforeCommit: to be called inside its transaction, when all is written; not when there are conflicts.
    func save(_ share: ChangeShare, beforeCommit: () throws -> Void) throws -> SaveResult
}

/// The part of a change set that one store writes.
package struct ChangeShare {
    package let place: Int
    /// In the store's own entity indexes.
    package fileprivate(set) var changes = ChangeSet()
    /// Places of this share's insertions in the whole change set.
    fileprivate var insertionPositions: [Int] = []
    fileprivate var updatePositions: [Int] = []

    fileprivate init(place: Int, of whole: ChangeSet) {
        self.place = place
        changes.author = whole.author
        changes.contextName = whole.contextName
        changes.constraints = whole.constraints
        changes.replacements = whole.replacements
        changes.deleteObserver = whole.deleteObserver
    }

    /// Of the rows that are written, in the store's own indexes; planned deletes not counted.
    package var entityIndexes: Set<Int> {
        var indexes = Set(changes.insertions.lazy.map(\.entityIndex))
        indexes.formUnion(changes.updates.lazy.map(\.entityIndex))
        indexes.formUnion(changes.deletions.lazy.map(\.entityIndex))
        indexes.formUnion(changes.links.lazy.map(\.entityIndex))
        return indexes
    }
}

/// One change set, written by several stores: the share of each, and what all did as one result.
package struct ChangeRouting<Router: ChangeRouter> {
    /// Of the stores that have anything to do, in the order they are written.
    package private(set) var shares: [ChangeShare]
    private let whole: ChangeSet

    /// Rows that are only watched are left out where nobody here can change them.
    /// - Throws: What the router throws.
    package init(_ whole: ChangeSet, _ router: Router) throws {
        self.whole = whole
        shares = router.places.map { ChangeShare(place: $0, of: whole) }
        try route(whole.insertions, router) { share, insertion, position in
            share.changes.insertions.append(insertion)
            share.insertionPositions.append(position)
        }
        try route(whole.updates, router) { share, update, position in
            share.changes.updates.append(update)
            share.updatePositions.append(position)
        }
        try route(whole.deletions, router) { share, deletion, _ in share.changes.deletions.append(deletion) }
        try route(whole.links, router) { share, link, _ in share.changes.links.append(link) }
        try route(whole.watched, router) { share, watch, _ in
            if !router.isReadOnly(at: share.place) { share.changes.watched.append(watch) }
        }
        for request in whole.plannedDeletes {
            for share in try router.shares(of: request) {
                shares[share.place].changes.plannedDeletes.append(share.request)
            }
        }
        shares.removeAll(where: \.changes.isEmpty)
    }

    private mutating func route<Change: RoutedChange>(
        _ changes: [Change], _ router: Router, _ add: (inout ChangeShare, Change, Int) -> Void
    ) throws {
        for (position, var change) in changes.enumerated() {
            let place = try router.place(of: change.id, change.entityIndex)
            change.entityIndex = try router.index(change.entityIndex, at: place)
            add(&shares[place], change, position)
        }
    }

    // MARK: Saving

    /// Every store writes its share before any of them commits.
    /// - Parameter beforeCommit: runs inside all transactions, once everything is written.
    /// - Returns: what all of them did, at the places the changes had in the whole change set; the conflicts of one of them,
    ///   and then nothing is written.
    /// - Throws: What the stores and `beforeCommit` throw; nothing is written then.
    package func save(_ router: Router, beforeCommit: () throws -> Void) throws -> SaveResult {
        if shares.count == 1, let only = shares.first { return try router.save(only, beforeCommit: beforeCommit) }
        var saved: [SavedRows] = []
        do {
            try save(shares[...], &saved, router, beforeCommit)
        } catch let found as FoundConflicts {
            return .conflicts(found.conflicts)
        }
        return .saved(joined(saved.reversed()))
    }

    /// Saves the first share, and the others inside its transaction.
    /// - Parameter saved: what each did; the last share's comes first.
    private func save(
        _ shares: ArraySlice<ChangeShare>, _ saved: inout [SavedRows], _ router: Router,
        _ beforeCommit: () throws -> Void
    ) throws {
        guard let share = shares.first else { return try beforeCommit() }
        let result = try router.save(share) { try save(shares.dropFirst(), &saved, router, beforeCommit) }
        switch result {
        case .saved(let rows): saved.append(rows)
        case .conflicts(let conflicts): throw FoundConflicts(conflicts: conflicts)
        }
    }

    /// Without the number of a transaction: each store counts its own history.
    private func joined(_ saved: [SavedRows]) -> SavedRows {
        var inserted: [SavedRows.Inserted?] = Array(repeating: nil, count: whole.insertions.count)
        var joined = SavedRows()
        joined.updatedVersions = Array(repeating: 0, count: whole.updates.count)
        for (share, rows) in zip(shares, saved) {
            for (position, row) in zip(share.insertionPositions, rows.inserted) { inserted[position] = row }
            for (position, version) in zip(share.updatePositions, rows.updatedVersions) {
                joined.updatedVersions[position] = version
            }
            joined.unlinked += rows.unlinked
            joined.planned.append(rows.planned)
            joined.keptTokens += rows.keptTokens.filter { !joined.keptTokens.contains($0) }
        }
        joined.inserted = inserted.compactMap { $0 }
        return joined
    }
}

/// One store's rows are not as expected. Takes the others' transactions back on its way; never leaves the routing.
private struct FoundConflicts: Error {
    let conflicts: [Conflict]
}

/// A change of one object, which goes where the object is.
private protocol RoutedChange {
    var id: ObjectID { get }
    var entityIndex: Int { get set }
}

extension ChangeSet.Insertion: RoutedChange {}
extension ChangeSet.Update: RoutedChange {}
extension ChangeSet.Deletion: RoutedChange {}
extension ChangeSet.Watch: RoutedChange {}

extension ChangeSet.LinkChange: RoutedChange {
    fileprivate var id: ObjectID { owner }
    fileprivate var entityIndex: Int {
        get { ownerEntityIndex }
        set { ownerEntityIndex = newValue }
    }
}
