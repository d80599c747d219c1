import ObjectGraph

/// Writes one change set to a copy of the rows.
///
/// 1. Watched rows, and each row when it is written, must have the expected version; otherwise the save is rolled back
///    with conflicts (`StaleRow`).
/// 2. Deletions are first, then the bulk delete, updates, and insertions, so that freed unique values can be used
///    again.
/// 3. Links outside the change set follow: other ends of one-to-one relationships, and references to deleted rows.
/// 4. Links that are not references are last, when all rows exist.
struct SaveRun {
    var rows: Rows
    let changes: ChangeSet
    var saved = SavedRows()
    /// The permanent identities of the insertions, by temporary ones.
    private(set) var permanent = PermanentIDs()

    init(_ changes: ChangeSet, _ rows: Rows) {
        self.changes = changes
        self.rows = rows
    }

    /// - Throws: `StaleRow`, `UniqueViolation`, `DeleteError`, `ChangeSetError`, `ValidationError`, and the errors of
    ///   observers.
    mutating func run() throws {
        for watch in changes.watched { _ = try row(watch.id, at: watch.expectedVersion) }
        if changes.writesNothing { return }
        try delete()
        try deleteBulk()
        try changes.refuseLinks(to: saved.plan.deleted, model)
        try assignKeys()
        try update()
        try insert()
        try maintainInverses()
        for link in changes.links { try write(link) }
        saved.transactionNumber = rows.history.endTransaction(author: changes.author, contextName: changes.contextName)
    }

    private func row(_ id: ObjectID, at version: RowVersion) throws -> (name: RowName, row: Row) {
        guard let name = rows.name(of: id), let row = rows[name], row.version == version else { throw StaleRow() }
        return (name, row)
    }

    // MARK: Deletions

    private mutating func delete() throws {
        var deleted: Set<RowName> = []
        for deletion in changes.deletions.sorted(by: { ($0.entityIndex, $0.id.key) < ($1.entityIndex, $1.id.key) }) {
            let (name, row) = try row(deletion.id, at: deletion.expectedVersion)
            rows.history.noteDeletion(of: deletion.id, row.values, model[row.entityIndex])
            rows[name] = nil
            deleted.insert(name)
        }
        rows.removeJoins(of: deleted.contains)
    }

    /// Plans the bulk delete in the transaction, over its state.
    private mutating func deleteBulk() throws {
        guard var request = changes.bulkDelete else { return }
        // The rules must not follow links that this transaction removes.
        for link in changes.lostLinks { try write(link) }
        request.rewrittenLinks.merge(changes.rowsWithRewrittenLinks(model)) { $0.union($1) }
        let plan = try DeletePlanner.plan(request, rows)
        try rows.execute(plan, of: request)
        try request.observer?.willCommit(pagesOf: plan.deleted)
        saved.plan = plan
    }

    // MARK: Insertions

    /// Assigns keys and version 1 to new rows. Rows may have a reserved identity.
    private mutating func assignKeys() throws {
        for insertion in changes.insertions {
            var id = insertion.id
            if id.isTemporary {
                let key = try rows.newKeys(1, insertion.entityIndex).lowerBound
                id = rows.spaces.id(entityIndex: insertion.entityIndex, key: key)
            }
            saved.inserted.append(SavedRows.Inserted(id: id, version: 1, replaced: false))
        }
        permanent = PermanentIDs(of: changes.insertions, in: saved.inserted)
    }

    func isNew(_ id: ObjectID) -> Bool { saved.inserted.contains { $0.id == id && !$0.replaced } }

    private mutating func insert() throws {
        let matching = try InsertionMatching(of: changes, saved.inserted, permanent, in: self)
        saved.inserted = matching.inserted
        try redirectReferences(to: matching.replaced)
        let written = changes.insertions.indices.filter { !matching.overwritten.contains($0) }
        let groups = Dictionary(grouping: written) { path(of: changes.insertions[$0].entityIndex) }
        for (_, group) in groups.sorted(by: { $0.key < $1.key }) {
            // A row whose values are replaced frees unique values that a new one may use.
            for index in group where matching.existing.contains(index) { try replace(index) }
            for index in group where !matching.existing.contains(index) { try insert(index) }
        }
        saved.adoptVersions(ofOverwritten: matching.overwritten)
        try unlinkFormerDestinations(except: matching.overwritten)
    }

    /// Returns the names of an entity and its superentities, so that entities are written hierarchy by hierarchy.
    private func path(of entityIndex: Int) -> String {
        let entity = model[entityIndex]
        return (entity.superentityIndex.map { path(of: $0) + "/" } ?? "") + entity.name.lowercased()
    }

    private mutating func insert(_ index: Int) throws {
        let (insertion, id) = (changes.insertions[index], saved.inserted[index].id)
        guard let name = rows.name(of: id), rows[name] == nil else { throw MemoryStoreError.keyInUse(id) }
        let entity = model[insertion.entityIndex]
        var row = Row(entityIndex: entity.index, values: SlotValues(nulls: entity.slots.count))
        try write(insertion.values, entity.storedSlots, to: &row)
        try refuseClash(of: row, name, insertion.id)
        rows[name] = row
        rows.history.noteInsertion(of: id)
    }

    /// Writes the values of an insertion to an existing row.
    private mutating func replace(_ index: Int) throws {
        let (insertion, id) = (changes.insertions[index], saved.inserted[index].id)
        guard let name = rows.name(of: id), var row = rows[name] else { return }
        let entity = model[insertion.entityIndex]
        try write(insertion.values, entity.storedSlots, to: &row)
        row.version = .next(after: row.version)
        try refuseClash(of: row, name, insertion.id)
        rows[name] = row
        saved.inserted[index].version = row.version
        for place in changes.updates.indices where changes.updates[place].id == id {
            saved.updatedVersions[place] = row.version
        }
        rows.history.noteUpdate(of: id, entity, slots: entity.storedSlots)
    }

    // MARK: Links

    private mutating func write(_ link: ChangeSet.LinkChange) throws {
        rows.write(
            MemberChange(
                relationship: try link.relationship(in: model), owner: try name(link.owner),
                added: try link.added.map(name), removed: try link.removed.map(name), order: try link.order?.map(name)))
    }

    private func name(_ id: ObjectID) throws -> RowName {
        let current = permanent.current(id)
        guard let name = rows.name(of: current) else { throw ChangeSetError.notARow(current) }
        return name
    }
}
