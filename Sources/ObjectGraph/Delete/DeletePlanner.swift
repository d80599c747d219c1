/// Follows delete rules: works out what a delete does, over sets of keys, of a store or of a context.
///
/// 1. Roots, then level by level the destinations of cascades, until nothing new is found: one read for each entity, cascade
///    relationship and level.
/// 2. Once it is known what is deleted: for every other relationship of what is deleted, one read of its destinations. Those
///    that stay lose a link, or refuse the delete.
package struct DeletePlanner<Reading: DeleteReading> {
    private let reading: Reading
    private let model: Model
    private let counts: DeleteRequest.CountRule
    private let relinked: [Int: RowSet]
    private let kept: RowSet
    private var plan = DeletePlan()
    private var losses: [Loss] = []
    /// Filled only where they are asked for.
    private var details: DeleteDetails?
    /// What each cascade reached, by the place of its inverse: the destination of the inverse is deleted there, so it need
    /// not be read again.
    private var arrivals: [RelationshipPlace: RowSet] = [:]

    private init(_ reading: Reading, _ request: DeleteRequest, _ details: DeleteDetails?) {
        self.reading = reading
        self.details = details
        counts = request.counts
        relinked = request.relinked
        kept = request.kept
        model = reading.model
    }

    /// The plan of deleting some rows, without refusals: for deletes that are judged when they are carried out.
    /// - Parameters:
    ///   - kept: rows that are not deleted where a cascade reaches them.
    ///   - limit: of the rows that are deleted.
    /// - Throws: `DeleteError.tooManyRows`, and what reading throws.
    static func unjudgedPlan(
        deleting rows: RowSet, keeping kept: RowSet = RowSet(), atMost limit: Int? = nil, _ reading: Reading
    ) throws -> DeletePlan {
        var request = DeleteRequest(.rows(rows))
        request.kept = kept
        request.mostRows = limit
        var planner = DeletePlanner(reading, request, nil)
        try planner.follow(from: reading.existing(rows))
        try planner.checkLimit(of: request)
        return planner.plan
    }

    /// The rows that a delete of some deletes, these included. The links of all of them are read; nothing is judged.
    static func deletedRows(by rows: RowSet, _ reading: Reading) throws -> RowSet {
        try unjudgedPlan(deleting: rows, reading).deleted
    }

    /// Some rows, then one level after the other of those that cascades reach. No other links are read.
    static func levels(below rows: RowSet, _ reading: Reading) throws -> [RowSet] {
        var planner = DeletePlanner(reading, DeleteRequest(.rows(rows)), DeleteDetails())
        try planner.cascade(from: reading.existing(rows))
        return planner.details?.levels ?? []
    }

    /// The `deny` rules that forbid to delete these rows together.
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

    /// Parts of a set, in the order of their entities.
    private func parts(of rows: RowSet) -> [(entity: Entity, rows: SpaceKeys)] {
        rows.keysBySpace
            .compactMap { space, keys in reading.entity(of: space).map { ($0, SpaceKeys(keys, in: space)) } }
            .sorted { ($0.0.index, $0.1.space.number) < ($1.0.index, $1.1.space.number) }
    }

    // MARK: What is deleted

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
        destinations.rows = stillLinked(destinations.rows, inverseOf: relationship)
        if let inverseIndex = relationship.inverseIndex, !relationship.isToOne {
            for (entity, rows) in parts(of: destinations.rows) {
                arrivals[RelationshipPlace(entityIndex: entity.index, index: inverseIndex), default: RowSet()]
                    .insert(rows.keys, in: rows.space)
            }
        }
        return add(destinations.rows, via: name(place))
    }

    /// - Returns: the rows that were not known to be deleted.
    private mutating func add(_ rows: RowSet, via path: RelationshipName?) -> RowSet {
        let new = rows.subtracting(plan.deleted).subtracting(kept)
        plan.deleted.formUnion(new)
        for (entity, rows) in parts(of: new) { note(rows.keys.count, of: entity.name, path) }
        return new
    }

    // MARK: What stays

    /// Finds the survivors that lose a link.
    private mutating func nullify() throws {
        for (entity, rows) in parts(of: plan.deleted) {
            for relationship in entity.relationships {
                let place = RelationshipPlace(entityIndex: entity.index, index: relationship.index)
                switch DeleteRules.effect(of: relationship) {
                case .nothing, .refuse: continue
                case .deleteDestinations:
                    try note(oneSided(relationship, place, rows), of: relationship, place)
                    if !kept.isEmpty {
                        try note(
                            survivors(losing: relationship, place, rows).intersection(kept), of: relationship, place)
                    }
                case .clearInverse: try note(survivors(losing: relationship, place, rows), of: relationship, place)
                }
            }
        }
        for loss in losses {
            let inverse = relationship(loss.place)
            plan.cleared.append(
                ClearedLink(
                    space: loss.rows.space, relationshipIndex: loss.place.index, slot: inverse.slot,
                    name: name(loss.place), kind: inverse.isToOne ? .toOne : .toMany, keys: loss.rows.keys))
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
    private struct Loss {
        let place: RelationshipPlace
        /// One of the relationships of deleted rows whose links they lose.
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
                losses.append(Loss(place: place, cause: cause, rows: rows))
            }
        }
    }

    private mutating func refuse(
        _ relationship: EntityRelationship, _ place: RelationshipPlace, _ rows: SpaceKeys
    ) throws {
        let destinations = try destinations(of: relationship, place, rows).subtracting(plan.deleted)
        let survivors = stillLinked(destinations, inverseOf: relationship)
        if !survivors.isEmpty { refuse(.denied, place, survivors) }
    }

    /// Without those whose own key refers elsewhere once the transaction is written: they are neither deleted nor refuse.
    private func stillLinked(_ rows: RowSet, inverseOf relationship: EntityRelationship) -> RowSet {
        guard !relinked.isEmpty, let inverse = model.inverse(of: relationship), inverse.isToOne,
            let written = relinked[inverse.index]
        else { return rows }
        return rows.subtracting(written)
    }

    /// Those whose relationship the transaction does not write.
    private func keeping(_ rows: SpaceKeys, _ place: RelationshipPlace) -> SpaceKeys {
        guard let written = relinked[place.index] else { return rows }
        return SpaceKeys(rows.keys.subtracting(written[rows.space]), in: rows.space)
    }

    private mutating func refuse(_ reason: DeleteRefusal.Reason, _ place: RelationshipPlace, _ rows: SpaceKeys) {
        var set = RowSet()
        set.insert(rows.keys, in: rows.space)
        if !set.isEmpty { refuse(reason, place, set) }
    }

    /// Rows at the other end that stay and lose the link. With a key at both ends, those whose own key refers to a deleted
    /// row, whatever the other key says.
    private mutating func survivors(
        losing relationship: EntityRelationship, _ place: RelationshipPlace, _ rows: SpaceKeys
    ) throws -> RowSet {
        guard relationship.isToOne, let inverse = model.inverse(of: relationship), inverse.isToOne else {
            return try destinations(of: relationship, place, rows).subtracting(plan.deleted)
        }
        let back = RelationshipPlace(entityIndex: relationship.destinationIndex, index: inverse.index)
        return try reading.holders(of: back, pointingAt: rows).subtracting(plan.deleted)
    }

    /// Surviving rows whose key refers to a row that a cascade deletes, while the deleted row does not refer back: only
    /// damaged files have these. Their key is nullified.
    private mutating func oneSided(
        _ relationship: EntityRelationship, _ place: RelationshipPlace, _ rows: SpaceKeys
    ) throws -> RowSet {
        guard relationship.isToOne, model.inverse(of: relationship)?.isToOne == true else { return RowSet() }
        return try survivors(losing: relationship, place, rows)
    }

    /// Destinations of deleted rows. Those of rows that a cascade of its inverse reached are deleted.
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
            plan.reaches.append(DeleteReach(entity: entity, via: via, count: count))
        }
    }

    private mutating func note(_ joinRowCount: Int, of place: RelationshipPlace) {
        guard joinRowCount > 0 else { return }
        let name = name(place)
        if let known = plan.unlinked.firstIndex(where: { $0.name == name }) {
            let count = plan.unlinked[known].count + joinRowCount
            plan.unlinked[known] = UnlinkedRelationship(name: name, count: count)
        } else {
            plan.unlinked.append(UnlinkedRelationship(name: name, count: joinRowCount))
        }
    }
}

