/// The changes that one save passes to a store. References may use temporary identifiers of this change set's
/// insertions; the store resolves them.
package struct ChangeSet: Sendable {
    package var insertions: [Insertion] = []
    package var updates: [Update] = []
    package var deletions: [Deletion] = []
    package var links: [LinkChange] = []
    /// Rows that must be unchanged and are not written.
    package var watched: [Watch] = []
    /// Planned and executed by the store, after the deletions and before the updates.
    package var bulkDelete: DeleteRequest?
    /// Written to the history transaction.
    package var author: String?
    /// The name of the saving context; written to the history transaction.
    package var contextName: String?
    /// The handling of rows that violate a uniqueness constraint.
    package var constraints = ConstraintRule.updateExisting
    /// New rows that may replace others although the rule refuses that.
    package var replacements: Set<Replacement> = []

    package init() {}

    package var isEmpty: Bool { writesNothing && watched.isEmpty }

    /// The number of rows to write, apart from the bulk delete and join rows.
    package var rowCount: Int { insertions.count + updates.count + deletions.count }

    package var writesNothing: Bool {
        insertions.isEmpty && updates.isEmpty && deletions.isEmpty && links.isEmpty && bulkDelete == nil
    }

    /// Whether there is only a bulk delete, of rows that others have deleted since. Its save writes no transaction.
    /// - Complexity: One read for each entity of the rows.
    package func deletesNothing(_ reading: some DeleteReading) throws -> Bool {
        guard case .rows(let rows)? = bulkDelete?.roots, rowCount == 0, links.isEmpty else { return false }
        return try reading.existing(rows).isEmpty
    }

    /// A new row.
    package struct Insertion: Sendable {
        /// A temporary identity.
        package var id: ObjectID
        package var entityIndex: Int
        package var values: SlotValues

        package init(id: ObjectID, entityIndex: Int, values: SlotValues) {
            self.id = id
            self.entityIndex = entityIndex
            self.values = values
        }
    }

    /// Permission for a new row to update the one with equal values of one constraint.
    package struct Replacement: Sendable, Hashable {
        /// The identity of the insertion.
        package let id: ObjectID
        /// The properties of the constraint, as in `UniqueViolation`.
        package let properties: [String]

        package init(id: ObjectID, properties: [String]) {
            self.id = id
            self.properties = properties
        }
    }

    /// A row whose values changed, or (with no changed slots) whose to-many relationships did.
    package struct Update: Sendable {
        package var id: ObjectID
        package var entityIndex: Int
        /// The row version that the edits are based on.
        package var expectedVersion: RowVersion
        package var values: SlotValues
        /// Ascending.
        package var changedSlots: [Int]
        /// Positions in `Entity.relationships` of the to-many relationships with added or removed members.
        package var changedToMany: [Int]

        package init(
            id: ObjectID, entityIndex: Int, expectedVersion: RowVersion, values: SlotValues, changedSlots: [Int],
            changedToMany: [Int]
        ) {
            self.id = id
            self.entityIndex = entityIndex
            self.expectedVersion = expectedVersion
            self.values = values
            self.changedSlots = changedSlots
            self.changedToMany = changedToMany
        }
    }

    package struct Deletion: Sendable {
        private let key: Int64
        private let space: IDSpace
        private let entity: UInt32
        package let expectedVersion: RowVersion

        package init(id: ObjectID, entityIndex: Int, expectedVersion: RowVersion) {
            key = id.key
            space = id.space
            // There may be millions of deletions, and never as many entities.
            entity = UInt32(truncatingIfNeeded: entityIndex)
            self.expectedVersion = expectedVersion
        }

        package var id: ObjectID { ObjectID(space: space, key: key) }
        package var entityIndex: Int { Int(entity) }
    }

    /// A row that must not have changed when the others are written.
    package struct Watch: Sendable {
        package var id: ObjectID
        package var entityIndex: Int
        package var expectedVersion: RowVersion

        package init(id: ObjectID, entityIndex: Int, expectedVersion: RowVersion) {
            self.id = id
            self.entityIndex = entityIndex
            self.expectedVersion = expectedVersion
        }
    }

    /// Added and removed members of one to-many relationship that is not stored as the to-one key of its inverse: a
    /// many-to-many relationship (given once, from either side), or one without an inverse. For an ordered relationship
    /// in any storage, with all members in `order`.
    package struct LinkChange: Sendable {
        package var owner: ObjectID
        package var ownerEntityIndex: Int
        /// The position in the owner's `Entity.relationships`.
        package var relationshipIndex: Int
        package var added: [ObjectID]
        package var removed: [ObjectID]
        /// All members in order, for an ordered relationship.
        package var order: [ObjectID]?

        package init(
            owner: ObjectID, ownerEntityIndex: Int, relationshipIndex: Int, added: [ObjectID], removed: [ObjectID],
            order: [ObjectID]? = nil
        ) {
            self.owner = owner
            self.ownerEntityIndex = ownerEntityIndex
            self.relationshipIndex = relationshipIndex
            self.added = added
            self.removed = removed
            self.order = order
        }
    }
}

/// The handling of a new row whose unique values another row has.
package enum ConstraintRule: Sendable, Hashable {
    /// The existing row is updated with the new values.
    case updateExisting
    /// The existing row is updated, unless the two rows share nothing but a destination that may have one owner only;
    /// then nothing is written.
    case updateEqual
    /// Nothing is written, except for permitted `ChangeSet.replacements`.
    case refuse
}

/// The result of saving a change set.
package enum SaveResult: Sendable {
    case saved(SavedRows)
    /// Nothing was written.
    case conflicts([Conflict])
}

/// A row that differs from the change set's expectation.
package struct Conflict: Sendable, Hashable {
    package var id: ObjectID
    package var expectedVersion: RowVersion
    /// The stored row; `nil` if it does not exist.
    package var stored: Snapshot?
    /// Whether this is a row outside the change set that refers to a row to be deleted.
    package var refersToDeleted = false

    package init(id: ObjectID, expectedVersion: RowVersion, stored: Snapshot?) {
        self.id = id
        self.expectedVersion = expectedVersion
        self.stored = stored
    }

    /// Creates a conflict of a row that refers to a row to be deleted.
    package init(referringToDeleted stored: Snapshot) {
        self.init(id: stored.id, expectedVersion: stored.version, stored: stored)
        refersToDeleted = true
    }
}
