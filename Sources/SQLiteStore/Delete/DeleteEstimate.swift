import Foundation
import ObjectGraph

/// Estimates what a plan costs and frees.
struct DeleteEstimate {
    let runner: SaveRunner
    let connection: Connection

    private var map: StorageMap { runner.map }

    func cost(of plan: DeletePlan) throws -> DeleteCost {
        var cost = DeleteCost()
        cost.rowBytes = try rowBytes(of: plan)
        let files = try runner.deleteRunner.files(of: plan.deleted, connection)
        cost.fileCount = files.count
        cost.fileBytes = runner.externalData?.byteCount(of: files) ?? 0
        cost.unindexed = try unindexedKeys(reachedFrom: plan)
        cost.dangling = try danglingLinks(after: plan)
        cost.statements = try runner.deleteRunner.steps(for: plan, connection).map(\.sql)
        return cost
    }

    // MARK: Bytes

    private static let sampleCount = 200

    /// What keeping the delete adds to the file: copies of rows and join rows, and what survivors' references said.
    func keptBytes(of plan: DeletePlan) throws -> Int64 {
        let joinRows = plan.unlinked.reduce(0) { $0 + $1.count }
        let links = plan.cleared.reduce(0) { $0 + $1.keys.count }
        return try rowBytes(of: plan) + Int64(joinRows + links) * Self.bytesPerLink
    }

    /// Half a dozen numbers and two names.
    private static let bytesPerLink: Int64 = 64

    private func rowBytes(of plan: DeletePlan) throws -> Int64 {
        try plan.deleted.keysBySpace.reduce(0) { sum, rows in
            try sum + (runner.spaces.entityIndex(of: rows.key).map { try rowBytes(of: $0, rows.value) } ?? 0)
        }
    }

    /// Eight bytes for a number, and what texts and bytes have.
    private func rowBytes(of entityIndex: Int, _ keys: KeySet) throws -> Int64 {
        let storage = map.entities[entityIndex]
        let sizes = storage.columns.compactMap { column -> String? in
            guard let column else { return nil }
            switch column.type {
            case .string, .uri, .binary, .transformable, .uuid:
                return "coalesce(length(CAST(\(column.name) AS BLOB)), 0)"
            default: return "8"
            }
        }
        let sql =
            "SELECT avg(\((["24"] + sizes).joined(separator: " + "))) FROM \(storage.table) "
            + "WHERE \(SystemTables.keyColumn) IN \(SQLNames.listedValues)"
        return try connection.withStatement(sql) { statement in
            try statement.bind(ValueList(sample(keys)), at: 1)
            guard try statement.step() else { return 0 }
            return Int64(statement.real(at: 0) * Double(keys.count))
        }
    }

    /// Spread evenly.
    private func sample(_ keys: KeySet) -> [Int64] {
        let list = keys.keys
        return stride(from: 0, to: list.count, by: max(1, list.count / Self.sampleCount)).map { list[$0] }
    }

    // MARK: Indexes

    /// Relationships followed from what goes by a key or a join row at the other end that no index leads to.
    private func unindexedKeys(reachedFrom plan: DeletePlan) throws -> [RelationshipName] {
        var names: [RelationshipName] = []
        for space in plan.deleted.keysBySpace.keys.sorted(by: { $0.number < $1.number }) {
            guard let index = runner.spaces.entityIndex(of: space) else { continue }
            let entity = map.model[index]
            for relationship in entity.relationships {
                guard let (table, column) = columnAsked(by: relationship, of: entity),
                    try !isIndexed(column, of: table)
                else { continue }
                names.append(RelationshipName(entity: entity.name, relationship: relationship.name))
            }
        }
        return names
    }

    /// What a delete looks the rows' keys up in.
    private func columnAsked(
        by relationship: EntityRelationship, of entity: Entity
    ) -> (table: String, column: String)? {
        let isFollowed = DeleteRules.effect(of: relationship) != .nothing
        switch map.entities[entity.index].toMany.element(relationship.index) ?? nil {
        // Join rows go whatever the rule.
        case .joinTable(let table, let column, _, _): return (table, column)
        case .foreignKey(let table, let column, _, _, _): return isFollowed ? (table, column) : nil
        case nil: return isFollowed ? keyOfInverse(relationship) : nil
        }
    }

