import ObjectGraph
import SQLiteStore

/// One of the two stores in a comparison of an entity's rows.
struct ComparedSide {
    let model: Model
    let entity: Entity
    let reading: StoreReading
    let rendering: RowRendering
    let labels: RowLabels
    /// Names of the properties that both models have, by entity index.
    private let shared: [Set<String>]

    /// - Throws: `InspectionError.unknownEntity`.
    init(_ name: String, _ model: Model, _ reading: StoreReading, other: Model) throws {
        self.model = model
        entity = try model.inspectedEntity(name)
        self.reading = reading
        rendering = RowRendering(model, .exact).marking(reading)
        labels = RowLabels(model, reading)
        shared = model.entities.map {
            Set($0.propertyNames).intersection(other.entity(named: $0.name)?.propertyNames ?? [])
        }
    }

    /// All rows of the entity, without subentities.
    var rows: Query {
        var query = Query(entityIndex: entity.index)
        query.includesSubentities = false
        return query
    }

    /// Whether a to-many relationship has links, or an order of links, that the to-one inverse does not express.
    func isLinkOfItsOwn(_ relationship: EntityRelationship) -> Bool {
        !relationship.isToOne
            && (relationship.relationship.isOrdered || !(model.inverse(of: relationship)?.isToOne ?? false))
    }

    /// The destinations of a relationship of each row.
    func members(_ relationship: EntityRelationship, of rows: [Snapshot]) throws -> [ObjectID: [ObjectID]] {
        guard relationship.slot != nil else {
            return try reading.members(of: relationship, entityIndex: entity.index, owners: rows.map(\.id))
        }
        let found = rows.compactMap { row in row.destination(of: relationship).map { (row.id, [$0]) } }
        return Dictionary(found, uniquingKeysWith: { first, _ in first })
    }

    /// Whether every value of a row is readable.
    func isWhole(_ row: Snapshot) -> Bool { reading.unreadable.map { !$0.includes(row.id) } ?? true }

    /// Names of the properties that an entity has in both models.
    func sharedProperties(of entity: Entity) -> Set<String> { shared[entity.index] }
}

extension Snapshot {
    /// The destination of a to-one relationship.
    func destination(of relationship: EntityRelationship) -> ObjectID? {
        guard let slot = relationship.slot, values.indices.contains(slot), case .reference(let id) = values[slot] else {
            return nil
        }
        return id
    }
}
