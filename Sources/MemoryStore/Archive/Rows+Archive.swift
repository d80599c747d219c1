import ObjectGraph

extension Rows {
    /// Archives the rows and links that a plan removes.
    /// - Throws: `RecoveryError.tokenInUse`.
    mutating func archiveDeletion(_ plan: DeletePlan, under token: RecoveryToken, author: String?) throws {
        guard !archive.contains(where: { $0.token == token }) else { throw RecoveryError.tokenInUse(token) }
        var before = self
        before.archive = []
        let (deleted, cut) = (Set(plan.deleted.ids.compactMap(name)), Set(plan.cut.flatMap(joins)))
        let lost = joins.filter { deleted.contains($0.owner) || deleted.contains($0.member) || cut.contains($0) }
        let links = plan.cleared.compactMap { link -> ArchivedLinks? in
            guard let relationship = entity(of: link.space)?.relationships[link.relationshipIndex] else { return nil }
            return ArchivedLinks(relationship: relationship, rows: link.rows, before: before)
        }
        archive.append(
            ArchivedContents(
                token: token, author: author, summary: plan.summary, before: before, rows: plan.deleted,
                joins: lost, links: links))
    }

    /// Whether a row's reference refers to an existing row, and a one-to-one reference to none that refers to another
    /// row.
    func isSound(_ relationship: EntityRelationship, of row: Row, _ name: RowName) -> Bool {
        target(relationship, of: row).map { self[$0] != nil && !refersToLinkedRow(relationship, row, name) } ?? false
    }

    /// Whether a one-to-one reference refers to a row that refers to another one.
    func refersToLinkedRow(_ relationship: EntityRelationship, _ row: Row, _ name: RowName) -> Bool {
        guard relationship.isToOne, let inverse = model.inverse(of: relationship),
            let other = target(relationship, of: row).flatMap({ self[$0] }), let back = target(inverse, of: other)
        else { return false }
        return back != name
    }

    func joins(_ links: RemovedJoinLinks) -> [Link] {
        let relationship = relationship(links.place)
        let owner = RowName(rootIndex: model[links.place.entityIndex].rootIndex, key: links.owner)
        let root = model[relationship.destinationIndex].rootIndex
        return links.members.keys.flatMap { ends(relationship, owner, RowName(rootIndex: root, key: $0)) }
    }
}

// MARK: Restoring

extension Rows {
    typealias Check = RestoreCheck<ArchivedRows>

    /// Restores rows and links without conflicts. A row that is restored without a reference gets a new version, and so
    /// does a survivor with a restored link, because others may have read the state in between.
    mutating func restore(_ token: RecoveryToken, _ check: Check) -> SavedRows {
        guard let place = archive.firstIndex(where: { $0.token == token }) else { return SavedRows() }
        let archived = archive[place]
        var result = SavedRows()
        result.skipped = check.conflicts
        result.restored = archived.rows.subtracting(check.out)
        for name in result.restored.ids.compactMap(name).sorted() { restore(name, of: archived, check) }
        for link in archived.joins where bothExist(link) && joins.insert(link).inserted {
            positions[link] = archived.before.positions[link]
        }
        for (name, relationships) in restoreLinks(of: archived, check).sorted(by: { $0.key < $1.key }) {
            noteLinkChanges(name, relationships)
            result.updated.formUnion(set([name]))
        }
        retainUnrestored(archived, place, check)
        return result
    }

    private mutating func restore(_ name: RowName, of archived: ArchivedContents, _ check: Check) {
        guard let row = archived.before[name] else { return }
        let id = id(row, name)
        self[name] = row
        history.noteInsertion(of: id)
        let without = check.without.filter { $0.value.contains(id) }.keys
        if without.isEmpty { return }
        for place in without { setReference(relationship(place), of: name, to: nil) }
        self[name]?.version = .next(after: row.version)
    }

    /// - Returns: The survivors, with the relationships that regained links.
    private mutating func restoreLinks(
        of archived: ArchivedContents, _ check: Check
    ) -> [RowName: [EntityRelationship]] {
        var relinked: [RowName: [EntityRelationship]] = [:]
        for (links, back) in zip(archived.links, check.relinked) {
            for id in back.ids {
                guard let name = name(of: id), self[name] != nil else { continue }
                relinked[name, default: []].append(links.relationship)
                guard links.isReference, let row = archived.before[name] else { continue }
                setReference(links.relationship, of: name, to: links.reference(of: id))
                guard let link = archived.before.link(links.relationship, of: row, name) else { continue }
                positions[link] = archived.before.positions[link]
            }
        }
        return relinked
    }

    private func bothExist(_ link: Link) -> Bool { self[link.owner] != nil && self[link.member] != nil }

    /// Leaves in the archive everything that was not restored. A reference that a row was restored without becomes a
    /// link to restore.
    private mutating func retainUnrestored(_ archived: ArchivedContents, _ place: Int, _ check: Check) {
        if check.conflicts.isEmpty {
            archive.remove(at: place)
            return
        }
        archive[place].rows = archived.rows.intersection(check.out)
        archive[place].joins = archived.joins.filter { !bothExist($0) }
        for (index, links) in archived.links.enumerated() where links.isReference {
            archive[place].links[index].rows = links.rows.subtracting(check.relinked[index])
        }
        archive[place].links += check.without.map {
            ArchivedLinks(relationship: relationship($0), rows: $1, before: archived.before)
        }
    }
}
