/// What a delete does, worked out before anything is written: the sets of rows that go and that are cut loose, and what
/// stands in the way. Carrying it out needs nothing else.
package struct DeletePlan: Sendable, Hashable {
    /// The rows asked for.
    package var roots = RowSet()
    /// Rows that go, roots included.
    package var deleted = RowSet()
    /// How many rows each path of the rules led to, in the order they were found; the first are the roots.
    package var reaches: [DeleteReach] = []
    /// Survivors that lose a link.
    package var cleared: [ClearedLink] = []
    /// Links in join tables that go, by relationship of the row that goes.
    package var unlinked: [UnlinkedRelationship] = []
    /// Links in join tables that go before any row at their ends does; only in parts of a long delete.
    package var cut: [CutLinks] = []
    /// Why it cannot be done; empty when it can.
    package var refusals: [DeleteRefusal] = []

    package init() {}

    /// Survivors, whatever number of links each loses.
    package var updated: RowSet {
        var rows = RowSet()
        for link in cleared { rows.insert(link.keys, in: link.space) }
        return rows
    }

    /// Whether it changes nothing. What clears links, but deletes nothing, is a part of a long delete.
    package var isEmpty: Bool { deleted.isEmpty && cleared.isEmpty }
    package var isRefused: Bool { !refusals.isEmpty }

    /// Another store's part of the same delete.
    package mutating func append(_ other: DeletePlan) {
        roots.formUnion(other.roots)
        deleted.formUnion(other.deleted)
        reaches += other.reaches
        cleared += other.cleared
        unlinked += other.unlinked
        cut += other.cut
        refusals += other.refusals
    }
}

/// Rows of one entity that one path led to.
package struct DeleteReach: Sendable, Hashable {
    /// Own entity of the rows.
    package let entity: String
    /// The cascade that led there; `nil` for the roots.
    package let via: RelationshipName?
    package var count: Int
}

/// Surviving rows of one entity whose relationship loses a destination.
package struct ClearedLink: Sendable, Hashable {
    package let space: IDSpace
    /// Position in the survivors' `Entity.relationships`.
    package let relationshipIndex: Int
    /// The survivors' slot of a to-one relationship.
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

    /// - Returns: `nil` where no survivors are left.
    func without(_ survivors: KeySet) -> ClearedLink? {
        let rest = keys.subtracting(survivors)
        if rest.isEmpty { return nil }
        return ClearedLink(
            space: space, relationshipIndex: relationshipIndex, slot: slot, name: name, kind: kind, keys: rest)
    }
}

/// A relationship whose join rows go with its owners.
package struct UnlinkedRelationship: Sendable, Hashable {
    package let name: RelationshipName
    package let count: Int

    package init(name: RelationshipName, count: Int) {
        self.name = name
        self.count = count
    }
}

/// Links of one row in a join table that go while the rows at both ends stay.
package struct CutLinks: Sendable, Hashable {
    /// The relationship of the row.
    package let place: RelationshipPlace
    /// The row's key.
    package let owner: Int64
    package let members: KeySet

    package init(place: RelationshipPlace, owner: Int64, members: KeySet) {
        self.place = place
        self.owner = owner
        self.members = members
    }
}

/// One reason why a delete cannot be done: facts only; the faces give it Apple's codes and words.
package struct DeleteRefusal: Sendable, Hashable {
    package let reason: Reason
    /// The relationship of the rows that were to go.
    package let relationship: RelationshipName
    /// How many rows stand in the way.
    package let count: Int
    /// At most five of them.
    package let examples: [ObjectID]

    package enum Reason: Sendable, Hashable {
        /// The relationship's rule is deny, and it has destinations that stay.
        case denied
        /// Destinations that stay would lose one they must have: the inverse, by name.
        case mandatory(inverse: RelationshipName, shape: Shape)
        /// Destinations that stay would have fewer than the inverse asks for.
        case tooFew(inverse: RelationshipName, minimum: Int)
    }

    /// Cardinalities of the relationship and its inverse.
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
            return "'\(relationship)' denies the delete while it leads to \(subject); delete or unlink them first."
        case .mandatory(let inverse, _):
            return "'\(inverse)' must have a value and would be left empty in \(subject) by '\(relationship)'; "
                + "delete them too, point them elsewhere, or make '\(inverse)' optional."
        case .tooFew(let inverse, let minimum):
            return "'\(inverse)' needs at least \(minimum) and would have fewer in \(subject) by '\(relationship)'; "
                + "delete them too or link others first."
        }
    }
}

/// A delete that cannot be done. Nothing was written.
package enum DeleteError: Error, Hashable {
    case refused([DeleteRefusal])
    case tooManyRows(count: Int, limit: Int)
    /// The store is not as it was when the plan was made, and the same plan would now be another one.
    case storeMoved
    /// What would go depends on unsaved work.
    case unsavedWork
}

extension DeleteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(let refusals):
            "Nothing was deleted. " + refusals.prefix(5).map(\.description).joined(separator: " ")
        case .tooManyRows(let count, let limit):
            "Nothing was deleted: \(count.grouped) rows would go, and at most \(limit.grouped) may. Narrow the request or raise the "
                + "limit."
        case .storeMoved:
            "Nothing was deleted: the store changed after the plan was made, and the plan no longer says what would "
                + "happen. Make the plan again."
        case .unsavedWork:
            "Nothing was deleted: unsaved work may change what would go. Save first."
        }
    }
}
