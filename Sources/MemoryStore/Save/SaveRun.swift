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
        for watch in changes.watched { try check(watch.id, hasVersion: watch.expectedVersion) }
        if try changes.writesNothing || changes.deletesNothing(rows) { return }
        try delete()
        try deleteBulk()
        try changes.refuseLinks(to: saved.plan.deleted, model)
        try assignKeys()
        try update()
        try insertMatching()
        try maintainInverses()
        for link in changes.links { try write(link) }
        saved.transactionNumber = rows.history.endTransaction(author: changes.author, contextName: changes.contextName)
    }

    private func check(_ id: ObjectID, hasVersion version: RowVersion) throws {
        guard rows.snapshot(id)?.version == version else { throw StaleRow() }
    }

    // MARK: Deletions

    private mutating func delete() throws {
        for deletion in changes.deletions { try check(deletion.id, hasVersion: deletion.expectedVersion) }
        rows.delete(
            changes.deletions.sorted { ($0.entityIndex, $0.id.key) < ($1.entityIndex, $1.id.key) }.map(\.id))
    }

    /// Plans the bulk delete in the transaction, over its state.
    private mutating func deleteBulk() throws {
        guard let request = changes.bulkRequest(model) else { return }
        // The rules must not follow links that this transaction removes.
        for link in changes.lostLinks { try write(link) }
        let plan = try DeletePlanner.plan(request, rows)
        try rows.execute(plan, of: request)
        try request.observer?.willCommit(pagesOf: plan.deleted)
        saved.plan = plan
    }

    // MARK: Updates

    /// Writes the changed values of each updated row, and increments its version.
    private mutating func update() throws {
        let changes = changes
        let raised = saved.plan.updated
        saved.updatedVersions = changes.updates.map { .next(after: $0.storedVersion(after: raised)) }
        // The bulk delete deleted the others in this transaction.
        let places = changes.updates.indices.filter { !saved.plan.deleted.contains(changes.updates[$0].id) }
        let written = places.map { changes.updates[$0] }
        for update in written { try check(update.id, hasVersion: update.storedVersion(after: raised)) }
        try changes.writeUpdates(
            places, model, write: { try apply(changes.updates[$0]) }, clear: { try clear($1, of: $0) })
        for update in written {
            rows.history.noteUpdate(
                of: update.id, model[update.entityIndex], slots: update.changedSlots, toMany: update.changedToMany)
        }
    }

    /// - Returns: `false` if another row has the unique values.
    private mutating func apply(_ update: ChangeSet.Update) throws -> Bool {
        guard let name = rows.name(of: update.id), var row = rows[name] else { throw StaleRow() }
        try put(update.values, update.changedSlots, to: &row, name)
        guard rows.clash(of: row, name) == nil else { return false }
        row.version = .next(after: row.version)
        rows[name] = row
        return true
    }

    private mutating func clear(_ slots: [Int], of update: ChangeSet.Update) throws {
        guard let name = rows.name(of: update.id), var row = rows[name] else { return }
        for slot in slots { try rows.put(.null, in: slot, of: &row, name) }
        rows[name] = row
    }

    private mutating func put(_ values: SlotValues, _ slots: [Int], to row: inout Row, _ name: RowName) throws {
        for slot in slots { try rows.put(resolved(values[slot]), in: slot, of: &row, name) }
    }

    // MARK: Insertions

    /// Assigns keys and version 1 to new rows. Rows may have a reserved identity.
    private mutating func assignKeys() throws {
        saved.inserted = try changes.insertions.map { insertion in
            let id = try insertion.id.isTemporary ? rows.newIDs(1, insertion.entityIndex).first : insertion.id
            return SavedRows.Inserted(id: id ?? insertion.id, version: 1, replaced: false)
        }
        permanent = PermanentIDs(of: changes.insertions, in: saved.inserted)
    }

    func isNew(_ id: ObjectID) -> Bool { saved.inserted.contains { $0.id == id && !$0.replaced } }

    mutating func insert(replacing existing: Set<Int>, without overwritten: Set<Int>) throws {
        let written = changes.insertions.indices.filter { !overwritten.contains($0) }
        let groups = Dictionary(grouping: written) { changes.insertions[$0].entityIndex }
        for group in model.indexesInNameOrder.compactMap({ groups[$0] }) {
            // A row whose values are replaced frees unique values that a new one may use.
            for index in group where existing.contains(index) { try replace(index) }
            for index in group where !existing.contains(index) { try insert(index) }
        }
    }

    mutating func redirectReferences(to replaced: Set<ObjectID>) throws {
        for update in changes.updates {
            guard let name = rows.name(of: update.id), var row = rows[name] else { continue }
            try put(update.values, update.slots(referringTo: replaced), to: &row, name)
            rows[name] = row
        }
    }

    private mutating func insert(_ index: Int) throws {
        let (id, entity) = (saved.inserted[index].id, model[changes.insertions[index].entityIndex])
        guard let name = rows.name(of: id), rows[name] == nil else { throw MemoryStoreError.keyInUse(id) }
        try write(index, to: Row(entityIndex: entity.index, values: SlotValues(nulls: entity.slots.count)), name)
        rows.history.noteInsertion(of: id)
    }

    /// Writes the values of an insertion to an existing row.
    private mutating func replace(_ index: Int) throws {
        let (id, entity) = (saved.inserted[index].id, model[changes.insertions[index].entityIndex])
        guard let name = rows.name(of: id), var row = rows[name] else { return }
        row.version = .next(after: row.version)
        try write(index, to: row, name)
        saved.inserted[index].version = row.version
        for place in changes.updates.indices where changes.updates[place].id == id {
            saved.updatedVersions[place] = row.version
        }
        rows.history.noteUpdate(of: id, entity, slots: entity.storedSlots)
    }

    private mutating func write(_ index: Int, to row: Row, _ name: RowName) throws {
        let insertion = changes.insertions[index]
        var row = row
        try put(insertion.values, model[insertion.entityIndex].storedSlots, to: &row, name)
        if let clash = rows.clash(of: row, name) {
            throw UniqueViolation(of: clash.constraint, model[row.entityIndex], ids: [insertion.id])
        }
        rows[name] = row
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
