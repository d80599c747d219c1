import ObjectGraph
import StoreSQL

/// Starts the history of a file that has none, with empty tables as in a new file. Rows written before are in none of its
/// transactions.
struct HistoryBeginning {
    let model: Model

    /// Starts the history. Another process may do the same at once.
    /// - Returns: The resulting tables of the file.
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
