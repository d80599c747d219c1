import ObjectGraph

/// Plans the next chunk of a long delete within the transaction that carries it out. Whatever it returns is a delete by
/// the rules of its own: with its closure, its survivors and its refusals judged as the rows are now.
struct ChunkPlanner {
    let reader: DeleteReader
    let roots: RowSet
    let counts: DeleteRequest.CountRule
    /// Whether others may have changed rows since the queue was made: then each row's turn begins with asking whether it
    /// still hangs below the roots.
    let mayHaveMoved: Bool

    private typealias Planned = (plan: DeletePlan, details: DeleteDetails)

    /// - Parameters:
    ///   - queue: what is left; the rows of the chunk are taken out.
    ///   - limit: how many rows the chunk should have. Those that cannot go apart are more.
    /// - Returns: an empty plan when nothing is left.
    /// - Throws: `DeleteError.refused` when rows that nobody asked to delete stand in the way.
    func next(_ queue: inout DeleteQueue, limit: Int) throws -> DeletePlan {
        while let taken = queue.take(limit) {
            let rows = mayHaveMoved ? try DeleteLineage.rows(taken, below: roots, reader) : taken
            guard !rows.isEmpty else { continue }
            var planned = try plan(rows)
            guard !planned.plan.isEmpty else { continue }
            try narrow(&planned, &queue, limit)
            return try widened(planned, &queue)
        }
        return DeletePlan()
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
}
