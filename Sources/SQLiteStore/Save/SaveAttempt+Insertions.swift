import ObjectGraph

extension SaveAttempt {
    /// New rows, entity by entity in the order of their numbers.
    mutating func insert(_ matching: Matching) throws {
        var existing: Set<Int> = []
        var superseded: Set<Int> = []
        switch matching {
        case .trusting: break
        case .byConstraints:
            try refuseCollisions()
            (existing, superseded) = try match()
        }
        try insert(replacing: existing, without: superseded)
        adoptVersions(superseded)
        guard matching == .byConstraints else { return }
        let new = Set(saved.inserted.lazy.filter { !$0.replaced }.map(\.id))
        try unlinkFormerDestinations(except: superseded, isNew: new.contains)
    }

    /// - Parameters:
    ///   - existing: positions of insertions whose values go into rows that are there.
    ///   - superseded: positions of those that are not written.
    mutating func insert(replacing existing: Set<Int>, without superseded: Set<Int>) throws {
        let order = order(without: superseded)
        let updates = existing.isEmpty ? [:] : Dictionary(grouping: changes.updates.indices) { changes.updates[$0].id }
        for group in order.chunked(by: { changes.insertions[$0].entityIndex }) {
            guard let first = group.first else { continue }
            let entityIndex = changes.insertions[first].entityIndex
            // A row whose values are replaced gives those up that a new one may have.
            for index in group where existing.contains(index) { try replace(index, updates) }
            try insertRows(existing.isEmpty ? group : group.filter { !existing.contains($0) }[...], entityIndex)
        }
    }

