import ObjectGraph

/// Makes one change set out of imported rows: all of them new, linked with each other as the source says.
///
/// The source is gone through twice where rows are linked, as links may lead to rows that come later. Values and names are
/// kept, and not what they were read from.
package struct RowImport {
    private let model: Model
    private let source: ImportSource
    /// By what the source calls them.
    private var places: [String: Int] = [:]
    private var ids: [ObjectID] = []
    private var entities: [Entity] = []
    private var values: [[Value]] = []
    private var links = LinkCollection()
    private var hasLinks = false

    /// - Parameter progress: told of bytes read of bytes in all; throws to stop.
    /// - Throws: `InspectionError`, `JSONReadingError`, and what `progress` throws.
    package init(
        _ model: Model, _ source: ImportSource, progress: (_ done: Int64, _ total: Int64) throws -> Void = { _, _ in }
    ) throws {
        self.model = model
        self.source = source
        try source.forEachRow(progress: { try progress($0 / 2, source.size) }) { try add($0) }
        if hasLinks {
            var place = 0
            try source.forEachRow(progress: { try progress((source.size + $0) / 2, source.size) }) { row in
                guard entities.indices.contains(place), entities[place].name == row.entity else { throw Self.changed }
                try addLinks(of: row, at: place)
                place += 1
            }
        }
        try checkMandatoryLinks()
    }

    private static let changed = InspectionError.badInput("What is imported changed while it was read; try again.")

    private mutating func add(_ row: ImportedRow) throws {
        let entity = try model.inspectedEntity(row.entity)
        guard !entity.isAbstract else {
            throw InspectionError.badInput("'\(entity.name)' is abstract and can have no rows (\(row.place)).")
        }
        if let name = row.id, places.updateValue(ids.count, forKey: Self.plainName(name)) != nil {
            throw InspectionError.badInput("Two objects are called \(name) (\(row.place)).")
        }
        entities.append(entity)
        ids.append(.temporary(entityName: entity.name))
        values.append(try attributes(of: row, entity))
        hasLinks = hasLinks || row.fields.contains { !$0.value.isNone && entity.relationship(named: $0.name) != nil }
    }

    /// Rows of each entity, by its name.
    package var counts: [(entity: String, count: Int)] {
        Dictionary(grouping: entities, by: \.name).map { ($0.key, $0.value.count) }.sorted { $0.0 < $1.0 }
    }

    package var rowCount: Int { ids.count }

    package func changes(author: String?) -> ChangeSet {
        var changes = ChangeSet()
        changes.author = author
        for (place, entity) in entities.enumerated() {
            changes.insertions.append(
                ChangeSet.Insertion(id: ids[place], entityIndex: entity.index, values: SlotValues(values[place])))
        }
        changes.links = links.changes(ids: ids, entities: entities, model: model)
        return changes
    }

    /// `Item/p12`, whatever store it came from.
    private static func plainName(_ name: String) -> String {
        guard name.hasPrefix("x-coredata://") else { return name }
        return name.split(separator: "/").suffix(2).joined(separator: "/")
    }

    private func error(_ row: ImportedRow, _ property: String, _ reason: String) -> InspectionError {
        .badInput("'\(row.entity).\(property)' of \(row.place) \(reason).")
    }

    // MARK: Attributes

    private func attributes(of row: ImportedRow, _ entity: Entity) throws -> [Value] {
        var found = Array(repeating: Value.null, count: entity.slots.count)
        let fields = Dictionary(row.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        var known = Set(entity.relationships.map(\.name))
        for attribute in entity.attributes where !attribute.attribute.isTransient {
            let leaves = Self.leaves(attribute.attribute)
            known.insert(attribute.name)
            known.formUnion(leaves.map(\.path))
            let isGiven = fields[attribute.name] != nil || leaves.contains { fields[$0.path] != nil }
            if attribute.attribute.isDerived { continue }
            guard isGiven else {
                if let defaults = attribute.attribute.defaultValue {
                    for (slot, value) in zip(attribute.slots, defaults) { found[slot] = value }
                }
                continue
            }
            if let whole = fields[attribute.name], attribute.attribute.type == .composite {
                try checkParts(whole, of: attribute.name, Set(leaves.map(\.path)), row)
            }
            for (slot, leaf) in zip(attribute.slots, leaves) {
                let given = Self.given(leaf, attribute.attribute, fields)
                guard let value = ValueImport.value(given, leaf.attribute) else {
                    throw error(row, leaf.path, "is no \(TypeText.text(leaf.attribute).replacing("?", with: ""))")
                }
                found[slot] = value
            }
        }
        if let unknown = row.fields.first(where: { !known.contains($0.name) }) {
            throw InspectionError.unknownProperty(
                entity: entity.name, property: unknown.name, known: entity.propertyNames)
        }
        try checkMandatory(found, of: row, entity)
        return found
    }

    /// A value given for a composite must be one of its parts with all that is within it, or what its only part is.
    private func checkParts(
        _ value: InspectedValue, of path: String, _ leaves: Set<String>, _ row: ImportedRow
    ) throws {
        guard let fields = value.fieldsValue else {
            let isOnly = leaves.count == 1 && !path.contains(".")
            guard value.isNone || isOnly || leaves.contains(path) else {
                throw error(row, path, "is none of \(leaves.sorted().joined(separator: ", "))")
            }
            return
        }
        for field in fields { try checkParts(field.value, of: "\(path).\(field.name)", leaves, row) }
    }

    private struct Leaf {
        let attribute: Attribute
        /// `author.person`; an attribute that is no composite is its own leaf.
        let path: String
    }

    private static func leaves(_ attribute: Attribute) -> [Leaf] {
        guard attribute.type == .composite else { return [Leaf(attribute: attribute, path: attribute.name)] }
        return attribute.elements.flatMap { element in
            leaves(element).map { Leaf(attribute: $0.attribute, path: "\(attribute.name).\($0.path)") }
        }
    }

    /// A leaf stands in the fields of its composite, in a column of its own, or, where it is the only one, alone.
    private static func given(_ leaf: Leaf, _ attribute: Attribute, _ fields: [String: InspectedValue])
        -> InspectedValue
    {
        if let direct = fields[leaf.path], leaf.path != attribute.name || attribute.type != .composite { return direct }
        guard let whole = fields[attribute.name] else { return .none }
        if whole.fieldsValue == nil, attribute.leaves.count == 1 { return whole }
        return leaf.path.split(separator: ".").dropFirst().reduce(whole) { $0[String($1)] ?? .none }
    }

    // MARK: Links

    private mutating func addLinks(of row: ImportedRow, at place: Int) throws {
        for field in row.fields {
            guard let relationship = entities[place].relationship(named: field.name), !field.value.isNone else {
                continue
            }
            let targets = try targets(field, of: row, relationship)
            if relationship.isToOne {
                guard targets.count <= 1 else { throw error(row, field.name, "leads to one object only") }
                if let target = targets.first { try setDestination(of: place, relationship, to: target, row) }
            } else {
                try addMembers(of: place, relationship, targets, row)
            }
        }
    }

    private func targets(
        _ field: InspectedField, of row: ImportedRow, _ relationship: EntityRelationship
    ) throws -> [Int] {
        let names: [String] =
            switch field.value {
            case .text(let text): text.split(separator: ";").map(String.init)
            case .list(let elements): elements.compactMap { $0.textValue ?? $0[RowRendering.idField]?.textValue }
            case .fields: field.value[RowRendering.idField]?.textValue.map { [$0] } ?? []
            default: []
            }
        return try names.map { name in
            guard let target = places[Self.plainName(name)] else {
                throw error(row, field.name, "leads to \(name), which is not among what is imported")
            }
            guard model.isKind(entities[target].index, of: relationship.destinationIndex) else {
                throw error(
                    row, field.name, "leads to \(name), which is no '\(model.destination(of: relationship).name)'")
            }
            return target
        }
    }

    private mutating func setDestination(
        of place: Int, _ relationship: EntityRelationship, to target: Int, _ row: ImportedRow
    ) throws {
        guard let slot = relationship.slot else { return }
        let reference = Value.reference(ids[target])
        guard values[place][slot].isNull || values[place][slot] == reference else {
            throw error(row, relationship.name, "leads to two objects")
        }
        values[place][slot] = reference
        // With a key at both ends, both are written.
        guard let inverse = model.inverse(of: relationship), let back = inverse.slot else { return }
        let own = Value.reference(ids[place])
        guard values[target][back].isNull || values[target][back] == own else {
            throw error(row, relationship.name, "leads to an object that leads to another one")
        }
        values[target][back] = own
    }

    private mutating func addMembers(
        of place: Int, _ relationship: EntityRelationship, _ targets: [Int], _ row: ImportedRow
    ) throws {
        if let inverse = model.inverse(of: relationship), let slot = inverse.slot {
            for target in targets {
                guard values[target][slot].isNull || values[target][slot] == .reference(ids[place]) else {
                    throw error(row, relationship.name, "has a member that another object has, too")
                }
                values[target][slot] = .reference(ids[place])
            }
            if relationship.relationship.isOrdered { links.setOrder(of: place, relationship, targets) }
        } else {
            links.add(place, relationship, targets, model)
        }
    }

    // MARK: Rules

    private func checkMandatory(_ values: [Value], of row: ImportedRow, _ entity: Entity) throws {
        for attribute in entity.attributes {
            let rule = attribute.attribute
            let isNeeded = !rule.isOptional && !rule.isTransient && !rule.isDerived && rule.type != .composite
            guard isNeeded, attribute.slots.allSatisfy({ values[$0].isNull }) else { continue }
            throw error(row, attribute.name, "must have a value")
        }
    }

    /// Either end may have told of a link.
    private func checkMandatoryLinks() throws {
        for (place, entity) in entities.enumerated() {
            for relationship in entity.toOneRelationships where !relationship.relationship.isOptional {
                guard let slot = relationship.slot, values[place][slot].isNull else { continue }
                throw try error(at: place, relationship.name, "must lead to an object")
            }
        }
    }

    /// Where a row was is not kept, but looked up.
    private func error(at wanted: Int, _ property: String, _ reason: String) throws -> InspectionError {
        struct Found: Error {
            let row: ImportedRow
        }
        var place = 0
        do {
            try source.forEachRow { row in
                if place == wanted { throw Found(row: row) }
                place += 1
            }
        } catch let found as Found {
            return error(found.row, property, reason)
        }
        return Self.changed
    }
}
