import ObjectGraph
import SQLiteStore

/// Reads rows to import. All of them are inserted as new rows and linked as in the source. They are complete and
/// validated before any is written.
///
/// The source is read once. A link may refer to a later row, so links are kept with the rows' values until all names
/// are known.
package struct RowImport {
    private let model: Model
    private let staged: StagedRows
    private let rules: ImportRules
    private var violations = ImportViolations()
    /// The number of omitted links to rows that the source does not contain.
    package private(set) var leftOutCount = 0
    /// The number of omitted values that the export could not read.
    package private(set) var lostCount = 0

    /// - Parameter progress: called with the phase, the amount done and the total; throws to stop.
    /// - Throws: `InspectionError`, `JSONReadingError`, `SQLiteError`, and errors of `progress`.
    package init(
        _ model: Model, _ source: ImportSource, rules: ImportRules = ImportRules(),
        progress: @escaping (_ phase: Phase, _ done: Int64, _ total: Int64) throws -> Void = { _, _, _ in }
    ) throws {
        self.model = model
        self.rules = rules
        staged = try StagedRows(model)
        try source.forEachRow(progress: { try progress(.reading, $0, source.size) }) { try add($0) }
        var linked: Int64 = 0
        try staged.forEachGivenLink { row, origin, links in
            if linked % 256 == 0 { try progress(.linking, linked, Int64(rowCount)) }
            linked += 1
            try addLinks(of: Owner(row: row, entity: model[row.entityIndex], origin: origin), links)
        }
        guard rules.violations == .refuse else { return }
        try checkCountedLinks()
        try violations.check()
    }

    package enum Phase: Sendable {
        /// In bytes.
        case reading
        /// In rows.
        case linking
        /// In rows. Searches for rows to replace.
        case matching
    }

    private mutating func add(_ row: ImportedRow) throws {
        let entity = try model.inspectedEntity(row.entity)
        guard !entity.isAbstract else {
            throw InspectionError.badInput("'\(entity.name)' is abstract and can have no rows (\(row.place)).")
        }
        let isNew = try staged.add(
            entity, name: row.id.map(Self.plainName), origin: row.place, values: try attributes(of: row, entity),
            links: try links(of: row, entity))
        guard isNew else {
            throw InspectionError.badInput("Two objects are called \(row.id ?? "") (\(row.place)).")
        }
    }

    /// Numbers of rows by entity.
    package var counts: [(entity: String, count: Int)] {
        model.entities.map { ($0.name, staged.count(of: $0)) }.filter { $0.1 > 0 }.sorted { $0.0 < $1.0 }
    }

    package var rowCount: Int { staged.count }

    /// Writes all rows, or none.
    /// - Parameter progress: called with the number of rows written so far; throws to stop.
    /// - Returns: the number of rows that replaced existing rows.
    /// - Throws: errors of saving, and errors of `progress`.
    package func save(to store: SQLiteStore, author: String, progress: (Int) throws -> Void) throws -> Int {
        try store.save(staged, author: author, progress: progress)
    }

    /// Returns the number of rows that would replace rows with the same unique values, in the store or among the
    /// imported rows.
    /// - Parameter progress: as for `init`; throws to stop.
    /// - Throws: errors of reading, and errors of `progress`.
    package func replacedCount(
        in store: SQLiteStore,
        progress: (_ phase: Phase, _ done: Int64, _ total: Int64) throws -> Void = { _, _, _ in }
    ) throws -> Int {
        try store.replacedCount(of: staged) { try progress(.matching, Int64($0), Int64(rowCount)) }
    }

    /// Whether any row has an entity with uniqueness constraints.
    package var mayReplace: Bool {
        model.entities.contains { staged.count(of: $0) > 0 && isUnique($0) }
    }

    private func isUnique(_ entity: Entity) -> Bool {
        !entity.uniquenessConstraints.isEmpty || (entity.superentityIndex.map { isUnique(model[$0]) } ?? false)
    }

    /// All rows as one change set in memory.
    package func changes(author: String?) throws -> ChangeSet { try staged.changes(author: author) }

    /// The short address `Item/p12` of a row of any store.
    private static func plainName(_ name: String) -> String {
        guard name.hasPrefix("x-coredata://") else { return name }
        return name.split(separator: "/").suffix(2).joined(separator: "/")
    }

    private func error(_ row: ImportedRow, _ property: String, _ reason: String) -> InspectionError {
        Self.error(row.entity, row.place, property, reason)
    }

    private static func error(
        _ entity: String, _ origin: String, _ property: String, _ reason: String
    ) -> InspectionError {
        .badInput("'\(entity).\(property)' of \(origin) \(reason).")
    }

    // MARK: Attributes

    private mutating func attributes(of row: ImportedRow, _ entity: Entity) throws -> [Value] {
        var found = Array(repeating: Value.null, count: entity.slots.count)
        var fields: [String: InspectedValue] = [:]
        for field in row.fields where fields.updateValue(field.value, forKey: field.name) != nil {
            throw error(row, field.name, "is there twice")
        }
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
                if Self.isLost(given, leaf.attribute) {
                    try omitLost(row, leaf.path)
                    continue
                }
                guard let value = ValueImport.value(given, leaf.attribute) else {
                    let type = TypeText.text(leaf.attribute).replacing("?", with: "")
                    throw error(
                        row, leaf.path, "is no \(type): \(ValueImport.expected(leaf.attribute)) is expected")
                }
                found[slot] = value
            }
        }
        if let unknown = row.fields.first(where: { !known.contains($0.name) }) {
            throw InspectionError.unknownProperty(
                entity: entity.name, property: unknown.name, known: entity.propertyNames)
        }
        if rules.violations == .refuse { checkMandatory(found, of: row, entity) }
        return found
    }

    private static func isLost(_ value: InspectedValue, _ leaf: Attribute) -> Bool {
        value.lostMark != nil || value.textValue.map { LostValue.isMark($0, for: leaf) } ?? false
    }

    private mutating func omitLost(_ row: ImportedRow, _ property: String) throws {
        guard rules.lostValues == .omit else {
            throw error(
                row, property,
                "is a mark for a value that could not be read when it was exported; give --leave-out-lost to import "
                    + "without such values")
        }
        lostCount += 1
    }

    /// Checks the value given for a composite: it must consist of the composite's parts, or be the value of its only
    /// part.
    private func checkParts(
        _ value: InspectedValue, of path: String, _ leaves: Set<String>, _ row: ImportedRow
    ) throws {
        if value.lostMark != nil { return }
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
        /// The path of the leaf, such as `author.person`. An attribute that is no composite is its own leaf.
        let path: String
    }

    private static func leaves(_ attribute: Attribute) -> [Leaf] {
        guard attribute.type == .composite else { return [Leaf(attribute: attribute, path: attribute.name)] }
        return attribute.elements.flatMap { element in
            leaves(element).map { Leaf(attribute: $0.attribute, path: "\(attribute.name).\($0.path)") }
        }
    }

    /// The value of a leaf may be in the fields of its composite, in a column of its own, or, if it is the only leaf,
    /// the composite's value itself.
    private static func given(_ leaf: Leaf, _ attribute: Attribute, _ fields: [String: InspectedValue])
        -> InspectedValue
    {
        if let direct = fields[leaf.path], leaf.path != attribute.name || attribute.type != .composite { return direct }
        guard let whole = fields[attribute.name] else { return .none }
        if whole.fieldsValue == nil, attribute.leaves.count == 1 { return whole }
        return leaf.path.split(separator: ".").dropFirst().reduce(whole) { $0[String($1)] ?? .none }
    }

    // MARK: Links

    /// Collects the links of a row without checking them.
    private mutating func links(of row: ImportedRow, _ entity: Entity) throws -> [StagedRows.GivenLink] {
        try row.fields.compactMap { field in
            guard let relationship = entity.relationship(named: field.name), !field.value.isNone else { return nil }
            guard field.value.lostMark == nil, !LostValue.isMark(field.value.textValue ?? "") else {
                try omitLost(row, field.name)
                return nil
            }
            guard let names = Self.names(in: field.value) else {
                throw error(row, field.name, "is neither the name of an object nor a list of names")
            }
            guard !relationship.isToOne || names.count <= 1 else {
                throw error(row, field.name, "has one destination only")
            }
            return StagedRows.GivenLink(relationshipIndex: relationship.index, names: names.map(Self.plainName))
        }
    }

    /// - Returns: `nil` if an element is no name.
    private static func names(in value: InspectedValue) -> [String]? {
        if case .text(let text) = value { return text.split(separator: ";").map(String.init) }
        let elements = value.listValue ?? [value]
        let names = elements.compactMap { $0.textValue ?? $0[RowRendering.idField]?.textValue }
        return names.count == elements.count ? names : nil
    }

    /// The row that declares a link.
    private struct Owner {
        let row: StagedRows.Row
        let entity: Entity
        let origin: String

        func error(_ property: String, _ reason: String) -> InspectionError {
            RowImport.error(entity.name, origin, property, reason)
        }
    }

    private mutating func addLinks(of owner: Owner, _ links: [StagedRows.GivenLink]) throws {
        for link in links {
            let relationship = owner.entity.relationships[link.relationshipIndex]
            let targets = try link.names.compactMap { try target($0, of: relationship, owner) }
            leftOutCount += link.names.count - targets.count
            if relationship.isToOne {
                if let target = targets.first { try setDestination(of: owner, relationship, to: target) }
            } else {
                try addMembers(of: owner, relationship, targets)
            }
        }
    }

    /// - Returns: `nil` for a link to omit.
    private func target(
        _ name: String, of relationship: EntityRelationship, _ owner: Owner
    ) throws -> StagedRows.Row? {
        guard let target = try staged.row(named: name) else {
            if rules.outwardLinks == .omit { return nil }
            throw owner.error(
                relationship.name,
                "references \(name), which is not among what is imported; give --leave-out-links to import without such "
                    + "links")
        }
        guard model.isKind(target.entityIndex, of: relationship.destinationIndex) else {
            throw owner.error(
                relationship.name, "references \(name), which is no '\(model.destination(of: relationship).name)'")
        }
        return target
    }

    private func setDestination(
        of owner: Owner, _ relationship: EntityRelationship, to target: StagedRows.Row
    ) throws {
        guard let slot = relationship.slot else { return }
        guard try staged.refer(owner.row, slot: slot, to: target) else {
            throw owner.error(relationship.name, "references two objects")
        }
        guard let inverse = model.inverse(of: relationship) else { return }
        // Adds the member to the order, in case its owner does not list it.
        if inverse.relationship.isOrdered { try staged.link(target, inverse, to: [owner.row], by: .otherEnd) }
        // With a foreign key at both ends, both are written. If violations are accepted, each row sets only its own
        // end.
        guard let back = inverse.slot, rules.violations == .refuse else { return }
        guard try staged.refer(target, slot: back, to: owner.row) else {
            throw owner.error(relationship.name, "references an object that references another one")
        }
    }

    private func addMembers(
        of owner: Owner, _ relationship: EntityRelationship, _ targets: [StagedRows.Row]
    ) throws {
        let isOrdered = relationship.relationship.isOrdered
        let inverse = model.inverse(of: relationship)
        if let slot = inverse?.slot {
            for target in targets where try !staged.refer(target, slot: slot, to: owner.row) {
                throw owner.error(relationship.name, "has a member that another object has, too")
            }
            if isOrdered { try staged.link(owner.row, relationship, to: targets, by: .owner) }
        } else if isOrdered {
            try staged.link(owner.row, relationship, to: targets, by: .owner)
            // Adds the owner to the members' orders, in case they do not list it.
            if let inverse, inverse.relationship.isOrdered { try lead(targets, along: inverse, backTo: owner.row) }
        } else {
            try addUnordered(of: owner.row, relationship, targets)
        }
    }

    private func lead(
        _ members: [StagedRows.Row], along relationship: EntityRelationship, backTo owner: StagedRows.Row
    ) throws {
        for member in members { try staged.link(member, relationship, to: [owner], by: .otherEnd) }
    }

    /// Writes each link once: at the end whose relationship sorts first, or at the ordered end; at both ends if both
    /// are the same relationship.
    private func addUnordered(
        of owner: StagedRows.Row, _ relationship: EntityRelationship, _ targets: [StagedRows.Row]
    ) throws {
        guard let inverse = model.inverse(of: relationship) else {
            return try staged.link(owner, relationship, to: targets, by: .otherEnd)
        }
        let own = (relationship.declaringIndex, relationship.name)
        let other = (inverse.declaringIndex, inverse.name)
        let isHere = !inverse.relationship.isOrdered && own <= other
        if isHere { try staged.link(owner, relationship, to: targets, by: .otherEnd) }
        let isOwnInverse = own == other && relationship.destinationIndex == relationship.declaringIndex
        if !isHere || isOwnInverse { try lead(targets, along: inverse, backTo: owner) }
    }

    // MARK: Rules

    private mutating func checkMandatory(_ values: [Value], of row: ImportedRow, _ entity: Entity) {
        for attribute in entity.attributes {
            let rule = attribute.attribute
            let isNeeded = !rule.isOptional && !rule.isTransient && !rule.isDerived && rule.type != .composite
            guard isNeeded, attribute.slots.allSatisfy({ values[$0].isNull }) else { continue }
            violations.add(row.entity, attribute.name, "must have a value", row.place)
        }
    }

    /// Validates links as every save does for new objects. Either end may have declared a link.
    private mutating func checkCountedLinks() throws {
        for entity in model.entities {
            for relationship in entity.countedRelationships where !relationship.relationship.isTransient {
                if let slot = relationship.slot {
                    guard let found = try staged.rows(of: entity, withoutDestinationAt: slot) else { continue }
                    violations.add(
                        entity.name, relationship.name, "must have a destination", found.origin, count: found.count)
                    continue
                }
                guard let found = try staged.miscount(of: relationship, entity) else { continue }
                violations.add(
                    entity.name, relationship.name, Self.text(found, relationship.relationship), found.origin,
                    count: found.rowCount)
            }
        }
    }

    private static func text(_ found: StagedRows.Miscount, _ rule: Relationship) -> String {
        let isTooFew = rule.refusedCounts?.contains(found.count) ?? false
        let limit = isTooFew ? "at least \(rule.minimumCount)" : "at most \(rule.maximumCount)"
        return "references \(Amounts.count(found.count, "object")), and must reference \(limit)"
    }
}
