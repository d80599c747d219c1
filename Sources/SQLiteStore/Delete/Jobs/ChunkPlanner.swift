import ObjectGraph

/// Plans the next chunk of a long delete within the transaction that carries it out. Whatever it returns is a delete by
/// the rules of its own, with its closure, its survivors and its refusals judged as the rows are now; or it clears some
/// links of a row that has more than one transaction can bear.
struct ChunkPlanner {
    let reader: DeleteReader
    let roots: RowSet
    let counts: DeleteRequest.CountRule
    /// Whether others may have changed rows since the queue was made: then each row's turn begins with asking whether it
    /// still hangs below the roots.
    let mayHaveMoved: Bool

    struct Chunk {
        var plan = DeletePlan()
        /// Links that go, by which its size is measured.
        var linkCount = 0
    }

    private typealias Planned = (plan: DeletePlan, details: DeleteDetails)

    /// - Parameters:
    ///   - queue: what is left; the rows of the chunk are taken out.
    ///   - limit: what the chunk should come to. What cannot go apart is more.
    /// - Returns: an empty plan when nothing is left.
    /// - Throws: `DeleteError.refused` when rows that nobody asked to delete stand in the way.
    func next(_ queue: inout DeleteQueue, _ limit: ChunkLimit) throws -> Chunk {
        var hasMadeWay = false
        while !queue.isEmpty {
            let runs = queue.next(limit.rows)
            let standing = mayHaveMoved ? try DeleteLineage.rows(runs.rows, below: roots, reader) : runs.rows
            let fitting = try FittingRows(runs, standing, limit, reader)
            if let row = fitting.heavy, let chunk = try clearingAhead(of: row, limit) { return chunk }
            var rest = queue
            rest.drop(fitting.placeCount)
            var planned = try plan(fitting.rows)
            if !planned.plan.isEmpty {
                try narrow(&planned, &rest, limit.rows)
                let more = planned.plan.deleted.subtracting(fitting.rows)
                if let row = try heaviest(of: more, limit), let chunk = try clearingAhead(of: row, limit) {
                    return chunk
                }
                if !hasMadeWay, let first = try manyInTheWay(planned, limit) {
                    queue.push([first])
                    hasMadeWay = true
                    continue
                }
                planned.plan = try widened(planned, &rest)
            }
            queue = rest
            if !planned.plan.isEmpty { return Chunk(plan: planned.plan, linkCount: fitting.linkCount) }
        }
        return Chunk()
    }

    private func plan(_ rows: RowSet) throws -> Planned {
        var request = DeleteRequest(.rows(rows))
        request.counts = counts
        return try DeletePlanner.detailedPlan(request, reader)
    }

    /// Where the rules take along much more than was meant, what lies deepest goes first. Rows whose rules lead round in a
    /// circle cannot be told apart and go together.
    private func narrow(_ planned: inout Planned, _ queue: inout DeleteQueue, _ limit: Int) throws {
        while planned.plan.deleted.count > 2 * limit, planned.details.levels.count > 1 {
            var longer = queue
            longer.push(planned.details.levels)
            guard let deepest = longer.take(limit) else { return }
            let smaller = try plan(deepest)
            guard smaller.plan.deleted.count < planned.plan.deleted.count else { return }
            queue = longer
            planned = smaller
        }
    }

    /// Rows that stand in the way and are to go themselves go in this chunk. Where others do, it is the whole delete that
    /// is to be judged: it may be refused now, or allow what none of its parts is allowed.
    private func widened(_ planned: Planned, _ queue: inout DeleteQueue) throws -> DeletePlan {
        var (plan, details) = planned
        while !plan.refusals.isEmpty {
            let doomed = try DeleteLineage.rows(details.blockers, below: roots, reader)
            guard doomed.count == details.blockers.count else {
                let whole = try self.plan(roots).plan
                guard whole.refusals.isEmpty else { throw DeleteError.refused(whole.refusals) }
                queue = DeleteQueue()
                return whole
            }
            var rows = plan.roots
            rows.formUnion(doomed)
            (plan, details) = try self.plan(rows)
        }
        return plan
    }

