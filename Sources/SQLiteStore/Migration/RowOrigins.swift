import ObjectGraph
import StoreSQL

/// The source of a column's cells.
enum ColumnOrigin: Equatable {
    case nothing
    /// A column of the original row.
    case column(String)
    /// Any other expression; the original row has the alias `s`.
    case expression(SQLText)

    var sql: SQLText {
        switch self {
        case .nothing: "NULL"
        case .column(let name): SQLText("\(RowOrigins.row).\(name)")
        case .expression(let text): text
        }
    }
}

/// The sources of the columns of one destination entity's rows.
struct RowOrigins {
    let source: MigrationSource
    let entity: Entity
    let mapping: EntityMapping
    /// The names of derived attributes whose values were left without triggers.
    let abandoned: Set<String>

    /// The alias of the original row in statements.
    static let row = "s"

    private var former: EntityStorage { source.map.entities[mapping.sourceIndex] }
    private var destination: Model { source.mapping.destination }

    /// - Returns: `nil` for a column that rows of the entity do not use.
    func origin(of column: TableColumn) -> ColumnOrigin? {
        switch column.role {
        case .leaf(let key, let position):
            guard destination.isKind(entity.index, of: key.entityIndex) else { return nil }
            return entity.attribute(named: key.name).map { leaf(position, of: $0) }
        case .key(let key): return rowLinks(key).map(self.key)
        case .entityNumber(let key): return rowLinks(key).map(number)
        case .order(let key): return orderLinks(key).map(order)
        }
    }

    // MARK: Attributes

    private func leaf(_ position: Int, of attribute: EntityAttribute) -> ColumnOrigin {
        if attribute.attribute.isDerived { return derived(attribute) }
        let columns = attribute.slots.map(formerColumn)
        let own = columns[position]?.name
        guard let value = defaultCell(position, of: attribute) else { return own.map(ColumnOrigin.column) ?? .nothing }
        let present = columns.compactMap { $0?.name }
        guard !present.isEmpty else { return .expression(.parameter(value)) }
        let given = SQLText.parameter(value)
        let isMissing = present.map { "\(Self.row).\($0) IS NULL" }.joined(separator: " AND ")
        guard let own else {
            // A new member of a struct: rows that have the struct get the default's value for it.
            return .expression(
                "CASE WHEN \(isMissing) THEN \(mayLackValue(attribute) ? given : "NULL") ELSE \(given) END")
        }
        guard mayLackValue(attribute) else { return .column(own) }
        return .expression("CASE WHEN \(isMissing) THEN \(given) ELSE \(Self.row).\(own) END")
    }

    private func formerColumn(ofSlot slot: Int) -> SlotColumn? {
        mapping.slotOrigins[slot].flatMap { former.columns.element($0) ?? nil }
    }

    /// Whether rows may have no value for a mandatory attribute, because it is new or was optional. They get the default.
    private func mayLackValue(_ attribute: EntityAttribute) -> Bool {
        guard !attribute.attribute.isOptional else { return false }
        return formerAttribute(attribute)?.isOptional ?? true
    }

    private func formerAttribute(_ attribute: EntityAttribute) -> Attribute? {
        let position = entity.attributes.firstIndex { $0 === attribute }
        return position.flatMap { mapping.attributeOrigins[$0] }
            .map { source.mapping.source[mapping.sourceIndex].attributes[$0].attribute }
    }

    private func defaultCell(_ position: Int, of attribute: EntityAttribute) -> Cell? {
        guard let value = attribute.attribute.defaultValue?.element(position) else { return nil }
        let leaf = attribute.attribute.leaves[position]
        guard let cell = try? ColumnCodec.cell(of: value, leaf.type), cell != .null else { return nil }
        // Cells whose format changes are converted after they have been copied.
        let slot = attribute.slots.lowerBound + position
        let isTagged = formerColumn(ofSlot: slot)?.isExternal ?? leaf.allowsExternalStorage
        guard isTagged, case .bytes(let data) = cell else { return cell }
        return .bytes(ExternalData.inlineCell(for: data))
    }

