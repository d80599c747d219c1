import ObjectGraph
import SQLiteStore
import StoreInspection

/// Finds the rows that block a delete, so that they can be deleted with it.
struct Blockers {
    /// Relationships from the rows to delete to the blocking rows.
    private let names: Set<String>

    /// An added row can be blocked in turn, so planning repeats up to this many rounds.
    private static let mostRounds = 8
    private static let ownersAtOnce = 5_000

    init(_ names: [String]) { self.names = Set(names) }

    /// - Returns: the request with the rows that block it along the named relationships added to its roots.
    /// - Throws: errors of planning and reading.
    func added(to request: DeleteRequest, _ store: SQLiteStore) throws -> DeleteRequest {
        var request = request
        for _ in 0..<Self.mostRounds {
            let plan = try store.plan(request)
            let refusals = plan.refusals.filter { names.contains($0.relationship.description) }
            guard !refusals.isEmpty else { break }
            var roots = Array(plan.roots.ids)
            for refusal in refusals { roots += try rows(refusal, plan, store) }
            request.roots = .rows(RowSet(roots))
        }
        return request
    }

    /// Destinations of the deleted rows that are not deleted themselves.
    private func rows(_ refusal: DeleteRefusal, _ plan: DeletePlan, _ store: SQLiteStore) throws -> [ObjectID] {
        let model = store.model
        guard let asked = model.entity(named: refusal.relationship.entity) else { return [] }
        return try store.reading { reading in
            let reading = reading.markingUnreadable()
            var found: Set<ObjectID> = []
            for (space, keys) in plan.deleted.keysBySpace {
                guard let entity = model.entity(named: space.entityName), model.isKind(entity.index, of: asked.index),
                    let relationship = entity.relationship(named: refusal.relationship.relationship)
                else { continue }
                for part in keys.parts(of: Self.ownersAtOnce) {
                    let owners = part.keys.map { ObjectID(space: space, key: $0) }
                    let ends = try Self.ends(of: relationship, entity, owners, reading)
                    // Reads the rows for their own entities, which may be subentities of the relationship's
                    // destination.
                    for row in try reading.snapshots(of: ends) where !plan.deleted.contains(row.id) {
                        found.insert(row.id)
                    }
                }
            }
            return Array(found)
        }
    }

    private static func ends(
        of relationship: EntityRelationship, _ entity: Entity, _ owners: [ObjectID], _ reading: StoreReading
    ) throws -> [ObjectID] {
        guard let slot = relationship.slot else {
            return try reading.members(of: relationship, entityIndex: entity.index, owners: owners).values.flatMap {
                $0
            }
        }
        return try reading.snapshots(of: owners).compactMap { row in
            if row.values.indices.contains(slot), case .reference(let end) = row.values[slot] { end } else { nil }
        }
    }
}
