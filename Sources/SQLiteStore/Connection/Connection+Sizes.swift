import StoreSQL

extension Connection: TableSizes {
    package func highestKey(of table: String) throws -> Int64 {
        try withStatement("SELECT max(\(SystemTables.keyColumn)) FROM \(table)") {
            try $0.step() ? $0.integer(at: 0) : 0
        }
    }

    package func rowCount(of table: String) throws -> Int64 {
        try withStatement("SELECT count(*) FROM \(table)") { try $0.step() ? $0.integer(at: 0) : 0 }
    }

    /// Whether a table assigns these keys by itself, the first and the following ones, to this many new rows. That
    /// takes a fifth less time than specifying them, which requires a look-up of each; for few rows the check is not
    /// worthwhile.
    func allocatesKeys(from first: Int64, _ count: Int, in table: String) throws -> Bool {
        try count >= 64 && highestKey(of: table) + 1 == first
    }
}
