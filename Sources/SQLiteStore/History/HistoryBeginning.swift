import ObjectGraph

/// Begins a history in a file that has none yet: empty tables, as a new file has them. Rows written before are in none of
/// its transactions.
struct HistoryBeginning {
    let model: Model

    /// Another process may do the same at once.
    /// - Returns: the file's tables, as they are then.
    func begin(_ writer: Connection) throws -> FileTables {
        try writer.inTransaction(.immediate) {
            let tables = try FileTables(writer)
            guard !tables.hasHistory else { return tables }
            for statement in HistoryTables.createStatements(tombstoneCount: SchemaLayout(model).tombstoneCount) {
                try writer.execute(statement)
            }
            return try FileTables(writer)
        }
    }
}
