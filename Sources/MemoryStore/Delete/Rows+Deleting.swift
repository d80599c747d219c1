import ObjectGraph

extension Rows {
    /// Executes a plan. Increments a survivor's version once, even if it loses several links.
    /// - Throws: `DeleteError.refused`, `RecoveryError.tokenInUse`.
    mutating func execute(_ plan: DeletePlan, of request: DeleteRequest) throws {
        guard plan.refusals.isEmpty else { throw DeleteError.refused(plan.refusals) }
        if plan.isEmpty { return }
        if let token = request.recovery.token { try archiveDeletion(plan, under: token, author: request.author) }
        delete(plan.deleted.ids)
        for part in ClearedPart.parts(of: plan.cleared) { clear(part) }
        for link in plan.cut.flatMap(joins) { remove(link) }
        try request.meter?.count(plan.deleted.count)
    }

    /// Deletes rows, and their links of many-to-many relationships.
    mutating func delete(_ ids: some Sequence<ObjectID>) {
        var deleted: Set<RowName> = []
        for id in ids {
            guard let name = name(of: id), let row = self[name] else { continue }
            history.noteDeletion(of: id, row.values, model[row.entityIndex])
            deleted.insert(name)
            self[name] = nil
        }
        joins = joins.filter { !deleted.contains($0.owner) && !deleted.contains($0.member) }
    }

    private mutating func clear(_ part: ClearedPart) {
        guard let entity = entity(of: part.space) else { return }
        let relationships = part.relationships.map { entity.relationships[$0] }
        for name in names(SpaceKeys(part.keys, in: part.space)) {
            for relationship in relationships { setReference(relationship, of: name, to: nil) }
            noteLinkChanges(name, relationships)
        }
    }

    /// Increments a row's version after some of its relationships gained or lost links. An owner without an inverse is
    /// no property of the row.
    mutating func noteLinkChanges(_ name: RowName, _ relationships: [EntityRelationship]) {
        guard let row = self[name] else { return }
        self[name]?.version = .next(after: row.version)
        let relationships = relationships.filter { isKind(row, of: $0.declaringIndex) }
        if relationships.isEmpty { return }
        history.noteUpdate(
            of: id(row, name), model[row.entityIndex], slots: relationships.compactMap(\.slot),
            toMany: relationships.filter { !$0.isToOne }.map(\.index))
    }
}
