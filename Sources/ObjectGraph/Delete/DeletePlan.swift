/// The complete effect of a deletion, determined before anything is written: the deleted rows, the survivors that lose
/// links, and the refusals. Executing it needs nothing else.
package struct DeletePlan: Sendable, Hashable {
    /// The requested rows.
    package var roots = RowSet()
    /// All deleted rows, including roots.
    package var deleted = RowSet()
    /// The number of rows reached on each path, in the order in which they were found; the roots are first.
    package var reaches: [CascadePath] = []
    /// Survivors that lose a link.
    package var cleared: [NullifiedLink] = []
    /// Deleted links in join tables, by relationship of the deleted rows.
    package var removedJoinRows: [RemovedJoinRows] = []
    /// Links in join tables that are deleted before the rows at their ends; only in parts of a long deletion.
    package var cut: [RemovedJoinLinks] = []
    /// The reasons why the deletion is refused; empty if it is not.
    package var refusals: [DeleteRefusal] = []

    package init() {}

    /// All survivors, each once.
    package var updated: RowSet {
        var rows = RowSet()
        for link in cleared { rows.insert(link.keys, in: link.space) }
        return rows
    }

    /// Whether the plan changes nothing. A plan that only removes links is a part of a long deletion.
    package var isEmpty: Bool { deleted.isEmpty && cleared.isEmpty }
    package var isRefused: Bool { !refusals.isEmpty }

    /// Appends another store's part of the same deletion.
    package mutating func append(_ other: DeletePlan) {
        roots.formUnion(other.roots)
        deleted.formUnion(other.deleted)
        reaches += other.reaches
        cleared += other.cleared
        removedJoinRows += other.removedJoinRows
        cut += other.cut
        refusals += other.refusals
    }
}

/// Rows of one entity that one cascade path reached.
package struct CascadePath: Sendable, Hashable {
    /// The rows' own entity.
    package let entity: String
    /// The cascade that reached the rows; `nil` for the roots.
    package let via: RelationshipName?
    package var count: Int
}

/// Surviving rows of one entity whose relationship loses a destination.
package struct NullifiedLink: Sendable, Hashable {
    package let space: IDSpace
    /// The position in the survivors' `Entity.relationships`.
    package let relationshipIndex: Int
    /// The slot of the survivors' relationship, if it is to-one.
    package let slot: Int?
    package let name: RelationshipName
    package let kind: Kind
    package let keys: KeySet

    package enum Kind: Sendable, Hashable {
        /// A to-one relationship becomes nil.
        case toOne
        /// A to-many relationship loses members.
        case toMany
    }

    package init(
        space: IDSpace, relationshipIndex: Int, slot: Int?, name: RelationshipName, kind: Kind, keys: KeySet
    ) {
        self.space = space
        self.relationshipIndex = relationshipIndex
        self.slot = slot
        self.name = name
        self.kind = kind
        self.keys = keys
    }

    /// The survivors.
    package var rows: RowSet {
        var rows = RowSet()
        rows.insert(keys, in: space)
        return rows
    }

    /// - Returns: `nil` if no survivors are left.
    func without(_ survivors: KeySet) -> NullifiedLink? {
        let rest = keys.subtracting(survivors)
        if rest.isEmpty { return nil }
        return NullifiedLink(
            space: space, relationshipIndex: relationshipIndex, slot: slot, name: name, kind: kind, keys: rest)
    }
}

/// A relationship whose join rows are deleted with its owners.
package struct RemovedJoinRows: Sendable, Hashable {
    package let name: RelationshipName
    package let count: Int

    package init(name: RelationshipName, count: Int) {
        self.name = name
        self.count = count
    }
}

/// Links of one row in a join table that are deleted while the rows at both ends stay.
package struct RemovedJoinLinks: Sendable, Hashable {
    /// The relationship of the row.
    package let place: RelationshipPlace
    /// The primary key of the row.
    package let owner: Int64
    package let members: KeySet

    package init(place: RelationshipPlace, owner: Int64, members: KeySet) {
        self.place = place
        self.owner = owner
        self.members = members
    }
}

/// One reason why a deletion is refused, without text; the faces add Apple's codes and words.
package struct DeleteRefusal: Sendable, Hashable {
    package let reason: Reason
    /// The relationship of the rows to be deleted.
    package let relationship: RelationshipName
    /// The number of rows that prevent the deletion.
    package let count: Int
    /// At most five of the rows.
    package let examples: [ObjectID]

    package enum Reason: Sendable, Hashable {
        /// The relationship's rule is deny, and it has surviving destinations.
        case denied
        /// Surviving destinations would lose the only destination of this mandatory inverse.
        case mandatory(inverse: RelationshipName, shape: Shape)
        /// Surviving destinations would have fewer destinations than this inverse requires.
        case tooFew(inverse: RelationshipName, minimum: Int)
    }

    /// The cardinalities of the relationship and its inverse.
    package enum Shape: String, Sendable, Hashable {
        case oneToOne, oneToMany, manyToMany
    }

    static let exampleCount = 5
}

extension DeleteRefusal: CustomStringConvertible {
    package var description: String {
        let objects =
            examples.map(\.uriText).joined(separator: ", ") + (count > examples.count ? ", …" : "")
        let subject = "\(count.grouped) object\(count == 1 ? "" : "s") (\(objects))"
        switch reason {
        case .denied:
            return "'\(relationship)' denies the delete while it references \(subject); delete or unlink them first."
        case .mandatory(let inverse, _):
            return "'\(inverse)' must have a value and would be left empty in \(subject) by '\(relationship)'; "
                + "delete them too, point them elsewhere, or make '\(inverse)' optional."
        case .tooFew(let inverse, let minimum):
            return "'\(inverse)' needs at least \(minimum) and would have fewer in \(subject) by '\(relationship)'; "
                + "delete them too or link others first."
        }
    }
}

/// A deletion that was refused. Nothing was written.
package enum DeleteError: Error, Hashable {
    case refused([DeleteRefusal])
    case tooManyRows(count: Int, limit: Int)
    /// The store has changed since the plan was made, and so has the plan.
    case storeMoved
    /// The rows to delete depend on unsaved changes.
    case unsavedChanges
}

extension DeleteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(let refusals):
            "Nothing was deleted. " + refusals.prefix(5).map(\.description).joined(separator: " ")
        case .tooManyRows(let count, let limit):
            "Nothing was deleted: \(count.grouped) rows would be, and at most \(limit.grouped) may be. Narrow the request or raise the "
                + "limit."
        case .storeMoved:
            "Nothing was deleted: the store changed after the plan was made, and the plan no longer says what would "
                + "happen. Make the plan again."
        case .unsavedChanges:
            "Nothing was deleted: the rows to delete may depend on unsaved changes. Save first."
        }
    }
}