// MARK: Judging

extension DeletePlanner where Reading: StoreDeleteReading {
    /// - Throws: `DeleteError.tooManyRows`, and what reading throws. Refusals are part of the plan.
    package static func plan(_ request: DeleteRequest, _ reading: Reading) throws -> DeletePlan {
        var planner = DeletePlanner(reading, request, nil)
        try planner.run(request)
        return planner.plan
    }

    /// As `plan(_:_:)`, with what is needed to carry out a delete in parts.
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

    /// Refuses the delete where the survivors cannot be without what they lose.
    private mutating func check(_ loss: Loss) throws {
        let inverse = relationship(loss.place)
        if inverse.isToOne, !inverse.relationship.isOptional {
            let left = keeping(loss.rows, loss.place)
            let shape: DeleteRefusal.Shape = relationship(loss.cause).isToOne ? .oneToOne : .oneToMany
            refuse(.mandatory(inverse: name(loss.place), shape: shape), loss.cause, left)
        } else if !inverse.isToOne, let (refused, reason) = refusedCounts(loss) {
            let left = try reading.owners(
                keeping(loss.rows, loss.place), of: loss.place, leftWith: refused, without: plan.deleted)
            refuse(reason, loss.cause, SpaceKeys(left, in: loss.rows.space))
        }
    }

    /// How many destinations the survivors must not be left with, and what is wrong with that many; `nil` where any number
    /// will do.
    private func refusedCounts(_ loss: Loss) -> (Range<Int>, DeleteRefusal.Reason)? {
        let rule = relationship(loss.place).relationship
        switch counts {
        case .unchecked: return nil
        case .notEmpty:
            guard !rule.isOptional, !relationship(loss.cause).isToOne else { return nil }
            return (0..<1, .mandatory(inverse: name(loss.place), shape: .manyToMany))
        case .checked:
            guard rule.minimumCount > 0 else { return nil }
            // An optional relationship may be empty, but not have too few.
            let refused = (rule.isOptional ? 1 : 0)..<rule.minimumCount
            return (refused, .tooFew(inverse: name(loss.place), minimum: rule.minimumCount))
        }
    }
}
