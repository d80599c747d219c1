import ObjectGraph

/// Names the destinations of links without primary keys: by the property that names a row, or else by the row's values
/// and the names of its own destinations.
struct LinkNaming {
    let naming: RowNaming
    let side: ComparedSide
    /// The inverse of the relationship. It refers back to the link's owner and is omitted.
    let inverse: String?

    /// The number of relationships to follow from a row that has no name.
    private static let steps = 1

    /// - Throws: `SQLiteError`.
    func names(of ids: Set<ObjectID>) throws -> [ObjectID: InspectedValue] {
        try names(of: ids, steps: Self.steps)
    }

    /// The object IDs may name a superentity of the row's own entity.
    private func names(of ids: Set<ObjectID>, steps: Int) throws -> [ObjectID: InspectedValue] {
        var names: [ObjectID: InspectedValue] = [:]
        for (space, ids) in Dictionary(grouping: ids, by: \.space) {
            var nameless: [(row: Snapshot, entity: Entity)] = []
            for row in try side.reading.snapshots(of: ids) {
                guard let entity = side.rendering.entity(of: row.id) else { continue }
                if let property = naming.property(of: entity, in: side.model) {
                    names[ObjectID(space: space, key: row.id.key)] = side.rendering.value(property, of: row)
                } else {
                    nameless.append((row, entity))
                }
            }
            for (id, value) in try contents(of: nameless, steps: steps) {
                names[ObjectID(space: space, key: id.key)] = value
            }
        }
        return names
    }

    /// Returns the values of rows, also of rows that have a name.
    /// - Throws: `SQLiteError`.
    func contents(of rows: [Snapshot]) throws -> [ObjectID: InspectedValue] {
        try contents(
            of: rows.compactMap { row in side.rendering.entity(of: row.id).map { (row, $0) } }, steps: Self.steps)
    }

    private func contents(
        of rows: [(row: Snapshot, entity: Entity)], steps: Int
    ) throws -> [ObjectID: InspectedValue] {
        let targets = rows.flatMap { row, entity in entity.toOneRelationships.compactMap(row.destination) }
        let names = steps > 0 ? try self.names(of: Set(targets), steps: steps - 1) : [:]
        return Dictionary(
            rows.map { row, entity in (row.id, values(of: row, entity, names)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Omits nil values; the property likely to identify rows comes first.
    private func values(of row: Snapshot, _ entity: Entity, _ targets: [ObjectID: InspectedValue]) -> InspectedValue {
        let shared = side.sharedProperties(of: entity)
        let identifying = RowLabels.likelyAttribute(of: entity)?.name
        let attributes = entity.attributes.filter { !$0.attribute.isTransient && shared.contains($0.name) }
        let ordered = attributes.filter { $0.name == identifying } + attributes.filter { $0.name != identifying }
        let links = entity.toOneRelationships.filter { $0.name != inverse && shared.contains($0.name) }
        let fields =
            ordered.map { InspectedField($0.name, side.rendering.value(of: $0, in: row)) }
            + links.map { InspectedField($0.name, row.destination(of: $0).flatMap { targets[$0] } ?? .none) }
        return .fields(fields.filter { !$0.value.isNone })
    }
}
