import ObjectGraph

/// Determines which parts of archived deletions can be restored, before anything is written.
struct RestoreCheck {
    /// Rows that are not restored.
    private(set) var out: Set<RowName> = []
    /// References that rows are restored without.
    private(set) var without: Set<ArchivedReference> = []
    /// Restored links of survivors.
    private(set) var restoredLinks: [ArchivedLink] = []

    private let current: Rows
    private let archived: [ArchivedContents]
    private let rows: [RowName: Row]
    private var findings: [Finding: Set<RowName>] = [:]
    private var joinConflicts: [RestoreConflict] = []

    /// The reason and subject of a conflict.
    private struct Finding: Hashable {
        let reason: RestoreConflict.Reason
        let entityIndex: Int
        let relationship: String?
    }

    init(_ archived: [ArchivedContents], _ current: Rows) {
        self.archived = archived
        self.current = current
        rows = archived.reduce(into: [:]) { $0.merge($1.rows) { first, _ in first } }
        checkRows()
        let fixed = findings
        // Rows that require a row that is not restored are not restored either, and so on.
        var outCount = -1
        while outCount != out.count {
            outCount = out.count
            (findings, without) = (fixed, [])
            for (name, row) in rows { checkReferences(of: name, row) }
        }
        checkJoins()
        checkLinks()
    }

    var conflicts: [RestoreConflict] {
        findings.map { finding, rows in
            let examples = rows.sorted().prefix(RestoreConflict.exampleCount).map {
                current.spaces.id(entityIndex: finding.entityIndex, key: $0.key)
            }
            return RestoreConflict(
                reason: finding.reason, entity: current.model[finding.entityIndex].name,
                relationship: finding.relationship, count: rows.count, examples: examples)
        }.sorted { $0.description < $1.description } + joinConflicts
    }

    private mutating func note(
        _ reason: RestoreConflict.Reason, _ name: RowName, _ entityIndex: Int, _ relationship: String? = nil
    ) {
        let finding = Finding(reason: reason, entityIndex: entityIndex, relationship: relationship)
        findings[finding, default: []].insert(name)
    }

    private func isRestored(_ name: RowName) -> Bool { rows[name] != nil && !out.contains(name) }

    private func exists(_ name: RowName) -> Bool { current[name] != nil || isRestored(name) }

    // MARK: Deleted rows

    private mutating func checkRows() {
        for (name, row) in rows {
            if current[name] != nil { excludeRows(name, row, .keyInUse) }
            for constraint in constraints(of: row) where isInUse(constraint, name, row) {
                let properties = constraint.slots.map(current.model[row.entityIndex].propertyName)
                excludeRows(name, row, .notUnique(properties: properties))
            }
        }
    }

    private func constraints(of row: Row) -> [UniqueConstraint] {
        current.model.uniqueConstraints(inHierarchyOf: current.model[row.entityIndex])
    }

    private mutating func excludeRows(
        _ name: RowName, _ row: Row, _ reason: RestoreConflict.Reason, _ relationship: String? = nil
    ) {
        out.insert(name)
        note(reason, name, row.entityIndex, relationship)
    }

    /// Whether an existing row has the same values, or a row of another archived deletion before this one. Rows of one
    /// deletion cannot conflict, because they existed together.
    private func isInUse(_ constraint: UniqueConstraint, _ name: RowName, _ row: Row) -> Bool {
        guard let key = current.key(row, constraint) else { return false }
        if current.all(constraint.entityIndex).contains(where: { current.key($0.row, constraint) == key }) {
            return true
        }
        let first = rows.filter { current.key($0.value, constraint) == key }.keys.min() ?? name
        return archived.first { $0.rows[first] != nil }?.rows[name] == nil
    }

    private mutating func checkReferences(of name: RowName, _ row: Row) {
        let unsound = archived.reduce(into: Set()) { $0.formUnion($1.unsound) }
        for reference in current.references(of: name, row) where !unsound.contains(reference) {
            let relationship = current.relationship(reference.relationship)
            let isMandatory = relationship.isToOne && !relationship.relationship.isOptional
            let need: RestoreConflict.Need = isMandatory ? .mandatory : .optional
            for reason in [
                (reference.target.flatMap(current.name).map(exists) ?? false)
                    ? nil : RestoreConflict.Reason.destinationRowMissing(need),
                current.refersToLinkedRow(reference) ? .destinationInUse(need) : nil,
            ].compactMap({ $0 }) {
                if isMandatory {
                    excludeRows(name, row, reason, relationship.name)
                } else if !out.contains(name) {
                    without.insert(reference)
                    note(reason, name, row.entityIndex, relationship.name)
                }
            }
        }
    }

    // MARK: Links

    /// Checks links with a missing end.
    private mutating func checkJoins() {
        let joins = archived.flatMap(\.joins.keys).filter { !bothExist($0) }
        for (place, joins) in Dictionary(grouping: joins, by: \.relationship) {
            let there = joins.map { exists($0.owner) ? $0.owner : $0.member }.compactMap(id)
            guard let name = current.firstName(ofJoinsBy: place) else { continue }
            joinConflicts.append(
                RestoreConflict(
                    reason: .joinedRowMissing, entity: name.entity, relationship: name.relationship, count: joins.count,
                    examples: Set(there).sorted()))
        }
    }

    private func bothExist(_ join: Join) -> Bool { exists(join.owner) && exists(join.member) }

    private func id(_ name: RowName) -> ObjectID? {
        current.id(name) ?? rows[name].map { current.id($0, name) }
    }

    /// Checks links of survivors: a reference must still have its value after the deletion, or the one before.
    private mutating func checkLinks() {
        var lists: [ArchivedLink] = []
        for link in archived.flatMap(\.links) {
            let (name, reference) = (link.reference.row, link.reference)
            guard let target = reference.target.flatMap(current.name) else {
                lists.append(link)
                continue
            }
            let now = current[name].flatMap { row in
                current.references(of: name, row).first { $0.relationship == reference.relationship }?.target
            }
            let reason: RestoreConflict.Reason? =
                if current[name] == nil, rows[name] == nil {
                    .survivorMissing
                } else if let now, current.name(of: now) != target {
                    .survivorRefersElsewhere
                } else { exists(target) ? nil : .destinationRowMissing(.optional) }
            if let reason {
                note(reason, name, link.entityIndex, current.relationship(reference.relationship).name)
            } else {
                restoredLinks.append(link)
            }
        }
        restoredLinks += lists.filter { current[$0.reference.row] != nil && regainsMembers($0.reference) }
    }

    private func regainsMembers(_ list: ArchivedReference) -> Bool {
        let isOwnInverse = current.model.isOwnInverse(current.relationship(list.relationship))
        return switch current.storage(of: current.relationship(list.relationship)) {
        case nil, .ownReference, .ownerOfMember: false
        case .memberReference(let inverse, _):
            (rows.filter { isRestored($0.key) }.flatMap { current.references(of: $0.key, $0.value) }
                .filter { !without.contains($0) } + restoredLinks.map(\.reference))
                .contains { $0.relationship == inverse.place && $0.target.flatMap(current.name) == list.row }
        case .joins(let side):
            archived.flatMap(\.joins.keys).contains { join in
                join.relationship == side.relationship && bothExist(join)
                    && (side.owner(of: join) == list.row || isOwnInverse && side.member(of: join) == list.row)
            }
        }
    }
}
