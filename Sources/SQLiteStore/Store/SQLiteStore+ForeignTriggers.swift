import StoreSQL

extension SQLiteStore {
    /// Returns the foreign triggers of tables that this store writes: those of entities, links, and bookkeeping.
    /// - Throws: `SQLiteError`.
    package func foreignTriggers() throws -> [ForeignTrigger] {
        let own = Set((map.entityTables + map.joinColumns.map(\.table)).map { $0.uppercased() })
        return try pool.withReader { connection in
            try FileSchema.foreignTriggers(connection).filter {
                own.contains($0.table.uppercased()) || SystemTables.isKnown($0.table)
            }
        }
    }
}
