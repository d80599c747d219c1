/// What a store tells of rows that must be unique, for `InsertionMatching`.
package protocol UniqueRows {
    /// The values of one constraint in one row; equal for rows of one entity that must not stand beside each other.
    associatedtype Key: Hashable

    /// By which a new row may be taken for another one.
    /// - Parameter resolved: what is written for a value.
    func uniqueKeys(of insertion: ChangeSet.Insertion, resolved: (Value) -> Value) -> [Key]

    /// The row that has the key, among those of the key's entity.
    func row(with key: Key) throws -> ObjectID?

    func isOfSameConstraint(_ one: Key, as other: Key) -> Bool
    func violation(of key: Key, _ ids: [ObjectID]) -> UniqueViolation
}

/// Finds the row each insertion belongs to, by the constraints of its entity, as if they were written one after the other: one
/// that is there, or the one of an earlier insertion, which then is superseded. A row that has been taken has the values of
/// the insertion that took it last, and equals none by those it had before.
package struct InsertionMatching<Rows: UniqueRows> {
    private let changes: ChangeSet
    private let rows: Rows
    private let permanent: PermanentIDs
    /// The insertions' identities.
    package private(set) var inserted: [SavedRows.Inserted]
    /// Positions of insertions whose values go into rows that are there.
    package private(set) var existing: Set<Int> = []
    /// Positions of insertions that are not written.
    package private(set) var superseded: Set<Int> = []
    /// Identities of insertions that took a place, as the change set names them.
    package private(set) var replaced: Set<ObjectID> = []
    private var taken: Set<ObjectID> = []
    private var claims: [Rows.Key: Int] = [:]

    /// - Parameters:
    ///   - inserted: an identity for each insertion, used by those that are new rows.
    ///   - permanent: the same as a table, which is kept up.
    /// - Throws: `UniqueViolation` where the change set's rule refuses, for all insertions that may not take a place by the first
    ///   constraint that is broken so; whether they break others is seen once these gave way. What `rows` throws.
    /// - Complexity: One lookup for each insertion and constraint, two where the rule refuses.
    package init(
        of changes: ChangeSet, _ inserted: [SavedRows.Inserted], _ permanent: PermanentIDs, in rows: Rows
    ) throws {
        self.changes = changes
        self.inserted = inserted
        self.permanent = permanent
        self.rows = rows
        try refuseCollisions()
        try match()
    }

    private mutating func match() throws {
        for (index, insertion) in changes.insertions.enumerated() {
            let keys = keys(of: insertion)
            if let (key, earlier) = claim(among: keys) {
                try refuse(insertion, by: key)
                superseded.insert(earlier)
                if existing.contains(earlier) { existing.insert(index) }
                take(inserted[earlier].id, for: index)
            } else if let (key, id) = try row(among: keys) {
                // One that refers to an insertion which took a place may equal another row only since then.
                try refuse(insertion, by: key)
                existing.insert(index)
                taken.insert(id)
                take(id, for: index)
            }
            for key in keys { claims[key] = index }
        }
    }

    private mutating func take(_ id: ObjectID, for index: Int) {
        replaced.insert(changes.insertions[index].id)
        permanent[changes.insertions[index].id] = id
        inserted[index].id = id
        inserted[index].replaced = true
    }

    private func claim(among keys: [Rows.Key]) -> (key: Rows.Key, place: Int)? {
        for key in keys {
            if let place = claims[key], !superseded.contains(place) { return (key, place) }
        }
        return nil
    }

    private func row(among keys: [Rows.Key]) throws -> (key: Rows.Key, id: ObjectID)? {
        for key in keys {
            if let row = try rows.row(with: key), !taken.contains(row) { return (key, row) }
        }
        return nil
    }

    private func keys(of insertion: ChangeSet.Insertion) -> [Rows.Key] {
        rows.uniqueKeys(of: insertion) { value in
            if case .reference(let id) = value, let known = permanent[id] { .reference(known) } else { value }
        }
    }

    // MARK: Refusing

    private func refuseCollisions() throws {
        guard changes.constraints == .refuse else { return }
        var claims: Set<Rows.Key> = []
        var broken: Rows.Key?
        var ids: [ObjectID] = []
        for insertion in changes.insertions {
            for key in keys(of: insertion) where broken.map({ rows.isOfSameConstraint($0, as: key) }) ?? true {
                let isFirst = claims.insert(key).inserted
                guard try !isFirst || rows.row(with: key) != nil, !mayReplace(insertion, by: key) else { continue }
                broken = key
                ids.append(insertion.id)
                break
            }
        }
        if let broken { throw rows.violation(of: broken, ids) }
    }

    private func refuse(_ insertion: ChangeSet.Insertion, by key: Rows.Key) throws {
        if !mayReplace(insertion, by: key) { throw rows.violation(of: key, [insertion.id]) }
    }

    private func mayReplace(_ insertion: ChangeSet.Insertion, by key: Rows.Key) -> Bool {
        guard changes.constraints == .refuse else { return true }
        if changes.replacements.isEmpty { return false }
        let properties = rows.violation(of: key, []).properties
        return changes.replacements.contains(ChangeSet.Replacement(id: insertion.id, properties: properties))
    }
}
