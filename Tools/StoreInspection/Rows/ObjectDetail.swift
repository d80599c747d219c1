import ObjectGraph
import SQLiteStore

/// Everything about one object: its values, and its links in both directions.
package struct ObjectDetail: Sendable {
    package let id: ObjectID
    /// The row version, which every save increments.
    package let version: RowVersion
    /// A short text that identifies the row, if it has one.
    package let label: String?
    package let attributes: [Property]
    package let relationships: [Link]

    package struct Property: Sendable {
        package let name: String
        package let type: String
        package let value: InspectedValue
    }

    package struct Link: Sendable {
        package let relationship: Relationship
        package let count: Int
        /// Some of the destinations, with their labels.
        package let members: [Member]
    }

    package struct Member: Sendable {
        package let id: ObjectID
        package let label: String?
        /// Whether the row exists.
        package let exists: Bool
    }

    /// - Throws: `InspectionError.noRow`, and errors of reading.
    package init(_ id: ObjectID, _ reading: StoreReading, in model: Model, style: RowRendering.Style, most: Int = 5)
        throws
    {
        guard let row = try reading.snapshots(of: [id]).first, let entity = model.entity(named: row.id.entityName),
            let asked = model.entity(named: id.entityName), model.isKind(entity.index, of: asked.index)
        else { throw InspectionError.noRow(id.address) }
        let rendering = RowRendering(model, style).marking(reading)
        self.id = row.id
        version = row.version
        attributes = entity.attributes.filter { !$0.attribute.isTransient }.map { attribute in
            Property(
                name: attribute.name, type: TypeText.text(attribute.attribute),
                value: rendering.value(of: attribute, in: row))
        }
        let labels = RowLabels(model, reading)
        label = try labels.label(of: row)
        relationships = try entity.relationships.filter { !$0.relationship.isTransient }.map { relationship in
            try Self.link(relationship, of: row, entity, reading, labels, most)
        }
    }

    private static func link(
        _ relationship: EntityRelationship, of row: Snapshot, _ entity: Entity, _ reading: StoreReading,
        _ labels: RowLabels, _ most: Int
    ) throws -> Link {
        let page = try page(of: relationship, of: row, entity, reading, most)
        // Labels use values in the rows only, not external data.
        let found = try reading.limited(toFilesOf: []).snapshots(of: page.first)
        let texts = try labels.labels(of: found)
        let rows = Dictionary(found.map { ($0.id.key, $0) }, uniquingKeysWith: { first, _ in first })
        let members = page.first.map { id in
            let found = rows[id.key]
            return Member(id: found?.id ?? id, label: found.flatMap { texts[$0.id] }, exists: found != nil)
        }
        return Link(relationship: relationship.relationship, count: page.count, members: members)
    }

    private static func page(
        of relationship: EntityRelationship, of row: Snapshot, _ entity: Entity, _ reading: StoreReading, _ most: Int
    ) throws -> MemberPage {
        guard let slot = relationship.slot else {
            return try reading.memberPage(of: relationship, entityIndex: entity.index, owner: row.id, limit: most)
        }
        guard row.values.indices.contains(slot), case .reference(let id) = row.values[slot] else {
            return MemberPage(first: [], count: 0)
        }
        return MemberPage(first: most > 0 ? [id] : [], count: 1)
    }
}
