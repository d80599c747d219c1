extension FileTables {
    /// The tables a file has now. Virtual ones are left out: asking for their columns fails where the module they need
    /// is not there, and none of ours is one.
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
