import ObjectGraph

/// Links, by the cardinalities of a relationship and its inverse:
/// 1. To-one: a reference of the row.
/// 2. To-many with a to-one inverse: the members' references along it.
/// 3. To-many without an inverse: the members' references along the relationship itself, to their one owner.
/// 4. To-many with a to-many inverse: `joins`.
extension Rows {
    /// Returns the relationship along which the members of a to-many relationship refer to their owner; `nil` if they
    /// are joined.
    func memberReference(_ relationship: EntityRelationship) -> EntityRelationship? {
        guard let inverse = model.inverse(of: relationship) else { return relationship }
        return inverse.isToOne ? inverse : nil
    }

    func relationship(_ place: RelationshipPlace) -> EntityRelationship {
        model[place.entityIndex].relationships[place.index]
    }

    // MARK: References

    /// Whether rows have a reference along the relationship.
    func isReference(_ relationship: EntityRelationship) -> Bool {
        !relationship.relationship.isTransient
            && (relationship.isToOne || memberReference(relationship)?.isToOne == false)
    }

    /// Returns a row's reference: the destination of a to-one relationship, or its owner along a to-many relationship
    /// without an inverse.
    func reference(_ relationship: EntityRelationship, of row: Row) -> ObjectID? {
        guard let slot = relationship.slot else { return row.owners[relationship.place] }
        guard isKind(row, of: relationship.declaringIndex), case .reference(let id) = row.values[slot]
        else { return nil }
        return id
    }

    /// Returns the row that a reference refers to, even if it does not exist.
    func target(_ relationship: EntityRelationship, of row: Row) -> RowName? {
        reference(relationship, of: row).flatMap(name)
    }

    /// Returns the place in a list that a row has because of its reference.
    func link(_ relationship: EntityRelationship, of row: Row, _ name: RowName) -> Link? {
        let list = relationship.isToOne ? model.inverse(of: relationship) : relationship
        guard let list, let owner = target(relationship, of: row) else { return nil }
        return Link(relationship: list.place, owner: owner, member: name)
    }

    mutating func leaveList(_ relationship: EntityRelationship, _ row: Row, _ name: RowName) {
        if let link = link(relationship, of: row, name) { positions[link] = nil }
    }

    /// Sets a row's reference. A row that leaves its owner loses its position in the owner's list.
    mutating func setReference(_ relationship: EntityRelationship, of name: RowName, to id: ObjectID?) {
        guard var row = self[name] else { return }
        leaveList(relationship, row, name)
        if let slot = relationship.slot {
            row.values[slot] = id.map(Value.reference) ?? .null
        } else {
            row.owners[relationship.place] = id
        }
        self[name] = row
    }

    /// Returns rows whose to-one relationship refers to one of these.
    func referencingRows(of relationship: EntityRelationship, referringTo isWanted: (RowName) -> Bool) -> [RowName] {
        all(relationship.declaringIndex).filter { target(relationship, of: $0.row).map(isWanted) ?? false }.map(\.name)
    }

    // MARK: Lists

    /// Returns the existing rows that a row's relationship refers to, in the order of its list if it is ordered,
    /// otherwise in key order. Members that were never ordered come first.
    func destinations(of owner: RowName, _ relationship: EntityRelationship) -> [RowName] {
        let found: [RowName]
        if relationship.relationship.isTransient { return [] }
        if relationship.isToOne {
            found = [self[owner].flatMap { target(relationship, of: $0) }].compactMap { $0 }
        } else if let reference = memberReference(relationship) {
            found = rows.filter { target(reference, of: $0.value) == owner }.map(\.key)
        } else {
            found = joins.filter { $0.relationship == relationship.place && $0.owner == owner }.map(\.member)
        }
        return found.filter { self[$0] != nil }
            .map { ($0, positions[Link(relationship: relationship.place, owner: owner, member: $0)] ?? .min) }
            .sorted { ($0.1, $0.0.key) < ($1.1, $1.0.key) }.map(\.0)
    }

    /// Returns a link of a many-to-many relationship, as seen from either end.
    func ends(_ relationship: EntityRelationship, _ owner: RowName, _ member: RowName) -> [Link] {
        let link = Link(relationship: relationship.place, owner: owner, member: member)
        guard let inverse = model.inverse(of: relationship), inverse.place != relationship.place else { return [link] }
        return [link, Link(relationship: inverse.place, owner: member, member: owner)]
    }

    /// Whether a link of a many-to-many relationship is seen from the first of its ends in the model.
    func isFirstEnd(_ link: Link) -> Bool {
        let relationship = relationship(link.relationship)
        guard let inverse = model.inverse(of: relationship) else { return true }
        return (relationship.declaringIndex, relationship.index) <= (inverse.declaringIndex, inverse.index)
    }

    /// Adds and removes members of a to-many relationship whose links are not its inverse's references, and sets the
    /// order of an ordered one. Existing links are kept. Rows that do not exist are not linked, because nothing would
    /// remove the link.
    mutating func write(_ change: MemberChange) {
        let (relationship, owner) = (change.relationship, change.owner)
        if relationship.relationship.isTransient { return }
        let added = self[owner] == nil ? [] : change.added.filter { self[$0] != nil }
        if isReference(relationship) {
            let members = Set(destinations(of: owner, relationship))
            for member in change.removed where members.contains(member) {
                setReference(relationship, of: member, to: nil)
            }
            for member in added where !members.contains(member) {
                setReference(relationship, of: member, to: id(owner))
            }
        } else if memberReference(relationship) == nil {
            for link in change.removed.flatMap({ ends(relationship, owner, $0) }) { remove(link) }
            joins.formUnion(added.flatMap { ends(relationship, owner, $0) })
        }
        if let order = change.order { put(order, inOrderOf: relationship, owner) }
    }

    mutating func remove(_ link: Link) {
        joins.remove(link)
        positions[link] = nil
    }

    /// Sets the order of members. Members that another context added are not in the change set; they keep a position of
    /// their own.
    private mutating func put(_ order: [RowName], inOrderOf relationship: EntityRelationship, _ owner: RowName) {
        let links = destinations(of: owner, relationship).map {
            Link(relationship: relationship.place, owner: owner, member: $0)
        }
        var existing: [Int64: Int64] = [:]
        for link in links { existing[link.member.key] = positions[link] }
        let wanted = OrderKeys.order(order.map(\.key), among: existing)
        for (key, position) in OrderKeys.changes(order: wanted, existing: existing) {
            if let link = links.first(where: { $0.member.key == key }) { positions[link] = position }
        }
    }
}

/// Added and removed members of one row.
struct MemberChange {
    let relationship: EntityRelationship
    let owner: RowName
    var added: [RowName] = []
    var removed: [RowName] = []
    /// All members in order, for an ordered relationship.
    var order: [RowName]?
}
