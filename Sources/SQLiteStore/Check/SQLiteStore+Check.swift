import ObjectGraph

extension SQLiteStore {
    /// Everything wrong with the file, as of one moment. Nothing is changed.
    /// - Throws: `SQLiteError`, `ExternalDataError`.
    package func check() throws -> [StoreFinding] {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) { try checker(connection).findings() }
        }
    }

    func checker(_ connection: Connection) -> StoreChecker {
        StoreChecker(
            layout: CheckLayout(map), spaces: spaces, externalData: saveRunner.externalData,
            history: saveRunner.history, connection: connection)
    }
}
