import ObjectGraph

/// Converts a plan into statements: updates of survivors first (rule nullify), then join rows, then the rows
/// themselves in reverse order of discovery.
package struct DeleteSteps {
    package let map: StorageMap
    package let spaces: EntitySpaces
    package let strategist: DeleteStrategist
    package let dialect: any Dialect
    /// The maximum number of rows per statement, except for statements that empty a whole table; `nil` for no limit but
    /// that of scans.
    private let mostRows: Int?

    package init(
        map: StorageMap, spaces: EntitySpaces, strategist: DeleteStrategist, dialect: any Dialect, mostRows: Int? = nil
    ) {
        self.map = map
        self.spaces = spaces
        self.strategist = strategist
        self.dialect = dialect
        self.mostRows = mostRows
    }

    package func steps(for plan: DeletePlan) throws -> [DeleteStep] {
        try nullifying(plan) + cutting(plan) + unlinking(plan) + deleting(plan)
    }

    // MARK: Survivors

    /// Nullifies the references of survivors (rule nullify). Raises every survivor's version by one, whatever number of
    /// references it loses: the first statement that changes a row does so.
    private func nullifying(_ plan: DeletePlan) throws -> [DeleteStep] {
        var raised: [IDSpace: KeySet] = [:]
        var steps: [DeleteStep] = []
        for link in plan.cleared where link.kind == .toOne {
            let sets = clearedColumns(link).map { "\(dialect.name($0)) = NULL" }
            guard !sets.isEmpty else { continue }
            let (again, first) = link.keys.split(by: raised[link.space] ?? KeySet())
            steps += try update(link.space, sets + [SystemTables.raisedVersion], first)
            steps += try update(link.space, sets, again)
            raised[link.space, default: KeySet()].formUnion(first)
        }
        for link in plan.cleared where link.kind == .toMany {
            let first = link.keys.subtracting(raised[link.space] ?? KeySet())
            steps += try update(link.space, [SystemTables.raisedVersion], first)
            raised[link.space, default: KeySet()].formUnion(first)
        }
        return steps
    }

    private func update(_ space: IDSpace, _ sets: [String], _ keys: KeySet) throws -> [DeleteStep] {
        guard !keys.isEmpty, let entityIndex = spaces.entityIndex(of: space) else { return [] }
        let table = map.entities[entityIndex].table
        let strategy = try strategist.toFind(referringTo: keys, of: table)
        return parts(of: keys, strategy).map { part in
            let condition = condition(SystemTables.keyColumn, part, strategy, isPart: part.count < keys.count)
            return DeleteStep(
                "UPDATE \(dialect.name(table))\(condition.hint) SET \(sets.joined(separator: ", "))\(condition.text)",
                rowCount: part.count)
        }
    }

    private func condition(
        _ column: String, _ keys: KeySet, _ strategy: DeleteStrategy, isPart: Bool = false
    ) -> KeyCondition {
        KeyCondition(column, keys, strategy, isPart: isPart, dialect: dialect)
    }

    /// A scan may call a function for each row. Because that might fail, SQLite keeps every changed page in memory for a
    /// rollback of the statement. So very many rows are split into several statements.
    private func parts(of keys: KeySet, _ strategy: DeleteStrategy) -> [KeySet] {
        switch strategy {
        case .truncate: [keys]
        case .lookUp: mostRows.map { Array(keys.parts(of: $0)) } ?? [keys]
        case .scan: Array(keys.parts(of: mostRows ?? Self.mostScanned))
        }
    }

    private static let mostScanned = 200_000

    /// Returns the key's column, and beside it those of the entity number and the order key.
    private func clearedColumns(_ link: NullifiedLink) -> [String] {
        guard let entityIndex = spaces.entityIndex(of: link.space),
            let relationship = map.model[entityIndex].relationships.element(link.relationshipIndex)
        else { return [] }
        return map.keyColumns(of: relationship, entityIndex)?.names ?? []
    }

    // MARK: Join rows

    private func cutting(_ plan: DeletePlan) -> [DeleteStep] {
        plan.cut.compactMap { links in
            guard let (table, owner, member) = joinTable(of: links) else { return nil }
            let isOwner = dialect.isAmong(KeySet([links.owner]), SQLText(dialect.name(owner)), by: .lookUp)
            let isMember = dialect.isAmong(links.members, SQLText(dialect.name(member)), by: .lookUp)
            return DeleteStep(
                "DELETE FROM \(dialect.name(table)) WHERE \(isOwner) AND \(isMember)", rowCount: links.members.count)
        }
    }

    /// Returns the table of the links, the column of their owner and that of the members.
    package func joinTable(of links: RemovedJoinLinks) -> (table: String, owner: String, member: String)? {
        guard
            case .joinTable(let table, let owner, let member, _)?? =
                map.entities.element(links.place.entityIndex)?.toMany.element(links.place.index)
        else { return nil }
        return (table, owner, member)
    }

    private func unlinking(_ plan: DeletePlan) throws -> [DeleteStep] {
        try joinRows(of: plan).map { rows in
            // If all owners are deleted, the whole join table is emptied.
            let strategy = try strategist.toDelete(rows.keys, from: rows.ownerTable)
            let condition = condition(rows.column, rows.keys, strategy)
            return DeleteStep(
                "DELETE FROM \(dialect.name(rows.table))\(condition.hint)\(condition.text)", rowCount: nil)
        }
    }

    /// Join rows that are deleted with their owners.
    package struct JoinRows {
        package let table: String
        /// The column of the owners' keys.
        package let column: String
        package let ownerTable: String
        package fileprivate(set) var keys: KeySet
    }

    /// Returns the join rows of deleted rows, by table and column. The keys of a hierarchy form one set.
    package func joinRows(of plan: DeletePlan) -> [JoinRows] {
        var rows: [WritePlan.JoinColumn: JoinRows] = [:]
        for (space, keys) in plan.deleted.keysBySpace {
            guard let entityIndex = spaces.entityIndex(of: space) else { continue }
            let storage = map.entities[entityIndex]
            for join in WritePlan(entityIndex: entityIndex, map: map, dialect: dialect).joins {
                let none = JoinRows(
                    table: join.table, column: join.column, ownerTable: storage.table, keys: KeySet())
                rows[join, default: none].keys.formUnion(keys)
            }
        }
        return rows.values.sorted { ($0.table, $0.column) < ($1.table, $1.column) }
    }

    // MARK: Rows

    private func deleting(_ plan: DeletePlan) throws -> [DeleteStep] {
        var keysByTable: [String: KeySet] = [:]
        for (space, keys) in plan.deleted.keysBySpace {
            guard let entityIndex = spaces.entityIndex(of: space) else { continue }
            keysByTable[map.entities[entityIndex].table, default: KeySet()].formUnion(keys)
        }
        return try tablesInOrder(plan).reversed().flatMap { table -> [DeleteStep] in
            guard let keys = keysByTable[table] else { return [] }
            let strategy = try strategist.toDelete(keys, from: table)
            return parts(of: keys, strategy).map { part in
                let condition = condition(SystemTables.keyColumn, part, strategy, isPart: part.count < keys.count)
                return DeleteStep("DELETE FROM \(dialect.name(table))\(condition.text)", rowCount: part.count)
            }
        }
    }

    /// Returns the tables in the order in which the plan reached them.
    private func tablesInOrder(_ plan: DeletePlan) -> [String] {
        var tables: [String] = []
        for reach in plan.reaches {
            guard let entity = map.model.entity(named: reach.entity) else { continue }
            let table = map.entities[entity.index].table
            if !tables.contains(table) { tables.append(table) }
        }
        return tables
    }
}
