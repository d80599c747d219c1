import ObjectGraph

/// How the rows of one set are found or deleted: the cheapest way depends on the share of the table they are. All ways
/// give the same result.
package enum DeleteStrategy: Sendable, Hashable, CaseIterable {
    /// By look-ups, one for each key.
    case lookUp
    /// By reading the table once and asking a bitmap for each row.
    case scan
    /// The table is emptied.
    case truncate

    /// Thresholds were measured on tables of 100,000 and of a million rows.
    fileprivate enum Share {
        static let scanToFind = 0.3
        static let scanToDelete = 0.25
        static let worthCounting = 0.9
        static let worthAskingDestinations = 0.125
    }
}

/// Chooses strategies for one connection's state of the store.
struct DeleteStrategist {
    let connection: Connection
    /// Used instead of what the shares say, for tests that compare the strategies.
    let forced: DeleteStrategy?

    /// How to find what refers to these rows of a table.
    func toFind(referringTo keys: KeySet, of table: String) throws -> DeleteStrategy {
        if let forced { return forced == .truncate ? .scan : forced }
        return share(keys.count, try span(table)) > DeleteStrategy.Share.scanToFind ? .scan : .lookUp
    }

    func toDelete(_ keys: KeySet, from table: String) throws -> DeleteStrategy {
        if let forced, forced != .truncate { return forced }
        let share = share(keys.count, try span(table))
        if share >= DeleteStrategy.Share.worthCounting || forced == .truncate, try isEverything(keys.count, of: table) {
            return .truncate
        }
        return share > DeleteStrategy.Share.scanToDelete ? .scan : .lookUp
    }

    /// Whether to ask each row of a table if one of these leads to it, in place of asking these where they lead: with few
    /// destinations, and with all rows of the table these are in, of which none need be left out then.
    func asksDestinations(in table: String, of keys: KeySet, in owner: String) throws -> Bool {
        guard try toDelete(keys, from: owner) == .truncate else { return false }
        return try Double(span(table)) <= Double(keys.count) * DeleteStrategy.Share.worthAskingDestinations
    }

    private func share(_ count: Int, _ span: Int64) -> Double { span > 0 ? Double(count) / Double(span) : 0 }

    /// The highest key stands for the number of rows: it costs one look-up, and keys are handed out one after the other.
    private func span(_ table: String) throws -> Int64 { try connection.highestKey(of: table) }

    private func isEverything(_ count: Int, of table: String) throws -> Bool {
        try connection.withStatement("SELECT count(*) FROM \(table)") { statement in
            try statement.step() && statement.integer(at: 0) == Int64(count)
        }
    }
}