    /// Of a one-to-one relationship, the key at the other end.
    private func keyOfInverse(_ relationship: EntityRelationship) -> (table: String, column: String)? {
        guard relationship.isToOne, let inverse = map.model.inverse(of: relationship), inverse.isToOne,
            let slot = inverse.slot
        else { return nil }
        let storage = map.entities[relationship.destinationIndex]
        return (storage.columns.element(slot) ?? nil).map { (storage.table, $0.name) }
    }

    private func isIndexed(_ column: String, of table: String) throws -> Bool {
        let sql =
            "SELECT 1 FROM pragma_index_list(?1) l, pragma_index_info(l.name) i "
            + "WHERE l.partial = 0 AND i.seqno = 0 AND upper(i.name) = upper(?2) LIMIT 1"
        return try connection.withStatement(sql) { statement in
            try statement.bind(table, at: 1)
            try statement.bind(column, at: 2)
            return try statement.step()
        }
    }

    // MARK: Links without a way back

    private static let exampleCount = 5

    /// - Complexity: For each relationship to what goes that no rule follows back, one statement, which reads its table, and
    ///   one for examples where there are any.
    private func danglingLinks(after plan: DeletePlan) throws -> [DanglingLinks] {
        var deleted: [String: KeySet] = [:]
        for (space, keys) in plan.deleted.keysBySpace {
            guard let index = runner.spaces.entityIndex(of: space) else { continue }
            deleted[map.entities[index].table, default: KeySet()].formUnion(keys)
        }
        return try CheckLayout(map).keys.compactMap { key in
            guard key.mayDangle, key.kind != .owned, let targets = deleted[key.targetTable] else { return nil }
            let owners = LeftOwners(key: key, targets: targets, gone: deleted[key.table] ?? KeySet())
            let count = try owners.count(connection)
            guard count > 0 else { return nil }
            return DanglingLinks(
                name: RelationshipName(entity: key.entity.name, relationship: key.property), count: count,
                examples: try owners.first(Self.exampleCount, connection).compactMap(id))
        }
    }

    private func id(_ row: (key: Int64, number: Int64)) -> ObjectID? {
        guard let number = Int(exactly: row.number), let index = map.entityIndexByNumber[number] else { return nil }
        return runner.spaces.id(entityIndex: index, key: row.key)
    }
}

/// Rows that stay and whose key leads to rows that go.
private struct LeftOwners {
    let key: StoredKey
    let targets: KeySet
    /// Keys of the owners' own table that go, too.
    let gone: KeySet

    private var source: String {
        "FROM \(key.table) r WHERE \(key.hasKey) AND r.\(key.column) IN \(SQLNames.listedValues) "
            + "AND r.\(SystemTables.keyColumn) NOT IN \(SQLNames.listedValues)"
    }

    func count(_ connection: Connection) throws -> Int {
        try connection.withStatement("SELECT count(*) \(source)") { statement in
            try bind(statement)
            return try statement.step() ? Int(statement.integer(at: 0)) : 0
        }
    }

    /// In the order of their keys.
    func first(_ count: Int, _ connection: Connection) throws -> [(key: Int64, number: Int64)] {
        let sql =
            "SELECT r.\(SystemTables.keyColumn), r.\(SystemTables.entityColumn) \(source) "
            + "ORDER BY r.\(SystemTables.keyColumn) LIMIT \(count)"
        return try connection.withStatement(sql) { statement in
            try bind(statement)
            var rows: [(key: Int64, number: Int64)] = []
            while try statement.step() { rows.append((statement.integer(at: 0), statement.integer(at: 1))) }
            return rows
        }
    }

    private func bind(_ statement: Statement) throws {
        try statement.bind(ValueList(targets.keys), at: 1)
        try statement.bind(ValueList(gone.keys), at: 2)
    }
}