    /// The values are computed by triggers.
    private func derived(_ attribute: EntityAttribute) -> ColumnOrigin {
        guard !abandoned.contains(attribute.name), let old = formerAttribute(attribute), old.isDerived,
            old.derivation == attribute.attribute.derivation,
            old.derivationFilter == attribute.attribute.derivationFilter, old.type == attribute.attribute.type,
            let column = formerColumn(ofSlot: attribute.slots.lowerBound)
        else { return .nothing }
        return .column(column.name)
    }

    // MARK: Relationships

    /// Returns links with this entity's rows as owners and the destinations of their keys as members.
    /// - Returns: `nil` if the key does not belong to the entity's rows.
    private func rowLinks(_ key: PropertyKey) -> [SourceLinks]? {
        guard let relationship = source.relationship(key) else { return nil }
        if relationship.isToOne {
            guard destination.isKind(entity.index, of: key.entityIndex) else { return nil }
            if let origin = mapping.relationshipOrigins[relationship.index] {
                let former = source.mapping.source[mapping.sourceIndex].relationships[origin]
                return [source.map.links(of: former)].compactMap { $0 }
            }
            return source.allLinks(relationship)
        }
        guard destination.isKind(entity.index, of: relationship.destinationIndex) else { return nil }
        return source.allLinks(relationship).map(\.reversed)
    }

    /// Returns the links of the key that an order key belongs to.
    private func orderLinks(_ key: PropertyKey) -> [SourceLinks]? {
        guard let relationship = source.relationship(key) else { return nil }
        return rowLinks(destination.inverse(of: relationship)?.propertyKey ?? key)
    }

    /// Returns the links of a key that are stored outside of the row that will have the key.
    func scatteredLinks(_ key: PropertyKey) -> [SourceLinks] { (rowLinks(key) ?? []).filter { !isDirect($0) } }

    /// Whether the links are columns of the row itself.
    private func isDirect(_ links: SourceLinks) -> Bool { links.owner.isRow && links.table == former.table }

    private func key(_ links: [SourceLinks]) -> ColumnOrigin {
        guard let first = links.first else { return .nothing }
        if links.count == 1, isDirect(first), !source.removesRows(first.member.entityIndex) {
            return .column(first.member.column)
        }
        let keys = links.map { source.surviving(found($0, $0.member.column), $0.member.entityIndex) }
        return .expression(SQLText(coalesced(keys)))
    }

    private func number(_ links: [SourceLinks]) -> ColumnOrigin {
        guard let first = links.first else { return .nothing }
        if links.count == 1, isDirect(first), !source.removesRows(first.member.entityIndex),
            let number = first.member.number,
            source.keepsNumbers(first.member.entityIndex)
        {
            return .column(number)
        }
        let numbers = links.map { source.renumbered(found($0, $0.member.column), $0.member.entityIndex) }
        return .expression(SQLText(coalesced(numbers)))
    }

    private func order(_ links: [SourceLinks]) -> ColumnOrigin {
        let ordered = links.filter { $0.member.order != nil }
        guard let first = ordered.first, let column = first.member.order else { return .nothing }
        if ordered.count == 1, isDirect(first) { return .column(column) }
        return .expression(SQLText(coalesced(ordered.map { found($0, $0.member.order ?? column) })))
    }

    /// Reads a column of the row's link. There is only one: a migration with several links for one row has been refused.
    private func found(_ links: SourceLinks, _ column: String) -> String {
        if isDirect(links) { return "\(Self.row).\(column)" }
        return "(SELECT min(l.\(column)) FROM \(source.name(links.table)) l "
            + "WHERE l.\(links.owner.column) = \(Self.row).\(SystemTables.keyColumn))"
    }

    private func coalesced(_ values: [String]) -> String {
        values.count == 1 ? values[0] : "coalesce(\(values.joined(separator: ", ")))"
    }
}
