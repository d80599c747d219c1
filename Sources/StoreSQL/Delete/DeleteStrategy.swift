import ObjectGraph

/// How to find or delete the rows of a key set. The cheapest way depends on their share of the table; all ways give the
/// same result.
package enum DeleteStrategy: Sendable, Hashable, CaseIterable {
    /// One look-up for each key.
    case lookUp
    /// One scan of the table that tests each row against a bitmap.
    case scan
    /// Empties the table.
    case truncate

    /// Thresholds measured on tables of 100,000 and of a million rows.
    fileprivate enum Share {
        static let scanToFind = 0.3
        static let scanToDelete = 0.25
        static let worthCounting = 0.9
        static let worthAskingDestinations = 0.125
    }
}

/// Chooses strategies by the sizes of tables.
package struct DeleteStrategist {
    private let sizes: any TableSizes
    /// Replaces the strategy chosen by share. For tests that compare the strategies.
    private let forced: DeleteStrategy?

    package init(sizes: any TableSizes, forced: DeleteStrategy?) {
        self.sizes = sizes
        self.forced = forced
    }

    /// Returns how to find the rows that refer to these rows of a table.
    package func toFind(referringTo keys: KeySet, of table: String) throws -> DeleteStrategy {
        if let forced { return forced == .truncate ? .scan : forced }
        return share(keys.count, try span(table)) > DeleteStrategy.Share.scanToFind ? .scan : .lookUp
    }

    package func toDelete(_ keys: KeySet, from table: String) throws -> DeleteStrategy {
        if let forced, forced != .truncate { return forced }
        let share = share(keys.count, try span(table))
        if share >= DeleteStrategy.Share.worthCounting || forced == .truncate,
            try sizes.rowCount(of: table) == Int64(keys.count)
        {
            return .truncate
        }
        return share > DeleteStrategy.Share.scanToDelete ? .scan : .lookUp
    }

    /// Whether to test for each row of the destination table if one of the owners refers to it, instead of reading the
    /// owners' references: if there are few destinations, and the owners are all rows of their table, so that none must
    /// be excluded.
    package func asksDestinations(in table: String, of keys: KeySet, in owner: String) throws -> Bool {
        guard try toDelete(keys, from: owner) == .truncate else { return false }
        return try Double(span(table)) <= Double(keys.count) * DeleteStrategy.Share.worthAskingDestinations
    }

    private func share(_ count: Int, _ span: Int64) -> Double { span > 0 ? Double(count) / Double(span) : 0 }

    /// Approximates the number of rows by the highest key, which costs one look-up; keys are assigned consecutively.
    private func span(_ table: String) throws -> Int64 { try sizes.highestKey(of: table) }
}

/// Reads the sizes of a store's tables.
package protocol TableSizes {
    /// Returns 0 for a table without rows.
    /// - Complexity: One look-up.
    func highestKey(of table: String) throws -> Int64

    /// - Complexity: Scans an index.
    func rowCount(of table: String) throws -> Int64
}
