import ObjectGraph

/// How links are stored, by the shapes of a relationship and its inverse:
/// 1. to one: as a reference in the row.
/// 2. to many, and the inverse to one: nothing of their own; the members' references are the links.
/// 3. to many without inverse: as a member's reference to its owner, `Row.owners`.
/// 4. to many, and the inverse too: as `Join`.
enum LinkStorage {
    case ownReference(slot: Int)
    case memberReference(EntityRelationship, slot: Int)
    case ownerOfMember
    case joins(JoinSide)
}

/// A many-to-many relationship, as one of its two ends has it.
struct JoinSide: Hashable {
    /// The end that names the joins.
    let relationship: RelationshipPlace
    /// Whether this is that end.
    let isNaming: Bool

    func join(_ owner: RowName, _ member: RowName) -> Join {
        isNaming
            ? Join(relationship: relationship, owner: owner, member: member)
            : Join(relationship: relationship, owner: member, member: owner)
    }

    func owner(of join: Join) -> RowName { isNaming ? join.owner : join.member }
    func member(of join: Join) -> RowName { isNaming ? join.member : join.owner }

    /// The place in this end's list.
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

    /// Rows that a row's relationship refers to: those that exist, in the order of the list where there is one, else in key
    /// order. Members that were never put in order come first.
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

    /// The row whose list a row is in, where members tell of that.
    private func reference(of member: Row, toOwnerBy relationship: EntityRelationship) -> RowName? {
        switch storage(of: relationship) {
        case .memberReference(let reference, let slot):
            isKind(member, of: reference.declaringIndex) ? name(member.values[slot]) : nil
        case .ownerOfMember: member.owners[relationship.place].flatMap(name)
        case nil, .ownReference, .joins: nil
        }
    }

    /// Rows whose to-one relationship refers to one of these.
    func holders(of relationship: EntityRelationship, leadingTo isWanted: (RowName) -> Bool) -> [RowName] {
        guard let slot = relationship.slot else { return [] }
        return all(relationship.declaringIndex).filter { name($0.row.values[slot]).map(isWanted) ?? false }.map(\.name)
    }

    // MARK: Writing

    /// Sets a row's to-one relationship. A row that leaves its owner leaves its place in the owner's list.
    mutating func setReference(_ relationship: EntityRelationship, of name: RowName, to id: ObjectID?) {
        guard let slot = relationship.slot, var row = rows[name] else { return }
        row.values[slot] = id.map(Value.reference) ?? .null
        if let list = model.inverse(of: relationship) { row.places[list.place] = nil }
        self[name] = row
    }

    /// Adds and removes members of a to-many relationship whose links are not its inverse's references, and puts an ordered
    /// one in order. A link that is there already stays. An end that is not there is not linked: nothing would remove the link.
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

    /// Members that the change set does not know of, as another context added them, keep a place of their own.
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

    /// A link goes with either of its ends.
    mutating func removeJoins(of isGone: (RowName) -> Bool) {
        joins = joins.filter { !isGone($0.key.owner) && !isGone($0.key.member) }
    }
}

/// Members that one row gains and loses.
struct MemberChange {
    let relationship: EntityRelationship
    let owner: RowName
    var added: [RowName] = []
    var removed: [RowName] = []
    /// All members in order, for an ordered relationship.
    var order: [RowName]?
}
