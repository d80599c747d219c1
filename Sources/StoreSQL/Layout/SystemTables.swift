import ObjectGraph

/// Names of the columns and tables that every file has, whatever its model. No other folder spells them.
package enum SystemTables {
    /// Key, entity number and row version are the first columns of every entity's table.
    package static let keyColumn = "Z_PK"
    package static let entityColumn = "Z_ENT"
    package static let versionColumn = "Z_OPT"
    /// A row's version as it is read. A row without one, as other programs may leave it, has version 0; a cell that is
    /// not an integer is cast by SQLite.
    package static let storedVersion = "CAST(coalesce(\(versionColumn), 0) AS INTEGER)"
    /// A row's next version: `RowVersion.next(after:)` as SQL.
    package static let nextVersion =
        "CASE WHEN \(storedVersion) >= \(RowVersion.last) THEN 1 ELSE \(storedVersion) + 1 END"
    /// The assignment that raises a row's version.
    package static let raisedVersion = "\(versionColumn) = \(nextVersion)"

    /// Entity numbers, and the highest assigned key per root entity.
    package enum PrimaryKey {
        package static let table = "Z_PRIMARYKEY"
        package static let entity = "Z_ENT"
        package static let name = "Z_NAME"
        package static let superentity = "Z_SUPER"
        package static let highestKey = "Z_MAX"
        package static let createStatement =
            "CREATE TABLE \(table) (\(entity) INTEGER PRIMARY KEY, \(name) VARCHAR, \(superentity) INTEGER, "
            + "\(highestKey) INTEGER)"
    }

    /// The store's UUID and its property list, in one row.
    package enum Metadata {
        package static let table = "Z_METADATA"
        package static let version = "Z_VERSION"
        package static let uuid = "Z_UUID"
        package static let propertyList = "Z_PLIST"
        package static let createStatement =
            "CREATE TABLE \(table) (\(version) INTEGER PRIMARY KEY, \(uuid) VARCHAR(255), \(propertyList) BLOB)"
    }

    /// The archived model, in one row.
    package enum ModelCache {
        package static let table = "Z_MODELCACHE"
        package static let content = "Z_CONTENT"
        package static let createStatement = "CREATE TABLE \(table) (\(content) BLOB)"
    }

    /// The bookkeeping tables in the order in which Apple creates them.
    package static let createStatements = [
        PrimaryKey.createStatement, Metadata.createStatement, ModelCache.createStatement,
    ]

    package static let tableNames = [PrimaryKey.table, Metadata.table, ModelCache.table]

    /// Whether a table is a bookkeeping table: Apple's, ours, or SQLite's own.
    package static func isKnown(_ table: String) -> Bool {
        let name = table.uppercased()
        return (tableNames + HistoryTables.names).contains(name) || name.hasPrefix("SQLITE_")
            || name.hasPrefix(RecoveryTables.prefix)
    }
}

/// Names of the history tables. Their rows have entity numbers of their own, with counters in the key table.
package enum HistoryTables {
    /// One row per changed object and transaction.
    package enum Change {
        package static let table = "ACHANGE"
        package static let entityNumber = 16001
        package static let entityName = "CHANGE"
        /// 0 insert, 1 update, 2 delete.
        package static let changeType = "ZCHANGETYPE"
        package static let entity = "ZENTITY"
        package static let key = "ZENTITYPK"
        package static let transaction = "ZTRANSACTIONID"
        /// Bit set of the properties an update changed.
        package static let columns = "ZCOLUMNS"

        /// The column of the k-th attribute preserved on deletion, from 0.
        package static func tombstone(_ index: Int) -> String { "ZTOMBSTONE\(index)" }
    }

    /// One row per save. Columns whose names end in `String` refer to interned texts.
    package enum Transaction {
        package static let table = "ATRANSACTION"
        package static let entityNumber = 16002
        package static let entityName = "TRANSACTION"
        package static let authorString = "ZAUTHORTS"
        package static let bundleString = "ZBUNDLEIDTS"
        package static let contextString = "ZCONTEXTNAMETS"
        package static let processString = "ZPROCESSIDTS"
        /// Seconds since 2001-01-01 UTC.
        package static let timestamp = "ZTIMESTAMP"
        package static let author = "ZAUTHOR"
        package static let bundle = "ZBUNDLEID"
        package static let context = "ZCONTEXTNAME"
        package static let process = "ZPROCESSID"
        package static let queryGeneration = "ZQUERYGEN"

        /// The two columns of each text: plain, and interned.
        package static let texts = [
            (plain: author, interned: authorString), (plain: context, interned: contextString),
            (plain: process, interned: processString), (plain: bundle, interned: bundleString),
        ]
    }

    /// Interned texts.
    package enum Text {
        package static let table = "ATRANSACTIONSTRING"
        package static let entityNumber = 16003
        package static let entityName = "TRANSACTIONSTRING"
        package static let name = "ZNAME"
    }

    package static let names = [Change.table, Transaction.table, Text.table]

    /// The rows of history in the key table.
    package static let entities = [
        (number: Change.entityNumber, name: Change.entityName),
        (number: Transaction.entityNumber, name: Transaction.entityName),
        (number: Text.entityNumber, name: Text.entityName),
    ]

    /// Tables, then indexes, as Apple creates them.
    /// - Parameter tombstoneCount: The maximum number of attributes preserved on deletion in any entity.
    package static func createStatements(tombstoneCount: Int) -> [String] {
        [
            table(Change.table, changeColumns(tombstoneCount: tombstoneCount)),
            table(Transaction.table, transactionColumns),
            table(Text.table, [(Text.name, "VARCHAR")]),
        ] + indexStatements
    }

    private static func changeColumns(tombstoneCount: Int) -> [(String, String)] {
        let integers = [Change.changeType, Change.entity, Change.key, Change.transaction].map { ($0, "INTEGER") }
        let blobs = [Change.columns] + (0..<max(0, tombstoneCount)).map(Change.tombstone)
        return integers + blobs.map { ($0, "BLOB") }
    }

    private static let transactionColumns: [(String, String)] = {
        typealias T = Transaction
        let keys = [T.authorString, T.bundleString, T.contextString, T.processString].map { ($0, "INTEGER") }
        let texts = [T.author, T.bundle, T.context, T.process].map { ($0, "VARCHAR") }
        return keys + [(T.timestamp, "FLOAT")] + texts + [(T.queryGeneration, "BLOB")]
    }()

    private static func table(_ name: String, _ columns: [(String, String)]) -> String {
        SchemaText.createTable(name, columns: columns)
    }

    private static let indexStatements: [String] = {
        typealias T = Transaction
        let keys = [T.authorString, T.bundleString, T.contextString, T.processString]
        return [SchemaText.keyIndex(table: Change.table, column: Change.transaction)]
            + keys.map { SchemaText.keyIndex(table: T.table, column: $0) }
            + [
                SchemaText.orderedIndex("Z_TRANSACTION_TransactionAuthorIndex", on: T.table, [T.author]),
                SchemaText.orderedIndex("Z_TRANSACTION_TransactionTimestampIndex", on: T.table, [T.timestamp]),
                SchemaText.orderedIndex("Z_TRANSACTIONSTRING_UNIQUE_NAME", on: Text.table, [Text.name], .unique),
            ]
    }()
}
