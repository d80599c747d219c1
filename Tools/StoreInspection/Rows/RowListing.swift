import ObjectGraph
import SQLiteStore

/// Rows of an entity with their linked rows, formatted for display in pages of limited size.
package struct RowListing: Sendable {
    package let model: Model
    package let query: Query
    /// Names of the fields, in order; the object ID comes first.
    package let columns: [String]
    private let rendering: RowRendering
    private let related: [EntityRelationship]
    /// The relationships in `related`, except those requested only as columns.
    private let shownInDetail: [EntityRelationship]
    private let detail: Detail

    /// The form of linked rows.
    package enum Detail: Sendable {
        /// By address.
        case addresses
        /// By address, and for those requested as related also with their label, if they have one.
        case labels
        /// With their attributes.
        case objects
    }

    /// - Parameters:
    ///   - columns: properties to show; empty for attributes and to-one relationships, with the identifying property
    ///     first in the style for people.
    ///   - related: relationships whose destinations are shown.
    /// - Throws: `InspectionError.unknownProperty`.
    package init(
        _ query: Query, in model: Model, columns wanted: [String] = [], related names: [String] = [],
        style: RowRendering.Style, detail: Detail
    ) throws {
        self.model = model
        self.query = query
        self.detail = detail
        rendering = RowRendering(model, style)
        let entity = model[query.entityIndex]
        var related = try names.map { try entity.inspectedRelationship($0) }
        shownInDetail = related
        var columns: [String] = []
        for name in wanted {
            if name == RowRendering.idField || RowRendering.hasValue(name, of: entity) {
                columns.append(name)
            } else {
                let relationship = try Self.relationship(name, of: entity)
                columns.append(relationship.name)
                if !relationship.isToOne, !related.contains(where: { $0 === relationship }) {
                    related.append(relationship)
                }
            }
        }
        if wanted.isEmpty { columns = Self.plainColumns(of: entity, in: model) }
        if wanted.isEmpty, style == .people, let identifying = RowLabels.likelyAttribute(of: entity)?.name {
            columns = columns.filter { $0 == identifying } + columns.filter { $0 != identifying }
        }
        columns.removeAll { $0 == RowRendering.idField }
        self.columns = [RowRendering.idField] + columns + related.map(\.name).filter { !columns.contains($0) }
        self.related = related
    }

    private static func relationship(_ name: String, of entity: Entity) throws -> EntityRelationship {
        guard let relationship = entity.relationship(named: name) else {
            let first = name.prefix { $0 != "." }
            if first != name, entity.relationship(named: String(first)) != nil {
                throw InspectionError.unsuitableProperty(
                    entity: entity.name, property: name,
                    reason: "columns are the row's own properties; "
                        + "show the destinations of '\(first)' with --with \(first).")
            }
            throw InspectionError.unknownProperty(entity: entity.name, property: name, known: entity.propertyNames)
        }
        return relationship
    }

    /// Includes the columns of subentities, as their rows are listed, too.
    private static func plainColumns(of entity: Entity, in model: Model) -> [String] {
        var names: [String] = []
        for index in entity.familyIndexes {
            let own = model[index]
            let attributes = own.attributes.filter { !$0.attribute.isTransient }.map(\.name)
            for name in attributes + own.toOneRelationships.map(\.name) where !names.contains(name) {
                names.append(name)
            }
        }
        return names
    }

    /// - Parameters:
    ///   - pageSize: the number of rows in a page; fewer if they have many links.
    ///   - body: throws to stop.
    package func forEachPage(
        _ reading: StoreReading, pageSize: Int = 500, _ body: ([[InspectedField]]) throws -> Void
    ) throws {
        var parts = LinkedParts()
        let wanted = Set(columns.map { String($0.prefix { $0 != "." }) })
        try reading.limited(toFilesOf: wanted).forEachPage(of: query, size: pageSize) { page in
            guard !related.isEmpty else { return try body(rows(page, reading)) }
            try parts.forEachPart(of: page) { rows in
                let members = try related.map { try self.members($0, rows, reading) }
                try body(fields(of: rows, members, reading))
                return members.reduce(0) { $0 + $1.linkCount }
            }
        }
    }

    /// Returns the fields of these rows, in the order of `columns`.
    package func rows(_ page: [Snapshot], _ reading: StoreReading) throws -> [[InspectedField]] {
        try fields(of: page[...], related.map { try members($0, page[...], reading) }, reading)
    }

    private func fields(
        of rows: ArraySlice<Snapshot>, _ members: [[ObjectID: [ObjectID]]], _ reading: StoreReading
    ) throws -> [[InspectedField]] {
        let links = try zip(related, members).map { try self.links($0, $1, reading) }
        let rendering = rendering.marking(reading)
        return rows.map { row in
            columns.map { name in
                if let place = related.firstIndex(where: { $0.name == name }) {
                    return InspectedField(name, links[place][row.id] ?? (related[place].isToOne ? .none : .list([])))
                }
                return InspectedField(name, rendering.value(name, of: row) ?? .none)
            }
        }
    }

    // MARK: Links

    private func links(
        _ relationship: EntityRelationship, _ members: [ObjectID: [ObjectID]], _ reading: StoreReading
    ) throws -> [ObjectID: InspectedValue] {
        // The linked rows share one table; a row's entity may be a subentity of the one in the link.
        var shown: [Int64: InspectedValue] = [:]
        if detail == .objects || detail == .labels && shownInDetail.contains(where: { $0 === relationship }) {
            let ids = Array(Set(members.values.joined()))
            // Labels use values in the rows only, not external data.
            let reading = detail == .labels ? reading.limited(toFilesOf: []) : reading
            let rendering = rendering.marking(reading)
            let rows = try reading.snapshots(of: ids)
            let labels = detail == .labels ? try RowLabels(model, reading).labels(of: rows) : [:]
            for row in rows { shown[row.id.key] = value(of: row, labels[row.id], rendering) }
        }
        return members.mapValues { ids in
            let values = ids.map { shown[$0.key] ?? .text($0.address) }
            return relationship.isToOne ? values.first ?? .none : .list(values)
        }
    }

    private func value(of row: Snapshot, _ label: String?, _ rendering: RowRendering) -> InspectedValue {
        guard detail == .labels else { return .fields(rendering.fields(of: row)) }
        return .text([row.id.address, label].compactMap { $0 }.joined(separator: " "))
    }

    private func members(
        _ relationship: EntityRelationship, _ page: ArraySlice<Snapshot>, _ reading: StoreReading
    ) throws -> [ObjectID: [ObjectID]] {
        guard let slot = relationship.slot else {
            return try reading.members(of: relationship, entityIndex: query.entityIndex, owners: page.map(\.id))
        }
        var found: [ObjectID: [ObjectID]] = [:]
        for row in page where row.values.indices.contains(slot) {
            if case .reference(let id) = row.values[slot] { found[row.id] = [id] }
        }
        return found
    }
}
