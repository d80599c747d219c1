/// The unique values of a store's rows, by which `InsertionMatching` finds upserts.
package protocol UniqueRows {
    /// Rows of one entity must not have equal values of a constraint.
    associatedtype Constraint: RowConstraint

    var changes: ChangeSet { get }

    /// Returns the constraints of an entity and its superentities.
    func constraints(of entityIndex: Int) -> [Constraint]

    /// Returns the unique values of a row; `nil` for a row to which the constraint does not apply.
    /// - Parameter value: Returns the row's value of a slot.
    func values(of constraint: Constraint, _ entityIndex: Int, _ value: (Int) -> Value) -> [Value]?

    /// Returns the row with the key, among those of the key's entity.
    func row(with key: UniqueKey<Constraint>) throws -> ObjectID?

    func violation(of key: UniqueKey<Constraint>, _ ids: [ObjectID]) -> UniqueViolation
}

extension UniqueRows {
    /// Returns the keys by which an insertion may match another row.
    /// - Parameter resolved: Returns the value that is written for a value.
    func uniqueKeys(of insertion: ChangeSet.Insertion, resolved: (Value) -> Value) -> [UniqueKey<Constraint>] {
        constraints(of: insertion.entityIndex)
            .filter { changes.constraints != .updateEqual || !$0.isOfOwners }
            .compactMap { constraint in
                values(of: constraint, insertion.entityIndex) { resolved(insertion.values[$0]) }.map {
                    UniqueKey(entityIndex: insertion.entityIndex, constraint: constraint, values: $0)
                }
            }
    }
}

/// Upserts: finds the row that each insertion belongs to, by the uniqueness constraints of its entity, as if the
/// insertions were written one after the other: an existing row, or that of an earlier insertion, which is then
/// overwritten. A replaced row has the values of the last insertion; its earlier values match no other row.
package struct InsertionMatching<Rows: UniqueRows> {
    private typealias Key = UniqueKey<Rows.Constraint>

    private let changes: ChangeSet
    private let rows: Rows
    private let permanent: PermanentIDs
    /// The identities and versions of the insertions' rows.
    package private(set) var inserted: [SavedRows.Inserted]
    /// Positions of insertions that update existing rows.
    package private(set) var existing: Set<Int> = []
    /// Positions of insertions that are not written.
    package private(set) var overwritten: Set<Int> = []
    /// Identities of insertions that replaced a row, as in the change set.
    package private(set) var replaced: Set<ObjectID> = []
    private var claimedRows: Set<ObjectID> = []
    private var claims: [Key: Int] = [:]

    /// - Parameters:
    ///   - inserted: An identity for each insertion, used for those that are new rows.
    ///   - permanent: The same identities as a table, which is updated.
    /// - Throws: `UniqueViolation` if the change set's rule refuses a replacement: for all insertions that violate the
    ///   first violated constraint. Violations of other constraints are found once these are resolved. Also the errors
    ///   of `rows`.
    /// - Complexity: One lookup for each insertion and constraint, two if the rule refuses replacements.
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
                overwritten.insert(earlier)
                if existing.contains(earlier) { existing.insert(index) }
                claimRow(inserted[earlier].id, for: index)
            } else if let (key, id) = try row(among: keys) {
                // Only the resolved reference to an insertion that replaced a row may make two rows equal.
                try refuse(insertion, by: key)
                existing.insert(index)
                claimedRows.insert(id)
                claimRow(id, for: index)
            }
            for key in keys { claims[key] = index }
        }
    }

    private mutating func claimRow(_ id: ObjectID, for index: Int) {
        replaced.insert(changes.insertions[index].id)
        permanent[changes.insertions[index].id] = id
        inserted[index].id = id
        inserted[index].replaced = true
    }

    private func claim(among keys: [Key]) -> (key: Key, place: Int)? {
        for key in keys {
            if let place = claims[key], !overwritten.contains(place) { return (key, place) }
        }
        return nil
    }

    private func row(among keys: [Key]) throws -> (key: Key, id: ObjectID)? {
        for key in keys {
            if let row = try rows.row(with: key), !claimedRows.contains(row) { return (key, row) }
        }
        return nil
    }

    private func keys(of insertion: ChangeSet.Insertion) -> [Key] {
        rows.uniqueKeys(of: insertion) { value in
            if case .reference(let id) = value, let known = permanent[id] { .reference(known) } else { value }
        }
    }

    // MARK: Refusing

    private func refuseCollisions() throws {
        guard changes.constraints == .refuse else { return }
        var claims: Set<Key> = []
        var broken: Key?
        var ids: [ObjectID] = []
        for insertion in changes.insertions {
            for key in keys(of: insertion) where broken.map({ $0.isOfSameConstraint(as: key) }) ?? true {
                let isFirst = claims.insert(key).inserted
                guard try !isFirst || rows.row(with: key) != nil, !mayReplace(insertion, by: key) else { continue }
                broken = key
                ids.append(insertion.id)
                break
            }
        }
        if let broken { throw rows.violation(of: broken, ids) }
    }

    private func refuse(_ insertion: ChangeSet.Insertion, by key: Key) throws {
        if !mayReplace(insertion, by: key) { throw rows.violation(of: key, [insertion.id]) }
    }

    private func mayReplace(_ insertion: ChangeSet.Insertion, by key: Key) -> Bool {
        guard changes.constraints == .refuse else { return true }
        if changes.replacements.isEmpty { return false }
        let properties = rows.violation(of: key, []).properties
        return changes.replacements.contains(ChangeSet.Replacement(id: insertion.id, properties: properties))
    }
}
