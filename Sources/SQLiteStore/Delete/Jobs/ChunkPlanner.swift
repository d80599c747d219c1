import ObjectGraph

/// Plans the next chunk of a long delete within the transaction that carries it out. Each chunk is a complete delete by
/// the rules, with its own closure, survivors and refusals, judged by the current rows; or it clears some links of a row
/// that has too many for one transaction.
struct ChunkPlanner {
    let reader: DeleteReader
    let roots: RowSet
    let counts: DeleteRequest.CountRule
    /// Whether others may have changed rows since the queue was made. Then each row is deleted only if it still depends
    /// on the roots.
    let mayHaveMoved: Bool

    struct Chunk {
        var plan = DeletePlan()
        /// The number of removed links, a part of the chunk's measured size.
        var linkCount = 0
    }

    private typealias Planned = (plan: DeletePlan, details: DeleteDetails)

    /// Plans the next chunk.
    /// - Parameters:
    ///   - queue: The remaining rows; those of the chunk are removed from it.
    ///   - limit: The intended size of the chunk. Rows that must be deleted together can exceed it.
    /// - Returns: An empty plan if no rows are left.
    /// - Throws: `DeleteError.refused` if rows outside of the delete deny it.
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
                if !hasMadeWay, let first = try blockersDeletedFirst(planned, limit) {
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

    /// If the cascade is much larger than intended, deletes the deepest rows first. Rows that form a cycle of rules
    /// cannot be separated and are deleted together.
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

    /// Adds the rows that deny the chunk if they are pending deletion themselves. If others deny it, the whole delete is
    /// judged: it may be refused, or be permitted although none of its parts is.
    private func widened(_ planned: Planned, _ queue: inout DeleteQueue) throws -> DeletePlan {
        var (plan, details) = planned
        while !plan.refusals.isEmpty {
            let deletable = try DeleteLineage.rows(details.blockers, below: roots, reader)
            guard deletable.count == details.blockers.count else {
                let whole = try self.plan(roots).plan
                guard whole.refusals.isEmpty else { throw DeleteError.refused(whole.refusals) }
                queue = DeleteQueue()
                return whole
            }
            var rows = plan.roots
            rows.formUnion(deletable)
            (plan, details) = try self.plan(rows)
        }
        return plan
    }

    /// Returns the rows that deny the chunk if all of them are pending deletion themselves and are too many for one
    /// chunk. They are deleted first, separately if possible.
    private func blockersDeletedFirst(_ planned: Planned, _ limit: ChunkLimit) throws -> RowSet? {
        guard !planned.plan.refusals.isEmpty, planned.details.blockers.count > limit.rows else { return nil }
        let deletable = try DeleteLineage.rows(planned.details.blockers, below: roots, reader)
        return deletable.count == planned.details.blockers.count ? deletable : nil
    }

    // MARK: Links removed before their row

    /// Returns a row that alone has more links than one transaction can remove.
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

    /// Clears as many links of a row as one transaction can; the row is deleted once few are left. The survivors change
    /// as they do when the row is deleted, and the row itself loses members as if they had been removed.
    /// - Returns: `nil` if no links may be removed before the row, or if other rows deny its deletion: then the row is
    ///   judged with all of its links.
    private func clearingAhead(of row: ObjectID, _ limit: ChunkLimit) throws -> Chunk? {
        guard let entityIndex = reader.spaces.entityIndex(of: row.space) else { return nil }
        let paths = LinkPath.all(of: entityIndex, reader.map).filter {
            DeletePlanner.mayUnlinkFirst($0.relationship, counts, reader)
        }
        let members = try paths.map { path in
            let least = leastCount(of: path.relationship)
            let links = try reader.links(path, from: KeySet([row.key]), atMost: limit.links + least)
            return KeySet(links.dropLast(least).map(\.member))
        }
        guard let most = members.indices.max(by: { members[$0].count < members[$1].count }), !members[most].isEmpty,
            try mayBeDeleted(row, without: paths)
        else { return nil }
        return Chunk(
            plan: try reader.clearing(paths[most], of: row.key, members[most]), linkCount: members[most].count)
    }

    /// Returns the number of members that a row keeps until it is deleted, as the deletion may stop before.
    private func leastCount(of relationship: EntityRelationship) -> Int {
        let refused = counts.refusedCounts(of: relationship, in: reader.model)
        return max(relationship.relationship.leastCount, refused?.upperBound ?? 0)
    }

    /// Whether no surviving row denies the deletion, as far as can be decided without these links.
    private func mayBeDeleted(_ row: ObjectID, without paths: [LinkPath]) throws -> Bool {
        var request = DeleteRequest(.rows(RowSet([row])))
        request.counts = counts
        let (_, details) = try DeletePlanner.detailedPlan(
            request, PartialReading(whole: reader, hidden: Set(paths.map(\.place))))
        return try DeleteLineage.rows(details.blockers, below: roots, reader).count == details.blockers.count
    }
}

/// The rows of a store without the links of some relationships.
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

    func referencingRows(of place: RelationshipPlace, referringTo rows: SpaceKeys) throws -> RowSet {
        try whole.referencingRows(of: place, referringTo: rows)
    }

    func owners(
        _ owners: SpaceKeys, of place: RelationshipPlace, leftWith refused: Range<Int>, without leaving: RowSet
    ) throws -> KeySet {
        try whole.owners(owners, of: place, leftWith: refused, without: leaving)
    }
}
