/// A save of a store that writes the insertions of a change set.
package protocol InsertionWriting: UniqueRows, InverseMaintenance {
    var changes: ChangeSet { get }
    var saved: SavedRows { get set }

    /// Rewrites the updates' references to insertions that turned out to be existing rows.
    mutating func redirectReferences(to replaced: Set<ObjectID>) throws

    /// - Parameters:
    ///   - existing: Positions of insertions that update existing rows.
    ///   - overwritten: Positions of insertions that are not written.
    mutating func insert(replacing existing: Set<Int>, without overwritten: Set<Int>) throws
}

extension InsertionWriting {
    /// Writes the insertions, each to the row that it belongs to.
    package mutating func insertMatching() throws {
        let found = try InsertionMatching(of: changes, saved.inserted, permanent, in: self)
        saved.inserted = found.inserted
        if !found.replaced.isEmpty { try redirectReferences(to: found.replaced) }
        try insert(replacing: found.existing, without: found.overwritten)
        saved.adoptVersions(ofOverwritten: found.overwritten)
        try unlinkFormerDestinations(except: found.overwritten)
    }
}

/// Stores that compare rows by the model's constraints.
extension InsertionWriting where Constraint == UniqueConstraint {
    package func constraints(of entityIndex: Int) -> [UniqueConstraint] {
        model.uniqueConstraints(of: model[entityIndex])
    }

    package func values(
        of constraint: UniqueConstraint, _ entityIndex: Int, _ value: (Int) -> Value
    ) -> [Value]? {
        constraint.values(value)
    }

    package func violation(of key: UniqueKey<UniqueConstraint>, _ ids: [ObjectID]) -> UniqueViolation {
        UniqueViolation(of: key.constraint, model[key.entityIndex], ids: ids)
    }
}
