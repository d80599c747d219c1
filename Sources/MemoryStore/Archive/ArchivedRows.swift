import ObjectGraph

/// Archived deletions that are restored together, beside the present rows.
struct ArchivedRows: ArchiveReading {
    private let archived: [ArchivedContents]
    private let current: Rows
    /// The deleted rows in their former state.
    private let rows: [RowName: Row]

    /// - Throws: `RecoveryError.unknownToken`.
    init(_ tokens: [RecoveryToken], in current: Rows) throws {
        archived = try tokens.map { token in
            guard let found = current.archive.first(where: { $0.token == token }) else {
                throw RecoveryError.unknownToken(token)
            }
            return found
        }
        self.current = current
        rows = archived.reduce(into: [:]) { rows, contents in
            for id in contents.rows.ids {
                guard let name = current.name(of: id) else { continue }
                rows[name] = rows[name] ?? contents.before[name]
            }
        }
    }

    private func ids(_ rows: [RowName: Row]) -> RowSet { RowSet(rows.map { current.id($0.value, $0.key) }) }

    /// Whether a row exists or is restored.
    private func exists(_ name: RowName, without out: RowSet) -> Bool {
        current[name] != nil || rows[name].map { !out.contains(current.id($0, name)) } ?? false
    }

    // MARK: Rows

    func obstaclesToRows() -> [Obstacle] {
        let roots = current.model.entities.filter(\.isRoot)
        let constraints = roots.flatMap(current.model.uniqueConstraints(inHierarchyOf:))
        let equal = constraints.map { constraint -> Obstacle in
            let properties = constraint.slots.map(current.model[constraint.entityIndex].propertyName)
            return (.notUnique(properties: properties), ids(rows.filter { isInUse(constraint, $0.key, $0.value) }))
        }
        return [(.keyInUse, ids(rows.filter { current[$0.key] != nil }))] + equal
    }

    /// Whether an existing row has the same values, or a row of another archived deletion before this one. Rows of one
    /// deletion cannot conflict, because they existed together.
    private func isInUse(_ constraint: UniqueConstraint, _ name: RowName, _ row: Row) -> Bool {
        guard let key = current.key(row, constraint) else { return false }
        if !current.rows(with: key, of: constraint).isEmpty { return true }
        let first = rows.filter { current.key($0.value, constraint) == key }.keys.min() ?? name
        return archived.first { $0.has(first) }?.has(name) == false
    }

    // MARK: References

    var references: [RelationshipPlace] {
        current.model.entities.flatMap { entity in
            entity.relationships.filter { $0.declaringIndex == entity.index && current.isReference($0) }.map(\.place)
        }
    }

    func name(of place: RelationshipPlace) -> String { current.relationship(place).name }

    func isMandatory(_ place: RelationshipPlace) -> Bool {
        current.relationship(place).relationship.requiresDestination
    }

    /// A reference that was inconsistent before the deletion already is restored like that.
    func obstacles(
        to place: RelationshipPlace, _ need: RestoreConflict.Need, without out: RowSet
    ) -> [Obstacle] {
        let relationship = current.relationship(place)
        let sound = rows.filter { name, row in
            archived.contains { $0.has(name) && $0.before.isSound(relationship, of: row, name) }
        }
        let missing = sound.filter { _, row in
            current.target(relationship, of: row).map { !exists($0, without: out) } ?? true
        }
        let inUse = sound.filter { current.refersToLinkedRow(relationship, $0.value, $0.key) }
        return [(.destinationRowMissing(need), ids(missing)), (.destinationInUse(need), ids(inUse))]
    }

    // MARK: Joins

    func conflictsOfJoins(without out: RowSet) -> [RestoreConflict] {
        let lost = archived.flatMap(\.joins).filter { current.isFirstEnd($0) && !bothExist($0, without: out) }
        return Dictionary(grouping: lost, by: \.relationship).map { place, links in
            let there = links.map { exists($0.owner, without: out) ? $0.owner : $0.member }
            let examples = there.compactMap { name in (current[name] ?? rows[name]).map { current.id($0, name) } }
            return RestoreConflict(
                reason: .joinedRowMissing, entity: current.model[place.entityIndex].name,
                relationship: current.relationship(place).name, count: links.count, examples: Set(examples).sorted())
        }
    }

    private func bothExist(_ link: Link, without out: RowSet) -> Bool {
        exists(link.owner, without: out) && exists(link.member, without: out)
    }

    // MARK: Survivors

    var links: [ArchivedLinks] { archived.flatMap(\.links) }

    func isList(_ links: ArchivedLinks) -> Bool { !links.isReference }

    func name(of links: ArchivedLinks) -> String? { links.relationship.name }

    func survivors(of links: ArchivedLinks, without out: RowSet) -> [Survivors] {
        Dictionary(grouping: links.rows.ids) { reason(against: links, of: $0, out) }.map { ($0, RowSet($1)) }
    }

    /// A reference must still have its value after the deletion, or the one before.
    private func reason(against links: ArchivedLinks, of id: ObjectID, _ out: RowSet) -> RestoreConflict.Reason? {
        guard let name = current.name(of: id), current[name] != nil || rows[name] != nil
        else { return .survivorMissing }
        guard let target = links.reference(of: id).flatMap(current.name) else { return nil }
        let now = current[name].flatMap { current.target(links.relationship, of: $0) } ?? target
        if now != target { return .survivorRefersElsewhere }
        return exists(target, without: out) ? nil : .destinationRowMissing(.optional)
    }

    func owners(regaining list: ArchivedLinks, _ check: RestoreCheck<ArchivedRows>) -> RowSet {
        if let reference = current.memberReference(list.relationship) {
            return current.set(targets(of: reference, check).compactMap(current.name))
        }
        let links = archived.flatMap(\.joins).filter {
            $0.relationship == list.relationship.place && bothExist($0, without: check.out)
        }
        // If a relationship is its own inverse, its rows may be at either end.
        let isOwnInverse = current.model.isOwnInverse(list.relationship)
        return current.set(links.map(\.owner) + (isOwnInverse ? links.map(\.member) : []))
    }

    /// Returns the destinations of restored references, of deleted rows and of survivors.
    private func targets(of reference: EntityRelationship, _ check: RestoreCheck<ArchivedRows>) -> [ObjectID] {
        let without = check.out.union(check.without[reference.place] ?? RowSet())
        let restored = rows.filter { !without.contains(current.id($0.value, $0.key)) }.values
        let regained = zip(links, check.relinked).filter { $0.0.relationship.place == reference.place }
        return restored.compactMap { current.reference(reference, of: $0) }
            + regained.flatMap { links, back in back.ids.compactMap(links.reference) }
    }
}

extension ArchivedContents {
    fileprivate func has(_ name: RowName) -> Bool { before.id(name).map(rows.contains) ?? false }
}
