import ObjectGraph
import StoreSQL

extension SaveAttempt {
    /// Inserts new rows, entity by entity in the order of their numbers. With uniqueness constraints, an insertion may
    /// update an existing row (upsert), which `InsertionMatching` decides.
    mutating func insert(_ matching: Matching) throws {
        if matching == .byConstraints { try insertMatching() } else { try insert(replacing: [], without: []) }
    }

    mutating func insert(replacing existing: Set<Int>, without overwritten: Set<Int>) throws {
        if changes.insertions.isEmpty { return }
        let order = order(without: overwritten)
        let updates = existing.isEmpty ? [:] : Dictionary(grouping: changes.updates.indices) { changes.updates[$0].id }
        for group in order.chunked(by: { changes.insertions[$0].entityIndex }) {
            guard let first = group.first else { continue }
            let entityIndex = changes.insertions[first].entityIndex
            // A row whose values are replaced frees unique values that a new one may use.
            for index in group where existing.contains(index) { try replace(index, updates) }
            try insertRows(existing.isEmpty ? group : group.filter { !existing.contains($0) }[...], entityIndex)
        }
    }

    /// Returns the positions of the insertions to write, entity by entity in the order of their numbers.
    private func order(without overwritten: Set<Int>) -> [Int] {
        let indexes = changes.insertions.indices
        let written = overwritten.isEmpty ? Array(indexes) : indexes.filter { !overwritten.contains($0) }
        let storages = runner.map.entities
        let number = { storages[changes.insertions[$0].entityIndex].entityNumber }
        // New objects mostly have one class.
        if let first = written.first.map(number), written.allSatisfy({ number($0) == first }) { return written }
        return written.sorted { (number($0), $0) < (number($1), $1) }
    }

    private mutating func insertRows(_ indexes: ArraySlice<Int>, _ entityIndex: Int) throws {
        guard !indexes.isEmpty else { return }
        let plan = runner.plans[entityIndex]
        let areKeysGiven = try !areNext(indexes, in: plan.storage.table)
        let statement = try connection.takeStatement(areKeysGiven ? plan.insertText : plan.insertNextText)
        defer { connection.giveBack(statement) }
        for index in indexes {
            let key = saved.inserted[index].id.key
            if areKeysGiven { try statement.bind(key, at: 1) }
            _ = try writer.bind(changes.insertions[index].values, plan.cells, of: plan.entity, from: 2, statement)
            do {
                _ = try statement.step()
            } catch let error as SQLiteError where error.isUniqueViolation {
                throw CollidingInsertion(violation: plan.violation(error, [changes.insertions[index].id]))
            }
            try history?.inserted(entityIndex, key: key)
        }
    }

    /// Whether the table assigns the insertions' keys by itself.
    private func areNext(_ indexes: ArraySlice<Int>, in table: String) throws -> Bool {
        guard let first = indexes.first.map({ saved.inserted[$0].id.key }) else { return false }
        let isRun = zip(indexes, first...).allSatisfy { saved.inserted[$0].id.key == $1 }
        return try isRun && connection.allocatesKeys(from: first, indexes.count, in: table)
    }

    /// Writes the values of an insertion to an existing row.
    /// - Parameter updates: Positions of the change set's updates, by row.
    private mutating func replace(_ index: Int, _ updates: [ObjectID: [Int]]) throws {
        let insertion = changes.insertions[index]
        let plan = runner.plans[insertion.entityIndex]
        let key = saved.inserted[index].id.key
        if plan.hasExternal { try noteFiles(of: key, plan, plan.columns) }
        let statement = try connection.takeStatement(plan.updateText(plan.columns, guarded: false))
        defer { connection.giveBack(statement) }
        let next = try writer.bind(insertion.values, plan.cells, of: plan.entity, from: 1, statement)
        try statement.bind(key, at: next)
        do {
            try statement.run()
        } catch let error as SQLiteError where error.isUniqueViolation {
            throw CollidingInsertion(violation: plan.violation(error, [insertion.id]))
        }
        saved.inserted[index].version = try version(of: key, plan)
        for position in updates[saved.inserted[index].id] ?? [] {
            saved.updatedVersions[position] = saved.inserted[index].version
        }
        try history?.updated(insertion.entityIndex, key: key, slots: plan.columns.map(\.slot), toMany: [])
    }

    func version(of key: Int64, _ plan: WritePlan) throws -> RowVersion {
        try connection.withStatement(plan.selectText([SystemTables.versionColumn])) { statement in
            try statement.bind(key, at: 1)
            return try statement.step() ? statement.integer(at: 0) : 0
        }
    }
}
