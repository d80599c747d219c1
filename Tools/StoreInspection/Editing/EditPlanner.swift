import ObjectGraph
import SQLiteStore

/// Computes the effect of an edit: parses the typed texts, applies them to a separate graph, which maintains inverses
/// and validates like any save, and looks up rows that violate uniqueness constraints.
package struct EditPlanner {
    private let store: SQLiteStore
    private let edit: RowEdit
    private let entity: Entity
    private let row: Snapshot
    private var problems: [EditProblem] = []

    package enum Result: Sendable {
        case plan(EditPlan)
        /// The edit would change nothing.
        case nothing(ObjectID)
        case refused(ObjectID, [EditProblem])
        /// The row was saved after the form was created.
        case changedMeanwhile(ObjectID, RowVersion, [EditConflict])
    }

    /// - Throws: `InspectionError.noRow` and others, and errors of reading.
    package static func result(of edit: RowEdit, in store: SQLiteStore) throws -> Result {
        let id = try ObjectAddress(edit.object).id(in: store)
        guard let row = try store.snapshots(of: [id]).first, let entity = store.model.entity(named: row.id.entityName)
        else { throw InspectionError.noRow(edit.object) }
        var planner = EditPlanner(store: store, edit: edit, entity: entity, row: row)
        return try planner.result()
    }

    private init(store: SQLiteStore, edit: RowEdit, entity: Entity, row: Snapshot) {
        (self.store, self.edit, self.entity, self.row) = (store, edit, entity, row)
    }

    private mutating func result() throws -> Result {
        guard row.version == edit.version else { return .changedMeanwhile(row.id, row.version, conflicts()) }
        let graph = Graph(model: store.model, store: store)
        graph.saveOptions.constraints = .refuse
        guard let record = graph.record(for: row.id) else { throw InspectionError.noRow(edit.object) }
        graph.fire(record)
        try checkNames()
        setValues(of: record)
        try setDestinations(of: record, graph)
        try setMembers(of: record, graph)
        checkComposites(of: record)
        let changes = try graph.changeSet(author: nil)
        let broken = try graph.validationErrors().flatMap(\.single).map { problem($0) }
        problems += broken
        guard problems.isEmpty else { return .refused(row.id, problems) }
        guard !changes.writesNothing else { return .nothing(row.id) }
        for update in changes.updates { try checkUniqueness(of: update) }
        guard problems.isEmpty else { return .refused(row.id, problems) }
        return .plan(try plan(changes, graph))
    }

    private mutating func refuse(_ property: String?, _ text: String, candidates: [ObjectID] = []) {
        problems.append(EditProblem(property: property, text: text, candidates: candidates))
    }

    // MARK: Conflicts

    private func conflicts() -> [EditConflict] {
        let leaves = Dictionary(EditableLeaf.all(of: entity).map { ($0.path, $0) }, uniquingKeysWith: { one, _ in one })
        let values = edit.values.sorted { $0.key < $1.key }.map { path, text in
            let stored: String? =
                leaves[path].flatMap { leaf in
                    guard row.values.indices.contains(leaf.slot),
                        case .text(let stored) = EditText.form(of: row.values[leaf.slot], leaf.leaf)
                    else { return nil }
                    return stored
                }
            return EditConflict(property: path, was: text.was, stored: stored, wanted: text.wanted)
        }
        let links = edit.destinations.sorted { $0.key < $1.key }.map { name, text in
            let stored = entity.relationship(named: name).flatMap(destination)?.address
            return EditConflict(property: name, was: text.was, stored: stored, wanted: text.wanted)
        }
        return values + links
    }

    private func destination(_ relationship: EntityRelationship) -> ObjectID? {
        guard let slot = relationship.slot, row.values.indices.contains(slot),
            case .reference(let id) = row.values[slot]
        else { return nil }
        return id
    }

    // MARK: Values

    /// Rejects unknown properties instead of ignoring them.
    private func checkNames() throws {
        let leaves = Set(EditableLeaf.all(of: entity).map(\.path))
        let links = Set(entity.relationships.filter { !$0.relationship.isTransient }.map(\.name))
        let names = edit.values.keys.filter { !leaves.contains($0) }
        let others = [edit.destinations.keys.map { $0 }, edit.added.keys.map { $0 }, edit.removed.keys.map { $0 }]
        if let unknown = names.first ?? others.joined().first(where: { !links.contains($0) }) {
            throw InspectionError.unknownProperty(entity: entity.name, property: unknown, known: entity.propertyNames)
        }
    }

    private mutating func setValues(of record: Record) {
        for leaf in EditableLeaf.all(of: entity) {
            guard let text = edit.values[leaf.path], !EditText.areSame(text.was, text.wanted) else { continue }
            guard case .text = EditText.form(of: record.value(leaf.slot), leaf.leaf) else {
                refuse(leaf.path, "This value is read only.")
                continue
            }
            guard let value = EditText.value(text.wanted, leaf.leaf) else {
                refuse(
                    leaf.path,
                    "'\(entity.name).\(leaf.path)' takes \(EditText.expected(leaf.leaf)).")
                continue
            }
            record.setValue(value, at: leaf.slot)
        }
    }

    /// A composite must have no value at all, or all its mandatory parts: anything else could not be decoded.
    private mutating func checkComposites(of record: Record) {
        for attribute in entity.attributes
        where attribute.attribute.type == .composite && !attribute.attribute.isTransient
            && !attribute.attribute.isDerived
        {
            let leaves = EditableLeaf.all(of: entity).filter { $0.attribute === attribute }
            guard leaves.contains(where: { edit.values[$0.path] != nil }) else { continue }
            let isNil = leaves.allSatisfy { record.value($0.slot).isNull }
            guard !isNil else {
                let isMissing = !attribute.attribute.isOptional && leaves.contains { !$0.leaf.isOptional }
                if isMissing { refuse(attribute.name, "'\(entity.name).\(attribute.name)' must have a value.") }
                continue
            }
            for leaf in leaves where !leaf.leaf.isOptional && record.value(leaf.slot).isNull {
                refuse(
                    leaf.path,
                    "'\(entity.name).\(leaf.path)' must have a value while other parts of '\(attribute.name)' have one."
                )
            }
        }
    }

    // MARK: Links

    private mutating func setDestinations(of record: Record, _ graph: Graph) throws {
        for relationship in entity.toOneRelationships {
            guard let text = edit.destinations[relationship.name], text.was != text.wanted else { continue }
            guard let wanted = text.wanted, !wanted.isBlank else {
                graph.setDestination(of: record, relationship, to: nil)
                continue
            }
            guard let id = try found(wanted, relationship), let destination = graph.record(for: id) else { continue }
            graph.fire(destination)
            graph.setDestination(of: record, relationship, to: destination)
        }
    }

    private mutating func setMembers(of record: Record, _ graph: Graph) throws {
        for relationship in entity.toManyRelationships {
            for address in edit.removed[relationship.name] ?? [] {
                guard let member = graph.record(for: try ObjectAddress(address).id(in: store)) else { continue }
                graph.fire(member)
                graph.remove(member, from: relationship, of: record)
            }
            for text in edit.added[relationship.name] ?? [] where !text.isBlank {
                guard let id = try found(text, relationship), let member = graph.record(for: id) else { continue }
                graph.fire(member)
                graph.add(member, to: relationship, of: record)
            }
        }
    }

    private mutating func found(_ text: String, _ relationship: EntityRelationship) throws -> ObjectID? {
        let destination = store.model.destination(of: relationship)
        switch try store.reading({ try RowLookup(destination, store.model, $0).find(text, in: store) }) {
        case .one(let id): return id
        case .none:
            refuse(relationship.name, "There is no \(destination.name) '\(text.cut(to: 60))'.")
        case .several(let ids):
            refuse(
                relationship.name,
                "'\(text.cut(to: 60))' is not one \(destination.name) only; choose the one that is meant.",
                candidates: ids)
        }
        return nil
    }

    // MARK: Rules

    private func problem(_ error: ValidationError) -> EditProblem {
        let (id, property, text): (ObjectID, String, String) =
            switch error {
            case .missingValue(let id, let property): (id, property, "must have a value")
            case .unwritableValue(let id, let property): (id, property, "was given a value that cannot be stored")
            case .tooFew(let id, let name, let count, let least):
                (id, name, "would have \(Amounts.count(count, "object")) and needs at least \(Amounts.count(least))")
            case .tooMany(let id, let name, let count, let most):
                (id, name, "would have \(Amounts.count(count, "object")) and may have at most \(Amounts.count(most))")
            case .deniedDelete(let id, let name, _, _): (id, name, "refuses the change")
            case .several: (row.id, "", error.description)
            }
        let isOwn = id == row.id
        let of = isOwn ? "" : " of \(id.address)"
        return EditProblem(property: isOwn ? property : nil, text: "'\(id.entityName).\(property)'\(of) \(text).")
    }

    /// Reports uniqueness violations before the save, which would fail because of them.
    private mutating func checkUniqueness(of update: ChangeSet.Update) throws {
        var entity = store.model[update.entityIndex]
        let changed = Set(update.changedSlots)
        while true {
            for constraint in entity.uniquenessConstraints {
                guard let test = UniqueTest(constraint, entity, update.values), !changed.isDisjoint(with: test.slots)
                else { continue }
                let query = test.query(besides: update.id)
                guard let other = try store.fetchIDs(query).first else { continue }
                refuse(
                    update.id == row.id ? constraint.first : nil,
                    "'\(entity.name).\(constraint.joined(separator: ", "))' must be unique, and \(other.address) has the same."
                )
            }
            guard let above = entity.superentityIndex else { return }
            entity = store.model[above]
        }
    }

    // MARK: Plan

    private func plan(_ changes: ChangeSet, _ graph: Graph) throws -> EditPlan {
        let before = Dictionary(
            try store.snapshots(of: changes.updates.map(\.id)).map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
        let orders = try changes.links.map { link -> [ObjectID]? in
            guard link.order != nil else { return nil }
            let index = link.relationshipIndex
            return try store.members(of: index, entityIndex: link.ownerEntityIndex, owners: [link.owner])[link.owner]
        }
        let rows = changes.updates.map { update in
            EditedRow(
                id: update.id,
                properties: values(update, before[update.id])
                    + graph.memberEdits(of: update.id).map { members($0, update) })
        }
        let derived = Set(changes.updates.map(\.entityIndex)).flatMap { index in
            store.model[index].attributes.filter { $0.attribute.isDerived }.map {
                "\(store.model[index].name).\($0.name)"
            }
        }
        return EditPlan(
            id: row.id, rows: rows.filter { $0.id == row.id } + rows.filter { $0.id != row.id },
            derived: derived.sorted(),
            changes: changes, reversal: EditReversal(of: changes, rows: before, orders: orders))
    }

    private func values(_ update: ChangeSet.Update, _ before: Snapshot?) -> [EditedProperty] {
        let entity = store.model[update.entityIndex]
        let rendering = RowRendering(store.model, .people)
        let after = Snapshot(id: update.id, version: update.expectedVersion, values: update.values)
        let changed = Set(update.changedSlots)
        let attributes = entity.attributes.filter { !changed.isDisjoint(with: $0.slots) }.map { attribute in
            EditedProperty(
                name: attribute.name,
                change: .value(
                    old: before.map { rendering.value(of: attribute, in: $0) } ?? .none,
                    new: rendering.value(of: attribute, in: after)))
        }
        let links = entity.toOneRelationships.filter { $0.slot.map(changed.contains) ?? false }.map { relationship in
            EditedProperty(
                name: relationship.name,
                change: .destination(
                    old: before.flatMap { $0.destination(of: relationship) }, new: after.destination(of: relationship)))
        }
        return attributes + links
    }

    private func members(_ members: ChangeSet.LinkChange, _ update: ChangeSet.Update) -> EditedProperty {
        let relationship = store.model[update.entityIndex].relationships[members.relationshipIndex]
        return EditedProperty(
            name: relationship.name, change: .members(added: members.added, removed: members.removed))
    }
}

/// Whether another row has the same values for one uniqueness constraint.
private struct UniqueTest {
    let slots: Set<Int>
    private let entity: Entity
    private let tests: [QueryExpression]

    /// - Returns: `nil` if a value of the constraint is nil, as nil values do not conflict.
    init?(_ constraint: [String], _ entity: Entity, _ values: SlotValues) {
        self.entity = entity
        var slots: Set<Int> = []
        var tests: [QueryExpression] = []
        for path in constraint {
            let names = path.split(separator: ".").map(String.init)
            guard let first = names.first else { return nil }
            if let relationship = entity.relationship(named: first), let slot = relationship.slot {
                guard values.indices.contains(slot), !values[slot].isNull else { return nil }
                let reference = RelationshipReference(
                    entityIndex: entity.index, index: relationship.index, name: relationship.name)
                tests.append(.compare(.equal, .identity(.toOne(.variable(.root), reference)), .literal(values[slot])))
                slots.insert(slot)
                continue
            }
            guard let attribute = entity.attribute(named: first),
                let places = attribute.attribute.leafPositions(at: names.dropFirst())
            else { return nil }
            for place in places {
                let slot = attribute.slots.lowerBound + place
                guard values.indices.contains(slot), !values[slot].isNull else { return nil }
                let leaf = AttributeReference(entityIndex: entity.index, slot: slot, path: path)
                tests.append(.compare(.equal, .attribute(.variable(.root), leaf), .literal(values[slot])))
                slots.insert(slot)
            }
        }
        (self.slots, self.tests) = (slots, tests)
    }

    func query(besides id: ObjectID) -> Query {
        let isOther = QueryExpression.compare(.notEqual, .identity(.variable(.root)), .literal(.reference(id)))
        var query = Query(entityIndex: entity.index, predicate: .and(tests + [isOther]))
        query.limit = 1
        return query
    }
}
