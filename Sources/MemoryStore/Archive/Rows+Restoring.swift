import ObjectGraph

extension Rows {
    /// - Throws: `RecoveryError.unknownToken`.
    func check(restoring tokens: [RecoveryToken]) throws -> RestoreCheck {
        let archived = try tokens.map { token in
            guard let found = archive.first(where: { $0.token == token }) else {
                throw RecoveryError.unknownToken(token)
            }
            return found
        }
        return RestoreCheck(archived, self)
    }

    /// Restores rows and links without conflicts. A row that is restored without a reference gets a new version, and so
    /// does a survivor with a restored link, because others may have read the state in between.
    mutating func restore(_ token: RecoveryToken, _ check: RestoreCheck) -> SavedRows {
        guard let place = archive.firstIndex(where: { $0.token == token }) else { return SavedRows() }
        let archived = archive[place]
        var result = SavedRows()
        result.skipped = check.conflicts
        for (name, row) in archived.rows.sorted(by: { $0.key < $1.key }) where !check.out.contains(name) {
            let without = check.without.filter { $0.row == name }
            var row = row
            for reference in without { set(reference, to: nil, place: nil, in: &row) }
            if !without.isEmpty { row.version = .next(after: row.version) }
            self[name] = row
            result.restored.insert(KeySet([name.key]), in: spaces.spaces[row.entityIndex])
            history.noteInsertion(of: id(row, name))
        }
        for (join, places) in archived.joins where self[join.owner] != nil && self[join.member] != nil {
            joins[join] = joins[join] ?? places
        }
        for (name, links) in Dictionary(grouping: check.restoredLinks, by: \.reference.row).sorted(by: {
            $0.key < $1.key
        }) {
            guard var row = self[name] else { continue }
            for link in links { set(link.reference, to: link.reference.target, place: link.place, in: &row) }
            self[name] = row
            result.updated.insert(KeySet([name.key]), in: spaces.spaces[row.entityIndex])
            noteLinkChanges(name, links.map { relationship($0.reference.relationship) })
        }
        retainUnrestored(archived, place, check)
        return result
    }

    private func set(_ reference: ArchivedReference, to target: ObjectID?, place: Int64?, in row: inout Row) {
        let relationship = relationship(reference.relationship)
        if let slot = relationship.slot {
            row.values[slot] = target.map(Value.reference) ?? .null
        } else if reference.target != nil {
            row.owners[reference.relationship] = target
        }
        if reference.target != nil { row.places[list(of: relationship)] = place }
    }

    /// Leaves in the archive everything that was not restored. A reference that a row was restored without becomes a
    /// link to restore.
    private mutating func retainUnrestored(_ archived: ArchivedContents, _ place: Int, _ check: RestoreCheck) {
        if check.conflicts.isEmpty {
            archive.remove(at: place)
            return
        }
        var rest = archived
        rest.rows = archived.rows.filter { check.out.contains($0.key) }
        rest.joins = archived.joins.filter { self[$0.key.owner] == nil || self[$0.key.member] == nil }
        let back = Set(check.restoredLinks.map(\.reference))
        rest.links.removeAll { $0.reference.target != nil && back.contains($0.reference) }
        for reference in check.without {
            guard let row = archived.rows[reference.row] else { continue }
            let place = row.places[list(of: relationship(reference.relationship))]
            rest.links.append(ArchivedLink(entityIndex: row.entityIndex, reference: reference, place: place))
        }
        archive[place] = rest
    }

    // MARK: Joins

    /// Returns the name of a many-to-many relationship: that of the first entity in the model with one of its ends.
    func firstName(ofJoinsBy place: RelationshipPlace) -> RelationshipName? {
        for entity in model.entities {
            for relationship in entity.relationships {
                guard case .joins(let side) = storage(of: relationship), side.relationship == place else { continue }
                return RelationshipName(entity: entity.name, relationship: relationship.name)
            }
        }
        return nil
    }

    func joins(_ links: RemovedJoinLinks) -> [Join] {
        let relationship = relationship(links.place)
        guard case .joins(let side) = storage(of: relationship) else { return [] }
        let owner = RowName(rootIndex: model[links.place.entityIndex].rootIndex, key: links.owner)
        let root = model[relationship.destinationIndex].rootIndex
        return links.members.keys.map { side.join(owner, RowName(rootIndex: root, key: $0)) }
    }
}
