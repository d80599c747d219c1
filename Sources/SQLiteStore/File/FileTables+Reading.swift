import StoreSQL

extension FileTables {
    /// Reads the current tables of a file. Excludes virtual tables: reading their columns fails if their module is
    /// missing, and a store has none of its own.
    package init(_ connection: Connection) throws {
        let sql =
            "SELECT master.name, info.name FROM sqlite_master AS master "
            + "JOIN pragma_table_info(master.name) AS info "
            + "WHERE master.type = 'table' AND master.rootpage > 0 ORDER BY master.rowid, info.cid"
        var tables: [String: [String]] = [:]
        try connection.withStatement(sql) { statement in
            while try statement.step() {
                tables[statement.text(at: 0), default: []].append(statement.text(at: 1))
            }
        }
        self.init(tables)
    }
}
