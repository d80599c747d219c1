/// Works out a delete over sets of keys, by the same rules as the walk over records.
///
/// 1. Roots, then level by level what cascades lead to, until nothing new is found: one read for each entity,
///    cascade relationship and level.
/// 2. Only when it is known who goes: for every other relationship of what goes, one read of its destinations. Those
///    that stay lose a link, or stand in the way.
package struct DeletePlanner<Reading: DeleteReading> {
    private let reading: Reading
    private let model: Model
    private let counts: DeleteRequest.CountRule
    private let relinked: [Int: RowSet]
    /// By entity index.
    private var doomed: [KeySet]
    private var plan = DeletePlan()
    /// Filled only for those who ask.
    private var details: DeleteDetails?
    /// What each cascade led to, by the place of its inverse: the destination of the inverse is doomed there, so it
    /// need not be read again.
    private var arrivals: [RelationshipPlace: KeySet] = [:]

    private init(_ reading: Reading, _ request: DeleteRequest, _ details: DeleteDetails?) {
        self.reading = reading
        self.details = details
        counts = request.counts
        relinked = request.relinked
        model = reading.model
        doomed = Array(repeating: KeySet(), count: model.entities.count)
    }

    /// - Throws: `DeleteError.tooManyRows`, and what reading throws. Refusals are part of the plan.
    package static func plan(_ request: DeleteRequest, _ reading: Reading) throws -> DeletePlan {
        var planner = DeletePlanner(reading, request, nil)
        return try planner.run(request)
    }

    /// As `plan(_:_:)`, with what only those need to know who carry out a delete in parts.
    package static func detailedPlan(
        _ request: DeleteRequest, _ reading: Reading
    ) throws -> (plan: DeletePlan, details: DeleteDetails) {
        var planner = DeletePlanner(reading, request, DeleteDetails())
        let plan = try planner.run(request)
        return (plan, planner.details ?? DeleteDetails())
    }

    private mutating func run(_ request: DeleteRequest) throws -> DeletePlan {
        let roots = try roots(request.roots)
        plan.roots = rowSet(roots)
        try spread(from: roots)
        try cutLoose()
        let count = plan.deleted.count
        if let limit = request.mostRows, count > limit { throw DeleteError.tooManyRows(count: count, limit: limit) }
        return plan
    }

    private func rowSet(_ rows: [Int: KeySet]) -> RowSet {
        var set = RowSet()
        for (entityIndex, keys) in rows { set.insert(keys, in: reading.space(ofEntity: entityIndex)) }
        return set
    }

    // MARK: Roots

    private func roots(_ roots: DeleteRequest.Roots) throws -> [Int: KeySet] {
        switch roots {
        case .matching(let query): return try reading.rows(matching: query)
        case .everything:
            return try model.entities.filter(\.isRoot).reduce(into: [:]) { all, root in
                all.merge(try reading.rows(matching: Query(entityIndex: root.index))) { $1 }
            }
        case .rows(let rows):
            var keysByRoot: [Int: KeySet] = [:]
            for entity in model.entities {
                let keys = rows[reading.space(ofEntity: entity.index)]
                if !keys.isEmpty { keysByRoot[entity.rootIndex, default: KeySet()].formUnion(keys) }
            }
            var existing: [Int: KeySet] = [:]
            for (root, keys) in keysByRoot {
                existing.merge(try reading.existing(keys, rootIndex: root)) { $0.union($1) }
            }
            return existing
        }
    }

    // MARK: Who goes

    private mutating func spread(from roots: [Int: KeySet]) throws {
        var level = take(roots, via: nil)
        while !level.isEmpty {
            note(level)
            var next: [Int: KeySet] = [:]
            for (entityIndex, keys) in level.sorted(by: { $0.key < $1.key }) {
                for relationship in model[entityIndex].relationships
                where DeleteRules.effect(of: relationship) == .deleteDestinations {
                    let found = try follow(relationship, of: entityIndex, from: keys)
                    next.merge(found) { $0.union($1) }
                }
            }
            level = next
        }
        for entity in model.entities {
            plan.deleted.insert(doomed[entity.index], in: reading.space(ofEntity: entity.index))
        }
    }

    private mutating func follow(
        _ relationship: EntityRelationship, of entityIndex: Int, from keys: KeySet
    ) throws -> [Int: KeySet] {
        let place = RelationshipPlace(entityIndex: entityIndex, index: relationship.index)
        var destinations = try reading.destinations(of: place, from: keys)
        note(destinations.joinRowCount, of: place)
        destinations.rows = stillLinked(destinations.rows, inverseOf: relationship)
        if let inverseIndex = relationship.inverseIndex, !relationship.isToOne {
            for (index, keys) in destinations.rows {
                arrivals[RelationshipPlace(entityIndex: index, index: inverseIndex), default: KeySet()].formUnion(keys)
            }
        }
        return take(destinations.rows, via: name(place))
    }

    /// - Returns: the rows that were not known to go.
    private mutating func take(_ rows: [Int: KeySet], via: RelationshipName?) -> [Int: KeySet] {
        var new: [Int: KeySet] = [:]
        for (entityIndex, keys) in rows.sorted(by: { $0.key < $1.key }) {
            let found = keys.subtracting(doomed[entityIndex])
            guard !found.isEmpty else { continue }
            doomed[entityIndex].formUnion(found)
            new[entityIndex] = found
            note(found.count, of: model[entityIndex].name, via)
        }
        return new
    }

    // MARK: Who stays

    /// What becomes of the survivors at the other end of every link that goes.
    private mutating func cutLoose() throws {
        var losses: [Loss] = []
        for entity in model.entities where !doomed[entity.index].isEmpty {
            for relationship in entity.relationships {
                let place = RelationshipPlace(entityIndex: entity.index, index: relationship.index)
                switch DeleteRules.effect(of: relationship) {
                case .nothing: continue
                case .refuse: try refuse(relationship, place)
                case .deleteDestinations: try note(oneSided(relationship, place), of: relationship, place, &losses)
                case .clearInverse: try note(survivors(losing: relationship, place), of: relationship, place, &losses)
                }
            }
        }
        for loss in losses {
            try check(loss)
            let inverse = relationship(loss.place)
            plan.cleared.append(
                ClearedLink(
                    space: reading.space(ofEntity: loss.place.entityIndex), relationshipIndex: loss.place.index,
                    slot: inverse.slot, name: name(loss.place), kind: inverse.isToOne ? .toOne : .toMany,
                    keys: loss.keys))
        }
    }

    /// Survivors of one entity that lose destinations of one relationship.
    private struct Loss {
        let place: RelationshipPlace
        /// One of the relationships of what goes that led here.
        let cause: RelationshipPlace
        var keys: KeySet
    }

    private func note(
        _ survivors: [Int: KeySet], of relationship: EntityRelationship, _ cause: RelationshipPlace,
        _ losses: inout [Loss]
    ) {
        guard let inverseIndex = relationship.inverseIndex else { return }
        for (entityIndex, keys) in survivors.sorted(by: { $0.key < $1.key }) {
            let place = RelationshipPlace(entityIndex: entityIndex, index: inverseIndex)
            if let known = losses.firstIndex(where: { $0.place == place }) {
                losses[known].keys.formUnion(keys)
            } else {
                losses.append(Loss(place: place, cause: cause, keys: keys))
            }
        }
    }

    private mutating func refuse(_ relationship: EntityRelationship, _ place: RelationshipPlace) throws {
        let survivors = try stillLinked(staying(destinations(of: relationship, place)), inverseOf: relationship)
        guard !survivors.isEmpty else { return }
        refuse(.denied, place, survivors)
    }

    /// Without those whose own key leads elsewhere from now on: they neither go along nor stand in the way.
    private func stillLinked(_ rows: [Int: KeySet], inverseOf relationship: EntityRelationship) -> [Int: KeySet] {
        guard !relinked.isEmpty, let inverse = model.inverse(of: relationship), inverse.isToOne else { return rows }
        var linked: [Int: KeySet] = [:]
        for (index, keys) in rows {
            let left = keeping(keys, RelationshipPlace(entityIndex: index, index: inverse.index))
            if !left.isEmpty { linked[index] = left }
        }
        return linked
    }

    /// Those whose relationship nobody writes anew.
    private func keeping(_ keys: KeySet, _ place: RelationshipPlace) -> KeySet {
        guard let written = relinked[place.index] else { return keys }
        return keys.subtracting(written[reading.space(ofEntity: place.entityIndex)])
    }

    /// Whether the survivors can do without.
    private mutating func check(_ loss: Loss) throws {
        let inverse = relationship(loss.place)
        let rule = inverse.relationship
        if inverse.isToOne, !rule.isOptional {
            let left = keeping(loss.keys, loss.place)
            guard !left.isEmpty else { return }
            let rows = [loss.place.entityIndex: left]
            let shape: DeleteRefusal.Shape = relationship(loss.cause).isToOne ? .oneToOne : .oneToMany
            refuse(.mandatory(inverse: name(loss.place), shape: shape), loss.cause, rows)
        } else if !inverse.isToOne, let (refused, reason) = refusedCounts(loss) {
            let leaving = everyDoomed(inHierarchyOf: inverse.destinationIndex)
            let left = try reading.owners(
                keeping(loss.keys, loss.place), of: loss.place, leftWith: refused, without: leaving)
            guard !left.isEmpty else { return }
            refuse(reason, loss.cause, [loss.place.entityIndex: left])
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

    private func everyDoomed(inHierarchyOf entityIndex: Int) -> KeySet {
        let root = model[entityIndex].rootIndex
        return model.entities.filter { $0.rootIndex == root }.reduce(into: KeySet()) { all, entity in
            all.formUnion(doomed[entity.index])
        }
    }

    /// Rows at the other end that stay and lose the link. With a key at both ends, those whose own key leads here: what
    /// clears it is asked, whatever the other key says.
    private mutating func survivors(
        losing relationship: EntityRelationship, _ place: RelationshipPlace
    ) throws -> [Int: KeySet] {
        guard relationship.isToOne, let inverse = model.inverse(of: relationship), inverse.isToOne else {
            return try staying(destinations(of: relationship, place))
        }
        let back = RelationshipPlace(entityIndex: relationship.destinationIndex, index: inverse.index)
        return try staying(reading.holders(of: back, pointingAt: doomed[place.entityIndex]))
    }

    /// Surviving rows whose key leads to a row that a cascade deletes, while the deleted row does not lead back: only damaged
    /// files have these. Their key is nullified.
    private mutating func oneSided(
        _ relationship: EntityRelationship, _ place: RelationshipPlace
    ) throws -> [Int: KeySet] {
        guard relationship.isToOne, model.inverse(of: relationship)?.isToOne == true else { return [:] }
        return try survivors(losing: relationship, place)
    }

    /// Where a relationship leads from what goes. From rows that a cascade of its inverse led to, it leads to what goes.
    private mutating func destinations(
        of relationship: EntityRelationship, _ place: RelationshipPlace
    ) throws -> [Int: KeySet] {
        var owners = doomed[place.entityIndex]
        if relationship.isToOne, let arrived = arrivals[place] { owners = owners.subtracting(arrived) }
        guard !owners.isEmpty else { return [:] }
        let destinations = try reading.destinations(of: place, from: owners)
        note(destinations.joinRowCount, of: place)
        return destinations.rows
    }

    private func staying(_ rows: [Int: KeySet]) -> [Int: KeySet] {
        var staying: [Int: KeySet] = [:]
        for (entityIndex, keys) in rows {
            let rest = keys.subtracting(doomed[entityIndex])
            if !rest.isEmpty { staying[entityIndex] = rest }
        }
        return staying
    }

    private func relationship(_ place: RelationshipPlace) -> EntityRelationship {
        model[place.entityIndex].relationships[place.index]
    }

    // MARK: Notes

    private func name(_ place: RelationshipPlace) -> RelationshipName {
        RelationshipName(entity: model[place.entityIndex].name, relationship: relationship(place).name)
    }

    private mutating func refuse(
        _ reason: DeleteRefusal.Reason, _ place: RelationshipPlace, _ rows: [Int: KeySet]
    ) {
        let examples = rows.sorted { $0.key < $1.key }.flatMap { entityIndex, keys in
            keys.prefix(DeleteRefusal.exampleCount).keys.map {
                ObjectID(space: reading.space(ofEntity: entityIndex), key: $0)
            }
        }
        plan.refusals.append(
            DeleteRefusal(
                reason: reason, relationship: name(place), count: rows.values.reduce(0) { $0 + $1.count },
                examples: Array(examples.prefix(DeleteRefusal.exampleCount))))
        let blockers = rowSet(rows)
        details?.blockers.formUnion(blockers)
    }

    private mutating func note(_ level: [Int: KeySet]) {
        guard details != nil else { return }
        let rows = rowSet(level)
        details?.levels.append(rows)
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
