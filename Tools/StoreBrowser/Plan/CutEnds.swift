import ObjectGraph
import SQLiteStore

/// The deleted entities that nullified links pointed to. A plan records only which rows lose a link. If rows of several
/// entities are deleted, the surviving rows are read to distinguish the entities.
struct CutEnds: Sendable {
    /// Numbers of surviving rows, by link, then by deleted entity.
    private var counts: [NullifiedLink: [String: Int]] = [:]

    /// The limit of rows of one link; more are not read for a diagram.
    private static let most = 2_000

    init() {}

    /// - Throws: errors of reading.
    init(_ plan: DeletePlan, _ reading: StoreReading, in model: Model) throws {
        guard plan.deleted.keysBySpace.count > 1 else { return }
        for link in plan.cleared where link.keys.count <= Self.most {
            guard let entity = model.entity(named: link.space.entityName),
                entity.relationships.indices.contains(link.relationshipIndex)
            else { continue }
            let relationship = entity.relationships[link.relationshipIndex]
            let going = plan.deleted.keysBySpace.filter { space, _ in
                model.entity(named: space.entityName).map {
                    model.isKind($0.index, of: relationship.destinationIndex)
                } ?? false
            }
            guard going.count > 1 else { continue }
            let ids = link.keys.keys.map { ObjectID(space: link.space, key: $0) }
            for (_, ends) in try Self.ends(of: relationship, entity, ids, reading) {
                for (space, keys) in going where ends.contains(where: { keys.contains($0.key) }) {
                    counts[link, default: [:]][space.entityName, default: 0] += 1
                }
            }
        }
    }

    /// - Returns: `nil` if the link was not examined, or points to no row of the entity.
    func count(of link: NullifiedLink, to entity: String) -> Int? { counts[link]?[entity] }

    private static func ends(
        of relationship: EntityRelationship, _ entity: Entity, _ ids: [ObjectID], _ reading: StoreReading
    ) throws -> [ObjectID: [ObjectID]] {
        guard let slot = relationship.slot else {
            return try reading.members(of: relationship, entityIndex: entity.index, owners: ids)
        }
        var found: [ObjectID: [ObjectID]] = [:]
        for row in try reading.snapshots(of: ids) where row.values.indices.contains(slot) {
            if case .reference(let end) = row.values[slot] { found[row.id] = [end] }
        }
        return found
    }
}
