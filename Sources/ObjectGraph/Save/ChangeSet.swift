/// Everything one save hands to a store. References may be temporary identifiers of this change set's own insertions;
/// the store resolves them.
package struct ChangeSet: Sendable {
    package var insertions: [Insertion] = []
    package var updates: [Update] = []
    package var deletions: [Deletion] = []
    package var links: [LinkChange] = []
    /// Rows that are to be as expected and are not written.
    package var watched: [Watch] = []
    /// Planned and carried out by the store, after the deletions and before the updates.
    package var bulkDelete: DeleteRequest?
    /// Written to the history transaction.
    package var author: String?
    /// Name of the context that saves; written there too.
    package var contextName: String?
    /// What becomes of rows that a uniqueness constraint forbids.
    package var constraints = ConstraintRule.updateExisting
    /// New rows that may take another one's place although the rule refuses it.
    package var replacements: Set<Replacement> = []

    package init() {}

    package var isEmpty: Bool { writesNothing && watched.isEmpty }

    package var writesNothing: Bool {
        insertions.isEmpty && updates.isEmpty && deletions.isEmpty && links.isEmpty && bulkDelete == nil
    }

    /// A new row.
    package struct Insertion: Sendable {
        /// Temporary.
        package var id: ObjectID
        package var entityIndex: Int
        package var values: SlotValues

        package init(id: ObjectID, entityIndex: Int, values: SlotValues) {
            self.id = id
            self.entityIndex = entityIndex
            self.values = values
        }
    }

    /// Leave for a new row to update the one that has the same values of one constraint.
    package struct Replacement: Sendable, Hashable {
        /// Of the insertion.
        package let id: ObjectID
        /// The constraint's, as `UniqueViolation` names them.
        package let properties: [String]

        package init(id: ObjectID, properties: [String]) {
            self.id = id
            self.properties = properties
        }
    }

    /// A row whose values changed, or (with no changed slot) whose to-many relationships did.
    package struct Update: Sendable {
        package var id: ObjectID
        package var entityIndex: Int
        /// The row version the edits were made on.
        package var expectedVersion: RowVersion
        package var values: SlotValues
        /// Ascending.
        package var changedSlots: [Int]
        /// Positions in `Entity.relationships` of the to-many relationships that gained or lost members.
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
        package var id: ObjectID
        package var entityIndex: Int
        package var expectedVersion: RowVersion

        package init(id: ObjectID, entityIndex: Int, expectedVersion: RowVersion) {
            self.id = id
            self.entityIndex = entityIndex
            self.expectedVersion = expectedVersion
        }
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

    /// Members gained and lost by one to-many relationship that is not stored as the to-one key of its inverse: a
    /// many-to-many relationship (told once, from either side), or one without inverse. An ordered relationship is
    /// told whatever its storage, with all its members in `order`.
    package struct LinkChange: Sendable {
        package var owner: ObjectID
        package var ownerEntityIndex: Int
        /// Position in the owner's `Entity.relationships`.
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

/// What becomes of a new row when another one has what must be unique.
package enum ConstraintRule: Sendable, Hashable {
    /// Its values go into the row that is there.
    case updateExisting
    /// The same, unless the two have nothing in common but a destination that may have one owner only: then nothing is
    /// written.
    case updateEqual
    /// Nothing is written, but where `ChangeSet.replacements` gives leave.
    case refuse
}

/// What a store did with a change set.
package enum SaveResult: Sendable {
    case saved(SavedRows)
    /// Nothing was written.
    case conflicts([Conflict])
}

package struct SavedRows: Sendable {
    /// One per insertion, in its order: the row's identity and its version. When a uniqueness constraint made the
    /// insertion an update of an existing row, `replaced` tells so.
    package var inserted: [Inserted] = []
    /// New row versions, one per update, in its order. Rows that the bulk delete took have none that counts.
    package var updatedVersions: [RowVersion] = []
    /// Rows beside those of the change set whose one-to-one relationship the store had to change.
    package var unlinked: [Unlinked] = []
    /// What the bulk delete did.
    package var bulkDeletes = DeletePlan()
    /// Number of the history transaction, when one was written.
    package var transactionNumber: Int64?

    package init() {}

    package struct Inserted: Sendable {
        package var id: ObjectID
        package var version: RowVersion
        package var replaced: Bool

        package init(id: ObjectID, version: RowVersion, replaced: Bool) {
            self.id = id
            self.version = version
            self.replaced = replaced
        }
    }
}

extension SavedRows {
    /// A row whose to-one relationship is nil now, or leads back to a row that was written.
    package struct Unlinked: Sendable {
        package var id: ObjectID
        /// Position in `Entity.relationships`.
        package var relationshipIndex: Int
        /// `nil` for none.
        package var destination: ObjectID?
        /// The row's version since.
        package var version: RowVersion

        package init(id: ObjectID, relationshipIndex: Int, destination: ObjectID? = nil, version: RowVersion) {
            self.id = id
            self.relationshipIndex = relationshipIndex
            self.destination = destination
            self.version = version
        }
    }
}

/// A row that is not as the change set expected it.
package struct Conflict: Sendable, Hashable {
    package var id: ObjectID
    package var expectedVersion: RowVersion
    /// The row as it is now; `nil` when it is gone.
    package var stored: Snapshot?
    /// Whether it is about a row outside the change set that leads to one which was to go.
    package var leadsToDeleted = false

    package init(id: ObjectID, expectedVersion: RowVersion, stored: Snapshot?) {
        self.id = id
        self.expectedVersion = expectedVersion
        self.stored = stored
    }

    /// A row that leads to one which was to go.
    package init(leadingToDeleted stored: Snapshot) {
        self.init(id: stored.id, expectedVersion: stored.version, stored: stored)
        leadsToDeleted = true
    }
}
