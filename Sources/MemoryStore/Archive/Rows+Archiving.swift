import ObjectGraph

extension Rows {
    /// Archives the rows and links that a plan removes.
    /// - Throws: `RecoveryError.tokenInUse`.
    mutating func archiveDeletion(_ plan: DeletePlan, under token: RecoveryToken, author: String?) throws {
        guard !archive.contains(where: { $0.token == token }) else { throw RecoveryError.tokenInUse(token) }
        var contents = ArchivedContents(token: token, author: author, summary: plan.summary)
        for name in plan.deleted.ids.compactMap(name) {
            contents.rows[name] = self[name]
            contents.unsound.formUnion(references(of: name).filter { !isSound($0) })
        }
        let cut = Set(plan.cut.flatMap(joins))
        contents.joins = joins.filter {
            contents.rows[$0.key.owner] != nil || contents.rows[$0.key.member] != nil || cut.contains($0.key)
        }
        for link in plan.cleared {
            guard let entity = entity(of: link.space) else { continue }
            for name in names(SpaceKeys(link.keys, in: link.space)) {
                contents.links.append(self.link(entity.relationships[link.relationshipIndex], of: name, entity))
            }
        }
        archive.append(contents)
    }

    private func link(_ relationship: EntityRelationship, of name: RowName, _ entity: Entity) -> ArchivedLink {
        let target = relationship.slot.flatMap { slot -> ObjectID? in
            if case .reference(let id)? = self[name]?.values[slot] { id } else { nil }
        }
        return ArchivedLink(
            entityIndex: entity.index,
            reference: ArchivedReference(row: name, relationship: relationship.place, target: target),
            place: self[name]?.places[list(of: relationship)])
    }

    /// Returns the relationship whose list contains the row at the other end of a reference.
    func list(of relationship: EntityRelationship) -> RelationshipPlace {
        (relationship.isToOne ? model.inverse(of: relationship) : relationship)?.place ?? relationship.place
    }

    /// Returns the references of a row: its to-one relationships, and its owners along to-many relationships without an
    /// inverse.
    func references(of name: RowName, _ row: Row) -> [ArchivedReference] {
        let own = model[row.entityIndex].toOneRelationships.compactMap { relationship in
            relationship.slot.flatMap { slot -> ArchivedReference? in
                guard case .reference(let id) = row.values[slot] else { return nil }
                return ArchivedReference(row: name, relationship: relationship.place, target: id)
            }
        }
        return own + row.owners.map { ArchivedReference(row: name, relationship: $0, target: $1) }
    }

    private func references(of name: RowName) -> [ArchivedReference] {
        self[name].map { references(of: name, $0) } ?? []
    }

    private func isSound(_ reference: ArchivedReference) -> Bool {
        reference.target.flatMap(name).flatMap { self[$0] } != nil && !refersToLinkedRow(reference)
    }

    /// Whether a one-to-one reference refers to a row that refers to another one.
    func refersToLinkedRow(_ reference: ArchivedReference) -> Bool {
        guard let slot = model.inverse(of: relationship(reference.relationship))?.slot,
            relationship(reference.relationship).isToOne, let target = reference.target.flatMap(name),
            let back = self[target].flatMap({ name($0.values[slot]) })
        else { return false }
        return back != reference.row
    }

    func relationship(_ place: RelationshipPlace) -> EntityRelationship {
        model[place.entityIndex].relationships[place.index]
    }
}
