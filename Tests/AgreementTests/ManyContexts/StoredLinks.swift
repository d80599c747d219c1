import StoreSQL
@testable import ObjectGraph
@testable import SQLiteStore

/// Links as stored in the file, read directly.
struct StoredLinks {
    let map: StorageMap
    let connection: Connection

    func check() throws {
        for table in map.entityTables {
            for columns in map.keyColumns(ofTable: table) { try check(columns, table) }
        }
        for join in map.joinColumns {
            try expectNone(
                "SELECT \(join.owner), \(join.member) FROM \(join.table) j "
                    + "WHERE NOT EXISTS (SELECT 1 FROM \(join.ownerTable) WHERE Z_PK = j.\(join.owner)) "
                    + "OR NOT EXISTS (SELECT 1 FROM \(join.memberTable) WHERE Z_PK = j.\(join.member))",
                "\(join.name) joins a row that is gone")
        }
    }

    private func check(_ columns: KeyColumns, _ table: String) throws {
        // A key without inverse is not cleared when its destination is deleted.
        let entity = map.model.entity(named: columns.name.entity)
        guard entity?.relationship(named: columns.name.relationship)?.inverseIndex != nil else { return }
        let key = columns.key
        try expectNone(
            "SELECT Z_PK, \(key) FROM \(table) t WHERE \(key) IS NOT NULL "
                + "AND NOT EXISTS (SELECT 1 FROM \(columns.destinationTable) WHERE Z_PK = t.\(key))",
            "\(columns.name) references a row that is gone")
        if columns.isMandatory {
            try expectNone("SELECT Z_PK, \(key) FROM \(table) WHERE \(key) IS NULL", "\(columns.name) is empty")
        }
        guard let inverse = columns.inverseKey else { return }
        try expectNone(
            "SELECT Z_PK, \(key) FROM \(table) t WHERE \(key) IS NOT NULL AND NOT EXISTS "
                + "(SELECT 1 FROM \(columns.destinationTable) d WHERE d.Z_PK = t.\(key) AND d.\(inverse) = t.Z_PK)",
            "\(columns.name) references a row that does not reference it")
    }

    private func expectNone(_ sql: String, _ problem: String) throws {
        try connection.withStatement(sql) { statement in
            guard try statement.step() else { return }
            let keys = (statement.integer(at: 0), statement.integer(at: 1))
            throw FailedCheck(kind: .storedLinks, text: "\(problem): \(keys)")
        }
    }
}