    /// Rows that stand in the way, all of which are to go themselves and are more than a chunk should have: they go first,
    /// by themselves if they can.
    private func manyInTheWay(_ planned: Planned, _ limit: ChunkLimit) throws -> RowSet? {
        guard !planned.plan.refusals.isEmpty, planned.details.blockers.count > limit.rows else { return nil }
        let doomed = try DeleteLineage.rows(planned.details.blockers, below: roots, reader)
        return doomed.count == planned.details.blockers.count ? doomed : nil
    }

    // MARK: Links that go first

    /// One of the rows that alone has more links than a transaction can bear.
    private func heaviest(of rows: RowSet, _ limit: ChunkLimit) throws -> ObjectID? {
        for (space, keys) in rows.keysBySpace.sorted(by: { $0.key.number < $1.key.number }) {
            guard let entityIndex = reader.spaces.entityIndex(of: space) else { continue }
            for path in LinkPath.all(of: entityIndex, reader.map) {
                if let key = try reader.owner(path, among: keys, ofMoreThan: limit.links) {
                    return ObjectID(space: space, key: key)
                }
            }
        }
        return nil
    }

    /// Clears as many links of a row as a transaction can bear; the row goes once few are left. What they led to is the
    /// survivors' side of what deleting the row does to them, and the row itself loses members as if they had been removed.
    /// - Returns: `nil` when none may go before the row, or others stand in its way: then it is judged with all that it
    ///   has.
    private func clearingAhead(of row: ObjectID, _ limit: ChunkLimit) throws -> Chunk? {
        guard let entityIndex = reader.spaces.entityIndex(of: row.space) else { return nil }
        let paths = LinkPath.all(of: entityIndex, reader.map).filter { $0.mayGoFirst(reader.model, counts) }
        let members = try paths.map { path in
            let least = path.relationship.relationship.minimumCount
            let links = try reader.links(path, from: KeySet([row.key]), atMost: limit.links + least)
            return KeySet(links.dropLast(least).map(\.member))
        }
        guard let most = members.indices.max(by: { members[$0].count < members[$1].count }), !members[most].isEmpty,
            try mayGo(row, without: paths)
        else { return nil }
        return Chunk(
            plan: try reader.clearing(paths[most], of: row.key, members[most]), linkCount: members[most].count)
    }

    /// Whether nothing that stays denies it, as far as can be told without these links.
    private func mayGo(_ row: ObjectID, without paths: [LinkPath]) throws -> Bool {
        var request = DeleteRequest(.rows(RowSet([row])))
        request.counts = counts
        let (_, details) = try DeletePlanner.detailedPlan(
            request, PartialReading(whole: reader, hidden: Set(paths.map(\.place))))
        return try DeleteLineage.rows(details.blockers, below: roots, reader).count == details.blockers.count
    }
}

/// What a store has, without the links of some relationships.
private struct PartialReading: StoreDeleteReading {
    let whole: DeleteReader
    let hidden: Set<RelationshipPlace>

    var model: Model { whole.model }

    func entity(of space: IDSpace) -> Entity? { whole.entity(of: space) }
    func rows(matching query: Query) throws -> RowSet { try whole.rows(matching: query) }
    func existing(_ rows: RowSet) throws -> RowSet { try whole.existing(rows) }

    func destinations(of place: RelationshipPlace, from owners: SpaceKeys) throws -> Destinations {
        hidden.contains(place) ? Destinations() : try whole.destinations(of: place, from: owners)
    }

    func holders(of place: RelationshipPlace, pointingAt rows: SpaceKeys) throws -> RowSet {
        try whole.holders(of: place, pointingAt: rows)
    }

    func owners(
        _ owners: SpaceKeys, of place: RelationshipPlace, leftWith refused: Range<Int>, without leaving: RowSet
    ) throws -> KeySet {
        try whole.owners(owners, of: place, leftWith: refused, without: leaving)
    }
}
