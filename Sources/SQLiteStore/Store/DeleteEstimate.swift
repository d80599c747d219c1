import Foundation
import ObjectGraph
import StoreSQL

/// Estimates the cost of a plan and the space that it frees.
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
        cost.dangling = try DanglingLinks.links(after: plan, DanglingReader(runner, connection, plan))
        cost.statements = try runner.deleteRunner.steps(for: plan, connection).map(\.sql)
        return cost
    }

    // MARK: Bytes

    private static let sampleCount = 200

    /// The size of the archive of a recoverable delete: copies of rows and join rows, and the former references of survivors.
    func archiveSize(of plan: DeletePlan) throws -> Int64 {
        let joinRows = plan.removedJoinRows.reduce(0) { $0 + $1.count }
        let links = plan.cleared.reduce(0) { $0 + $1.keys.count }
        return try rowBytes(of: plan) + Int64(joinRows + links) * Self.bytesPerLink
    }

    /// About six numbers and two names.
    private static let bytesPerLink: Int64 = 64

    private func rowBytes(of plan: DeletePlan) throws -> Int64 {
        try plan.deleted.keysBySpace.reduce(0) { sum, rows in
            try sum + (runner.spaces.entityIndex(of: rows.key).map { try rowBytes(of: $0, rows.value) } ?? 0)
        }
    }

    /// Estimates eight bytes for a number, and the actual size of texts and blobs.
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

    /// Returns evenly spaced keys.
    private func sample(_ keys: KeySet) -> [Int64] {
        let list = keys.keys
        return stride(from: 0, to: list.count, by: max(1, list.count / Self.sampleCount)).map { list[$0] }
    }

    // MARK: Indexes

    /// The relationships that the delete follows from its rows through a key or a join row without an index.
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

    /// Returns the column in which a delete looks up the keys of the rows.
    private func columnAsked(
        by relationship: EntityRelationship, of entity: Entity
    ) -> (table: String, column: String)? {
        switch map.entities[entity.index].toMany.element(relationship.index) ?? nil {
        // Join rows are deleted whatever the rule.
        case .joinTable(let table, let column, _, _): return (table, column)
        case .foreignKey(let table, let column, _, _, _): return relationship.leavesDestinations ? nil : (table, column)
        case nil: return relationship.leavesDestinations ? nil : keyOfInverse(relationship)
        }
    }

    /// Returns the key at the other end of a one-to-one relationship.
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
}

/// Reads the links that no rule follows back.
private struct DanglingReader: DanglingReading {
    private let runner: SaveRunner
    private let connection: Connection
    private let layout: CheckLayout
    /// The deleted keys by table.
    private let deleted: [String: KeySet]

    init(_ runner: SaveRunner, _ connection: Connection, _ plan: DeletePlan) {
        self.runner = runner
        self.connection = connection
        layout = CheckLayout(runner.map)
        var deleted: [String: KeySet] = [:]
        for (space, keys) in plan.deleted.keysBySpace {
            guard let index = runner.spaces.entityIndex(of: space) else { continue }
            deleted[runner.map.entities[index].table, default: KeySet()].formUnion(keys)
        }
        self.deleted = deleted
    }

    var entitiesInOrder: [Entity] { layout.entities }

    /// - Complexity: One statement that scans the table if the plan deletes destinations, and one more for examples if
    ///   there are any.
    func survivors(
        referringBy relationship: EntityRelationship, of entity: Entity, after plan: DeletePlan
    ) throws -> (count: Int, examples: [ObjectID]) {
        guard let key = layout.key(entity: entity.name, property: relationship.name),
            let targets = deleted[key.targetTable]
        else { return (0, []) }
        let owners = LeftOwners(key: key, targets: targets, gone: deleted[key.table] ?? KeySet())
        let count = try owners.count(connection)
        if count == 0 { return (0, []) }
        return (count, try owners.first(DanglingLinks.exampleCount, connection).compactMap(id))
    }

    private func id(_ row: (key: Int64, number: Int64)) -> ObjectID? {
        guard let number = Int(exactly: row.number), let index = runner.map.entityIndexByNumber[number] else {
            return nil
        }
        return runner.spaces.id(entityIndex: index, key: row.key)
    }
}

/// Surviving rows whose key refers to deleted rows.
private struct LeftOwners {
    let key: StoredKey
    let targets: KeySet
    /// The deleted keys of the owners' own table.
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

    /// Returns the first owners in key order.
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
