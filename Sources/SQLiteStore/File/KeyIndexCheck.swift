import ObjectGraph
import StoreSQL

/// Finds key columns that no index begins with. Apple's files have one for each; tools that copy tables may lose them.
enum KeyIndexCheck {
    /// - Complexity: One statement over the file's schema; no rows are read.
    static func warnings(_ map: StorageMap, _ connection: Connection) throws -> [DeleteRuleWarning] {
        let indexed = try indexedColumns(connection)
        return map.keyPlaces.filter { !indexed.contains($0.place) }
            .map { .keyWithoutIndex($0.end, table: $0.place.table, column: $0.place.column) }
    }

    /// The first column of each index that covers its whole table. Excludes virtual tables, like `FileTables`.
    private static func indexedColumns(_ connection: Connection) throws -> Set<ColumnPlace> {
        let sql =
            "SELECT master.name, column.name FROM sqlite_master AS master "
            + "JOIN pragma_index_list(master.name) AS list JOIN pragma_index_info(list.name) AS column "
            + "WHERE master.type = 'table' AND master.rootpage > 0 AND list.partial = 0 AND column.seqno = 0 "
            + "AND column.name NOT NULL"
        return try connection.withStatement(sql) { statement in
            var columns: Set<ColumnPlace> = []
            while try statement.step() { columns.insert(ColumnPlace(statement.text(at: 0), statement.text(at: 1))) }
            return columns
        }
    }
}
