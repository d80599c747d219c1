import ObjectGraph

/// The storage of links, by the cardinalities of a relationship and its inverse:
/// 1. To-one: a reference in the row.
/// 2. To-many with a to-one inverse: no separate storage; the members' references are the links.
/// 3. To-many without an inverse: a member's reference to its owner, `Row.owners`.
/// 4. To-many with a to-many inverse: `Join`.
enum LinkStorage {
    case ownReference(slot: Int)
    case memberReference(EntityRelationship, slot: Int)
    case ownerOfMember
    case joins(JoinSide)
}

/// One of the two ends of a many-to-many relationship.
struct JoinSide: Hashable {
    /// The end that identifies the joins.
    let relationship: RelationshipPlace
    /// Whether this end identifies the joins.
    let isNaming: Bool

    func join(_ owner: RowName, _ member: RowName) -> Join {
        isNaming
            ? Join(relationship: relationship, owner: owner, member: member)
            : Join(relationship: relationship, owner: member, member: owner)
    }

    func owner(of join: Join) -> RowName { isNaming ? join.owner : join.member }
    func member(of join: Join) -> RowName { isNaming ? join.member : join.owner }

    /// Returns the position in this end's list.
    func place(in places: JoinPlaces) -> Int64? { isNaming ? places.ofMember : places.ofOwner }

    func set(_ place: Int64, in places: inout JoinPlaces) {
        if isNaming { places.ofMember = place } else { places.ofOwner = place }
    }
}

extension Rows {
    /// - Returns: `nil` for a transient relationship.
    func storage(of relationship: EntityRelationship) -> LinkStorage? {
        if relationship.relationship.isTransient { return nil }
        if let slot = relationship.slot { return .ownReference(slot: slot) }
        guard let inverse = model.inverse(of: relationship) else { return .ownerOfMember }
        if let slot = inverse.slot { return .memberReference(inverse, slot: slot) }
        let isNaming = (relationship.declaringIndex, relationship.name) <= (inverse.declaringIndex, inverse.name)
        return .joins(JoinSide(relationship: (isNaming ? relationship : inverse).place, isNaming: isNaming))
    }

    /// Returns the existing rows that a row's relationship refers to, in the order of its list if it is ordered,
    /// otherwise in key order. Members that were never ordered come first.
    func destinations(of owner: RowName, _ relationship: EntityRelationship) -> [RowName] {
        switch storage(of: relationship) {
        case nil: return []
        case .ownReference(let slot):
            return [rows[owner].flatMap { name($0.values[slot]) }].compactMap { $0 }.filter { rows[$0] != nil }
        case .memberReference, .ownerOfMember:
            let members = rows.filter { reference(of: $0.value, toOwnerBy: relationship) == owner }
            return inOrder(members.map { ($0.key, $0.value.places[relationship.place]) })
        case .joins(let side):
            let links = joins.filter { $0.key.relationship == side.relationship && side.owner(of: $0.key) == owner }
            return inOrder(links.map { (side.member(of: $0.key), side.place(in: $0.value)) })
        }
    }

    private func inOrder(_ members: [(name: RowName, place: Int64?)]) -> [RowName] {
        members.sorted { ($0.place ?? .min, $0.name.key) < ($1.place ?? .min, $1.name.key) }.map(\.name)
    }

    /// Returns the row whose list contains a member, if the member stores the link.
    private func reference(of member: Row, toOwnerBy relationship: EntityRelationship) -> RowName? {
        switch storage(of: relationship) {
        case .memberReference(let reference, let slot):
            isKind(member, of: reference.declaringIndex) ? name(member.values[slot]) : nil
        case .ownerOfMember: member.owners[relationship.place].flatMap(name)
        case nil, .ownReference, .joins: nil
        }
    }

    /// Returns rows whose to-one relationship refers to one of these.
    func referencingRows(of relationship: EntityRelationship, referringTo isWanted: (RowName) -> Bool) -> [RowName] {
        guard let slot = relationship.slot else { return [] }
        return all(relationship.declaringIndex).filter { name($0.row.values[slot]).map(isWanted) ?? false }.map(\.name)
    }

    // MARK: Writing

    /// Sets a row's to-one relationship. A row that leaves its owner loses its position in the owner's list.
    mutating func setReference(_ relationship: EntityRelationship, of name: RowName, to id: ObjectID?) {
        guard let slot = relationship.slot, var row = rows[name] else { return }
        row.values[slot] = id.map(Value.reference) ?? .null
        if let list = model.inverse(of: relationship) { row.places[list.place] = nil }
        self[name] = row
    }

    /// Adds and removes members of a to-many relationship whose links are not its inverse's references, and sets the
    /// order of an ordered one. Existing links are kept. Rows that do not exist are not linked, because nothing would
    /// remove the link.
    mutating func write(_ link: MemberChange) {
        let relationship = link.relationship
        switch storage(of: relationship) {
        case nil, .ownReference, .memberReference: break
        case .ownerOfMember:
            for member in link.removed where rows[member]?.owners[relationship.place].flatMap(name) == link.owner {
                self[member]?.owners[relationship.place] = nil
                self[member]?.places[relationship.place] = nil
            }
            let owner = id(link.owner)
            for member in link.added where owner != nil { self[member]?.owners[relationship.place] = owner }
        case .joins(let side):
            for member in link.removed { joins[side.join(link.owner, member)] = nil }
            for member in link.added where rows[member] != nil && rows[link.owner] != nil {
                let join = side.join(link.owner, member)
                joins[join] = joins[join] ?? JoinPlaces()
            }
        }
        if let order = link.order { put(order, inOrderOf: relationship, link.owner) }
    }

    /// Sets the order of members. Members that another context added are not in the change set; they keep a position of
    /// their own.
    private mutating func put(_ order: [RowName], inOrderOf relationship: EntityRelationship, _ owner: RowName) {
        let members = destinations(of: owner, relationship)
        var existing: [Int64: Int64] = [:]
        for member in members { existing[member.key] = place(of: member, in: relationship, owner) }
        let wanted = OrderKeys.order(order.map(\.key), among: existing)
        for (key, place) in OrderKeys.changes(order: wanted, existing: existing) {
            if let member = members.first(where: { $0.key == key }) {
                setPlace(place, of: member, in: relationship, owner)
            }
        }
    }

    private func place(of member: RowName, in relationship: EntityRelationship, _ owner: RowName) -> Int64? {
        guard case .joins(let side) = storage(of: relationship) else {
            return rows[member]?.places[relationship.place]
        }
        return joins[side.join(owner, member)].flatMap(side.place)
    }

    private mutating func setPlace(
        _ place: Int64, of member: RowName, in relationship: EntityRelationship, _ owner: RowName
    ) {
        guard case .joins(let side) = storage(of: relationship) else {
            self[member]?.places[relationship.place] = place
            return
        }
        var places = joins[side.join(owner, member)] ?? JoinPlaces()
        side.set(place, in: &places)
        joins[side.join(owner, member)] = places
    }

    /// Removes links with either of their ends.
    mutating func removeJoins(of isGone: (RowName) -> Bool) {
        joins = joins.filter { !isGone($0.key.owner) && !isGone($0.key.member) }
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