    /// Positions of the insertions to write, entity by entity in the order of their numbers.
    private func order(without superseded: Set<Int>) -> [Int] {
        let indexes = changes.insertions.indices
        let written = superseded.isEmpty ? Array(indexes) : indexes.filter { !superseded.contains($0) }
        let storages = runner.map.entities
        let number = { storages[changes.insertions[$0].entityIndex].entityNumber }
        // Mostly new objects are of one class.
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

    /// Whether the table gives the insertions the keys they have.
    private func areNext(_ indexes: ArraySlice<Int>, in table: String) throws -> Bool {
        guard let first = indexes.first.map({ saved.inserted[$0].id.key }) else { return false }
        let isRun = zip(indexes, first...).allSatisfy { saved.inserted[$0].id.key == $1 }
        return try isRun && connection.givesKeys(from: first, indexes.count, in: table)
    }

    // MARK: Uniqueness

    /// Finds the row each insertion belongs to, by the constraints of its entity, as if they were written one after the
    /// other: one in the file, or the one of an earlier insertion, which then is superseded. A row that has been taken has
    /// the values of whoever took it last, and equals nobody by those it had before.
    /// - Returns: positions of insertions that update an existing row, and of those that are not written at all.
    /// - Throws: `CollidingInsertion` for one that may not, which `refuseCollisions` could not know: it leads to an insertion
    ///   that took a place here, and equals another row since then.
    private mutating func match() throws -> (existing: Set<Int>, superseded: Set<Int>) {
        var existing: Set<Int> = []
        var superseded: Set<Int> = []
        var replaced: Set<ObjectID> = []
        var taken: Set<ObjectID> = []
        var claims: [UniqueKey: Int] = [:]
        for (index, insertion) in changes.insertions.enumerated() {
            let keys = uniqueKeys(of: insertion)
            if let (key, earlier) = claim(among: keys, in: claims, except: superseded) {
                try refuse(insertion, by: key)
                superseded.insert(earlier)
                if existing.contains(earlier) { existing.insert(index) }
                take(saved.inserted[earlier].id, for: index)
                replaced.insert(insertion.id)
            } else if let (key, id) = try existingRow(keys, except: taken) {
                try refuse(insertion, by: key)
                existing.insert(index)
                taken.insert(id)
                take(id, for: index)
                replaced.insert(insertion.id)
            }
            for key in keys { claims[key] = index }
        }
        if !replaced.isEmpty { try redirectReferences(to: replaced) }
        return (existing, superseded)
    }

    private func claim(
        among keys: [UniqueKey], in claims: [UniqueKey: Int], except superseded: Set<Int>
    ) -> (key: UniqueKey, place: Int)? {
        for key in keys {
            if let place = claims[key], !superseded.contains(place) { return (key, place) }
        }
        return nil
    }

    private func existingRow(_ keys: [UniqueKey], except taken: Set<ObjectID>) throws -> (key: UniqueKey, id: ObjectID)?
    {
        for key in keys {
            if let row = try runner.existingRow(key, connection), !taken.contains(row) { return (key, row) }
        }
        return nil
    }

    // MARK: Refusing

    /// - Throws: `CollidingInsertion` for the insertions that may not take the place of the row in the file, or of the earlier
    ///   insertion, that they equal by one constraint: the first that any of them breaks. Whether they break others is seen
    ///   once these gave way.
    /// - Complexity: One lookup for each insertion and constraint, where the rule refuses.
    private func refuseCollisions() throws {
        guard changes.constraints == .refuse else { return }
        var claims: Set<UniqueKey> = []
        var broken: UniqueKey?
        var ids: [ObjectID] = []
        for insertion in changes.insertions {
            for key in uniqueKeys(of: insertion) where broken?.isOfSameConstraint(as: key) ?? true {
                let isFirst = claims.insert(key).inserted
                guard try !isFirst || runner.existingRow(key, connection) != nil, !mayReplace(insertion, by: key)
                else { continue }
                broken = key
                ids.append(insertion.id)
                break
            }
        }
        if let broken { throw collision(ids, by: broken) }
    }

    private func refuse(_ insertion: ChangeSet.Insertion, by key: UniqueKey) throws {
        if !mayReplace(insertion, by: key) { throw collision([insertion.id], by: key) }
    }

    private func mayReplace(_ insertion: ChangeSet.Insertion, by key: UniqueKey) -> Bool {
        guard changes.constraints == .refuse else { return true }
        if changes.replacements.isEmpty { return false }
        let properties = runner.plans[key.entityIndex].properties(of: key.uniqueness)
        return changes.replacements.contains(ChangeSet.Replacement(id: insertion.id, properties: properties))
    }

    private func collision(_ ids: [ObjectID], by key: UniqueKey) -> CollidingInsertion {
        CollidingInsertion(violation: runner.plans[key.entityIndex].violation(of: key.uniqueness, ids))
    }

    // MARK: Taking places

    private mutating func take(_ id: ObjectID, for index: Int) {
        writer.permanent[changes.insertions[index].id] = id
        saved.inserted[index].id = id
        saved.inserted[index].replaced = true
    }

    /// Those of the constraints that bind the row, and by which it may be taken for another one.
    private func uniqueKeys(of insertion: ChangeSet.Insertion) -> [UniqueKey] {
        let plan = runner.plans[insertion.entityIndex]
        let uniqueness = plan.storage.uniqueness
        let matched = changes.constraints == .updateEqual ? uniqueness.filter { !$0.isOfOwners } : uniqueness
        return plan.uniqueKeys(of: insertion.values, matched, resolved: resolved)
    }

    func resolved(_ value: Value) -> Value {
        if case .reference(let id) = value, let permanent = writer.permanent[id] { return .reference(permanent) }
        return value
    }

    /// The insertion's values go into the existing row.
    /// - Parameter updates: positions of the change set's updates, by row.
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
        let sql =
            "SELECT \(SystemTables.versionColumn) FROM \(plan.storage.table) WHERE \(SystemTables.keyColumn) = ?"
        return try connection.withStatement(sql) { statement in
            try statement.bind(key, at: 1)
            return try statement.step() ? statement.integer(at: 0) : 0
        }
    }

    /// A superseded insertion has the version of the row that took its place, the last one of the same identity.
    private mutating func adoptVersions(_ superseded: Set<Int>) {
        guard !superseded.isEmpty else { return }
        let versions = Dictionary(saved.inserted.map { ($0.id, $0.version) }, uniquingKeysWith: { _, last in last })
        for index in superseded {
            guard let version = versions[saved.inserted[index].id] else { continue }
            saved.inserted[index].version = version
        }
    }
}
