import ObjectGraph
import StoreSQL

extension SaveAttempt {
    /// Writes the changed columns of each updated row, and increments its version. A row with another version than the
    /// expected one is a conflict (optimistic locking).
    mutating func update() throws {
        let changes = changes
        saved.updatedVersions = changes.updates.map { .next(after: $0.storedVersion(after: raisedRows)) }
        var statements = UpdateStatements(connection: connection)
        defer { statements.giveBack() }
        try changes.writeUpdates(
            Array(changes.updates.indices), model, write: { try apply($0, &statements) },
            clear: { try clear($1, of: $0) })
        for update in changes.updates where !saved.plan.deleted.contains(update.id) {
            try history?.updated(
                update.entityIndex, key: update.id.key, slots: update.changedSlots, toMany: update.changedToMany)
        }
    }

    /// - Returns: `false` if the update violates a uniqueness constraint, perhaps only until another update is done.
    private mutating func apply(_ index: Int, _ statements: inout UpdateStatements) throws -> Bool {
        let update = changes.updates[index]
        // The bulk delete deleted the row in this transaction, so there is nothing to update.
        if saved.plan.deleted.contains(update.id) { return true }
        let plan = runner.plans[update.entityIndex]
        let entry = try statements.entry(for: update, plan)
        let statement = entry.statement
        let (newFileCount, obsoleteFileCount) = (writer.newFiles.count, obsoleteFiles.count)
        if plan.hasExternal { try noteFiles(of: update.id.key, plan, entry.columns) }
        let next = try writer.bind(update.values, entry.cells, of: plan.entity, from: 1, statement)
        try statement.bind(update.id.key, at: next)
        try statement.bind(update.storedVersion(after: raisedRows), at: next + 1)
        do {
            try statement.run()
        } catch let error as SQLiteError where error.isUniqueViolation {
            writer.dropFiles(after: newFileCount)
            obsoleteFiles.removeSubrange(obsoleteFileCount...)
            return false
        }
        // Optimistic locking: no row has the expected version, as another save has changed or deleted it.
        guard connection.changeCount == 1 else { throw StaleRow() }
        return true
    }

    private func clear(_ slots: [Int], of update: ChangeSet.Update) throws {
        let columns = slots.compactMap { runner.map.entities[update.entityIndex].columns[$0]?.name }
        guard !columns.isEmpty else { return }
        try connection.withStatement(runner.plans[update.entityIndex].clearText(columns)) {
            try $0.bind(update.id.key, at: 1)
            try $0.run()
        }
    }

    mutating func redirectReferences(to replaced: Set<ObjectID>) throws {
        for update in changes.updates {
            let plan = runner.plans[update.entityIndex]
            let columns = update.slots(referringTo: replaced).compactMap { plan.columnBySlot[$0] }
                .map { plan.columns[$0] }
            guard !columns.isEmpty else { continue }
            let statement = try connection.takeStatement(plan.rewriteText(columns))
            defer { connection.giveBack(statement) }
            let next = try writer.bind(update.values, columns.map(\.cell), of: plan.entity, from: 1, statement)
            try statement.bind(update.id.key, at: next)
            try statement.run()
        }
    }
}

/// The statements of one save's updates: one for each entity and set of changed slots.
private struct UpdateStatements {
    let connection: Connection
    private var entries: [Shape: Entry] = [:]
    private var last: (shape: Shape, entry: Entry)?

    init(connection: Connection) { self.connection = connection }

    private struct Shape: Hashable {
        let entityIndex: Int
        let slots: [Int]
    }

    struct Entry {
        let statement: Statement
        let columns: [WriteColumn]
        /// The cells of the columns.
        let cells: [WriteCell]
    }

    mutating func entry(for update: ChangeSet.Update, _ plan: WritePlan) throws -> Entry {
        let shape = Shape(entityIndex: update.entityIndex, slots: update.changedSlots)
        if let last, last.shape == shape { return last.entry }
        let entry = try entries[shape] ?? make(shape, plan)
        entries[shape] = entry
        last = (shape, entry)
        return entry
    }

    private func make(_ shape: Shape, _ plan: WritePlan) throws -> Entry {
        let columns = shape.slots.compactMap { plan.columnBySlot[$0] }.map { plan.columns[$0] }
        let statement = try connection.takeStatement(plan.updateText(columns, guarded: true))
        return Entry(statement: statement, columns: columns, cells: columns.map(\.cell))
    }

    func giveBack() {
        for entry in entries.values { connection.giveBack(entry.statement) }
    }
}
