/// Follows the delete rules to plan a deletion, over sets of keys, of a store or of a context.
///
/// 1. Starts with the roots and adds the destinations of cascades, level by level, until there are no new ones: one
///    read for each entity, cascade relationship and level.
/// 2. When all deleted rows are known, reads the destinations of each of their other relationships. Surviving
///    destinations lose a link, or refuse the deletion.
package struct DeletePlanner<Reading: DeleteReading> {
    let reading: Reading
    let model: Model
    private let counts: DeleteRequest.CountRule
    private let rewrittenLinks: [Int: RowSet]
    private let excluded: RowSet
    private var plan = DeletePlan()
    private var losses: [LinkLoss] = []
    /// `nil` unless requested.
    private var details: DeleteDetails?
    /// The rows that each cascade reached, by the place of its inverse. The destinations of the inverse are deleted, so
    /// they need not be read again.
    private var arrivals: [RelationshipPlace: RowSet] = [:]

    init(_ reading: Reading, _ request: DeleteRequest, _ details: DeleteDetails?) {
        self.reading = reading
        self.details = details
        counts = request.counts
        rewrittenLinks = request.rewrittenLinks
        excluded = request.excluded
        model = reading.model
    }

    /// Plans the deletion of rows without refusals, for deletions that are checked when they are executed.
    /// - Parameters:
    ///   - excluded: Rows that are not deleted if a cascade reaches them.
    ///   - limit: The maximum number of deleted rows.
    /// - Throws: `DeleteError.tooManyRows`, and errors of reading.
    static func unjudgedPlan(
        deleting rows: RowSet, keeping excluded: RowSet = RowSet(), atMost limit: Int? = nil, _ reading: Reading
    ) throws -> DeletePlan {
        var request = DeleteRequest(.rows(rows))
        request.excluded = excluded
        request.mostRows = limit
        var planner = DeletePlanner(reading, request, nil)
        try planner.follow(from: reading.existing(rows))
        try planner.checkLimit(of: request)
        return planner.plan
    }

    /// Returns all rows that deleting these rows deletes, including themselves. Reads the links of all of them; checks
    /// no rules.
    static func deletedRows(by rows: RowSet, _ reading: Reading) throws -> RowSet {
        try unjudgedPlan(deleting: rows, reading).deleted
    }

    /// Returns the rows, followed by the rows that cascades reach, level by level. Reads no other links.
    static func levels(below rows: RowSet, _ reading: Reading) throws -> [RowSet] {
        var planner = DeletePlanner(reading, DeleteRequest(.rows(rows)), DeleteDetails())
        try planner.cascade(from: reading.existing(rows))
        return planner.details?.levels ?? []
    }

    /// Returns the links that survivors lose when exactly these rows have been deleted. Also those that would have refused
    /// the deletion, and were not saved when it was checked.
    static func nullifiedLinks(to rows: RowSet, _ reading: Reading) throws -> [NullifiedLink] {
        var planner = DeletePlanner(reading, DeleteRequest(.rows(rows)), nil)
        planner.plan.deleted = rows
        try planner.findLosses()
        try planner.findDeniedLosses()
        return planner.nullifiedLosses
    }

    /// Returns the refusals of `deny` rules if these rows are deleted together.
    static func denials(of rows: RowSet, _ reading: Reading) throws -> [DeleteRefusal] {
        var planner = DeletePlanner(reading, DeleteRequest(.rows(rows)), nil)
        planner.plan.deleted = rows
        try planner.findDenials()
        return planner.plan.refusals
    }

    private func checkLimit(of request: DeleteRequest) throws {
        let count = plan.deleted.count
        if let limit = request.mostRows, count > limit { throw DeleteError.tooManyRows(count: count, limit: limit) }
    }

    private mutating func follow(from roots: RowSet) throws {
        plan.roots = roots
        try cascade(from: roots)
        try nullify()
    }

    /// Returns the parts of a set, in the order of their entities.
    func parts(of rows: RowSet) -> [(entity: Entity, rows: SpaceKeys)] {
        rows.keysBySpace
            .compactMap { space, keys in reading.entity(of: space).map { ($0, SpaceKeys(keys, in: space)) } }
            .sorted { ($0.0.index, $0.1.space.number) < ($1.0.index, $1.1.space.number) }
    }

    // MARK: Deleted rows

    private mutating func cascade(from roots: RowSet) throws {
        var level = add(roots, via: nil)
        while !level.isEmpty {
            details?.levels.append(level)
            var next = RowSet()
            for (entity, rows) in parts(of: level) {
                for relationship in entity.relationships
                where DeleteRules.effect(of: relationship) == .deleteDestinations {
                    next.formUnion(try follow(relationship, of: entity, from: rows))
                }
            }
            level = next
        }
    }

    private mutating func follow(
        _ relationship: EntityRelationship, of entity: Entity, from owners: SpaceKeys
    ) throws -> RowSet {
        let place = RelationshipPlace(entityIndex: entity.index, index: relationship.index)
        let owners = relationship.isToOne ? keeping(owners, place) : owners
        guard !owners.keys.isEmpty else { return RowSet() }
        var destinations = try reading.destinations(of: place, from: owners)
        note(destinations.joinRowCount, of: place)
        destinations.rows = withoutRewrittenReferences(destinations.rows, inverseOf: relationship)
        if let inverseIndex = relationship.inverseIndex, !relationship.isToOne {
            for (entity, rows) in parts(of: destinations.rows) {
                arrivals[RelationshipPlace(entityIndex: entity.index, index: inverseIndex), default: RowSet()]
                    .insert(rows.keys, in: rows.space)
            }
        }
        return add(destinations.rows, via: name(place))
    }

    /// - Returns: The rows that were not known to be deleted.
    private mutating func add(_ rows: RowSet, via path: RelationshipName?) -> RowSet {
        let new = rows.subtracting(plan.deleted).subtracting(excluded)
        plan.deleted.formUnion(new)
        for (entity, rows) in parts(of: new) { note(rows.keys.count, of: entity.name, path) }
        return new
    }

    // MARK: Survivors

    private mutating func nullify() throws {
        try findLosses()
        plan.cleared += nullifiedLosses
    }

    /// Finds the survivors that lose a link.
    private mutating func findLosses() throws {
        for (entity, rows) in parts(of: plan.deleted) {
            for relationship in entity.relationships {
                let place = RelationshipPlace(entityIndex: entity.index, index: relationship.index)
                switch DeleteRules.effect(of: relationship) {
                case .nothing, .refuse: continue
                case .deleteDestinations:
                    try note(oneSided(relationship, place, rows), of: relationship, place)
                    if !excluded.isEmpty {
                        try note(
                            survivors(losing: relationship, place, rows).intersection(excluded), of: relationship, place
                        )
                    }
                case .clearInverse: try note(survivors(losing: relationship, place, rows), of: relationship, place)
                }
            }
        }
    }

    /// Finds the survivors whose links a `deny` rule protects.
    private mutating func findDeniedLosses() throws {
        for (entity, rows) in parts(of: plan.deleted) where entity.mayRefuseDeletes {
            for relationship in entity.relationships where DeleteRules.effect(of: relationship) == .refuse {
                let place = RelationshipPlace(entityIndex: entity.index, index: relationship.index)
                try note(survivors(losing: relationship, place, rows), of: relationship, place)
            }
        }
    }

    private var nullifiedLosses: [NullifiedLink] {
        losses.map { loss in
            let inverse = relationship(loss.place)
            return NullifiedLink(
                space: loss.rows.space, relationshipIndex: loss.place.index, slot: inverse.slot, name: name(loss.place),
                kind: inverse.isToOne ? .toOne : .toMany, keys: loss.rows.keys)
        }
    }

    private mutating func findDenials() throws {
        for (entity, rows) in parts(of: plan.deleted) where entity.mayRefuseDeletes {
            for relationship in entity.relationships where DeleteRules.effect(of: relationship) == .refuse {
                try refuse(relationship, RelationshipPlace(entityIndex: entity.index, index: relationship.index), rows)
            }
        }
    }

    /// Survivors of one space that lose destinations of one relationship.
    private struct LinkLoss {
        let place: RelationshipPlace
        /// One of the relationships of deleted rows that remove the links.
        let cause: RelationshipPlace
        var rows: SpaceKeys
    }

    private mutating func note(
        _ survivors: RowSet, of relationship: EntityRelationship, _ cause: RelationshipPlace
    ) {
        guard let inverseIndex = relationship.inverseIndex else { return }
        for (entity, rows) in parts(of: survivors) {
            let place = RelationshipPlace(entityIndex: entity.index, index: inverseIndex)
            if let known = losses.firstIndex(where: { $0.place == place && $0.rows.space == rows.space }) {
                losses[known].rows = SpaceKeys(losses[known].rows.keys.union(rows.keys), in: rows.space)
            } else {
                losses.append(LinkLoss(place: place, cause: cause, rows: rows))
            }
        }
    }

    private mutating func refuse(
        _ relationship: EntityRelationship, _ place: RelationshipPlace, _ rows: SpaceKeys
    ) throws {
        let destinations = try destinations(of: relationship, place, rows).subtracting(plan.deleted)
        let survivors = withoutRewrittenReferences(destinations, inverseOf: relationship)
        if !survivors.isEmpty { refuse(.denied, place, survivors) }
    }

    /// Removes rows whose own reference the transaction changes to another row: they are neither deleted nor refuse.
    private func withoutRewrittenReferences(_ rows: RowSet, inverseOf relationship: EntityRelationship) -> RowSet {
        guard !rewrittenLinks.isEmpty, let inverse = model.inverse(of: relationship), inverse.isToOne,
            let written = rewrittenLinks[inverse.index]
        else { return rows }
        return rows.subtracting(written)
    }

    /// Removes rows whose relationship the transaction writes.
    private func keeping(_ rows: SpaceKeys, _ place: RelationshipPlace) -> SpaceKeys {
        guard let written = rewrittenLinks[place.index] else { return rows }
        return SpaceKeys(rows.keys.subtracting(written[rows.space]), in: rows.space)
    }

    private mutating func refuse(_ reason: DeleteRefusal.Reason, _ place: RelationshipPlace, _ rows: SpaceKeys) {
        var set = RowSet()
        set.insert(rows.keys, in: rows.space)
        if !set.isEmpty { refuse(reason, place, set) }
    }

    /// Returns surviving destinations that lose the link. If both ends have a key, these are the rows whose own key
    /// refers to a deleted row, regardless of the other key.
    private mutating func survivors(
        losing relationship: EntityRelationship, _ place: RelationshipPlace, _ rows: SpaceKeys
    ) throws -> RowSet {
        guard relationship.isToOne, let inverse = model.inverse(of: relationship), inverse.isToOne else {
            return try destinations(of: relationship, place, rows).subtracting(plan.deleted)
        }
        let back = RelationshipPlace(entityIndex: relationship.destinationIndex, index: inverse.index)
        return try reading.referencingRows(of: back, referringTo: rows).subtracting(plan.deleted)
    }

    /// Returns survivors whose key refers to a row that a cascade deletes, although the deleted row does not refer
    /// back. Their key is nullified. Only damaged files have such rows.
    private mutating func oneSided(
        _ relationship: EntityRelationship, _ place: RelationshipPlace, _ rows: SpaceKeys
    ) throws -> RowSet {
        guard relationship.isToOne, model.inverse(of: relationship)?.isToOne == true else { return RowSet() }
        return try survivors(losing: relationship, place, rows)
    }

    /// Returns the destinations of deleted rows. If a cascade of its inverse reached a row, its destination is deleted.
    private mutating func destinations(
        of relationship: EntityRelationship, _ place: RelationshipPlace, _ rows: SpaceKeys
    ) throws -> RowSet {
        var owners = relationship.isToOne ? keeping(rows, place) : rows
        if relationship.isToOne, let arrived = arrivals[place] {
            owners = SpaceKeys(owners.keys.subtracting(arrived[rows.space]), in: rows.space)
        }
        guard !owners.keys.isEmpty else { return RowSet() }
        let destinations = try reading.destinations(of: place, from: owners)
        note(destinations.joinRowCount, of: place)
        return destinations.rows
    }

    private func relationship(_ place: RelationshipPlace) -> EntityRelationship {
        model[place.entityIndex].relationships[place.index]
    }

    // MARK: Notes

    private func name(_ place: RelationshipPlace) -> RelationshipName {
        RelationshipName(entity: model[place.entityIndex].name, relationship: relationship(place).name)
    }

    private mutating func refuse(_ reason: DeleteRefusal.Reason, _ place: RelationshipPlace, _ rows: RowSet) {
        let examples = parts(of: rows).lazy.flatMap { _, rows in
            rows.keys.prefix(DeleteRefusal.exampleCount).keys.map { ObjectID(space: rows.space, key: $0) }
        }
        plan.refusals.append(
            DeleteRefusal(
                reason: reason, relationship: name(place), count: rows.count,
                examples: Array(examples.prefix(DeleteRefusal.exampleCount))))
        details?.blockers.formUnion(rows)
    }

    private mutating func note(_ count: Int, of entity: String, _ via: RelationshipName?) {
        if let place = plan.reaches.firstIndex(where: { $0.entity == entity && $0.via == via }) {
            plan.reaches[place].count += count
        } else {
            plan.reaches.append(CascadePath(entity: entity, via: via, count: count))
        }
    }

    private mutating func note(_ joinRowCount: Int, of place: RelationshipPlace) {
        guard joinRowCount > 0 else { return }
        let name = name(place)
        if let known = plan.removedJoinRows.firstIndex(where: { $0.name == name }) {
            let count = plan.removedJoinRows[known].count + joinRowCount
            plan.removedJoinRows[known] = RemovedJoinRows(name: name, count: count)
        } else {
            plan.removedJoinRows.append(RemovedJoinRows(name: name, count: joinRowCount))
        }
    }
}

// MARK: Judging

extension DeletePlanner where Reading: StoreDeleteReading {
    /// - Throws: `DeleteError.tooManyRows`, and errors of reading. Refusals are part of the plan.
    package static func plan(_ request: DeleteRequest, _ reading: Reading) throws -> DeletePlan {
        var planner = DeletePlanner(reading, request, nil)
        try planner.run(request)
        return planner.plan
    }

    /// Plans like `plan(_:_:)`, with the details needed to execute the deletion in parts.
    package static func detailedPlan(
        _ request: DeleteRequest, _ reading: Reading
    ) throws -> (plan: DeletePlan, details: DeleteDetails) {
        var planner = DeletePlanner(reading, request, DeleteDetails())
        try planner.run(request)
        return (planner.plan, planner.details ?? DeleteDetails())
    }

    private mutating func run(_ request: DeleteRequest) throws {
        try follow(from: roots(request.roots))
        try findDenials()
        for loss in losses { try check(loss) }
        try checkLimit(of: request)
    }

    private func roots(_ roots: DeleteRequest.Roots) throws -> RowSet {
        switch roots {
        case .matching(let query): return try reading.rows(matching: query)
        case .rows(let rows): return try reading.existing(rows)
        case .everything:
            return try model.entities.filter(\.isRoot).reduce(into: RowSet()) { all, root in
                all.formUnion(try reading.rows(matching: Query(entityIndex: root.index)))
            }
        }
    }

    /// Refuses the deletion if survivors require the destinations that they lose.
    private mutating func check(_ loss: LinkLoss) throws {
        let inverse = relationship(loss.place)
        if inverse.isToOne, !inverse.relationship.isOptional {
            let left = keeping(loss.rows, loss.place)
            let shape: DeleteRefusal.Shape = relationship(loss.cause).isToOne ? .oneToOne : .oneToMany
            refuse(.mandatory(inverse: name(loss.place), shape: shape), loss.cause, left)
        } else if let refused = counts.refusedCounts(of: inverse, in: model) {
            let left = try reading.owners(
                keeping(loss.rows, loss.place), of: loss.place, leftWith: refused, without: plan.deleted)
            refuse(reason(ofTooFew: loss.place), loss.cause, SpaceKeys(left, in: loss.rows.space))
        }
    }

    /// Returns the reason for a refusal because survivors would be left with too few destinations.
    private func reason(ofTooFew place: RelationshipPlace) -> DeleteRefusal.Reason {
        switch counts {
        case .notEmpty: .mandatory(inverse: name(place), shape: .manyToMany)
        case .checked, .unchecked:
            .tooFew(inverse: name(place), minimum: relationship(place).relationship.minimumCount)
        }
    }
}

extension DeleteRequest.CountRule {
    /// Returns the numbers of destinations of a to-many relationship that survivors must not be left with; `nil` if any
    /// number is valid, and for a to-one relationship.
    package func refusedCounts(of relationship: EntityRelationship, in model: Model) -> Range<Int>? {
        guard !relationship.isToOne else { return nil }
        switch self {
        case .unchecked: return nil
        case .notEmpty:
            let isManyToMany = model.inverse(of: relationship)?.isToOne == false
            return isManyToMany && !relationship.relationship.isOptional ? 0..<1 : nil
        case .checked: return relationship.relationship.refusedCounts
        }
    }
}
