/// The tables in which rows wait to be written, and the statements on them. Rows go by `StagedRows.Row.number`.
enum StagingTables {
    static let createStatements = [
        "PRAGMA journal_mode = OFF",
        "PRAGMA cache_size = -16000",
        "CREATE TABLE row (number INTEGER PRIMARY KEY, origin TEXT, cells BLOB, told BLOB)",
        "CREATE TABLE name (name TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID",
        "CREATE TABLE reference (owner INTEGER, slot INTEGER, target INTEGER, PRIMARY KEY (owner, slot)) WITHOUT ROWID",
        "CREATE TABLE link (owner INTEGER, relationship INTEGER, member INTEGER, rank INTEGER, "
            + "PRIMARY KEY (owner, relationship, member)) WITHOUT ROWID",
    ]

    /// Unique keys as bytes, each with the row that had it last.
    static let createClaimStatements = [
        "DROP TABLE IF EXISTS claim", "CREATE TABLE claim (bytes BLOB PRIMARY KEY, number INTEGER) WITHOUT ROWID",
    ]
    static let insertClaim = "INSERT OR REPLACE INTO claim VALUES (?, ?)"
    static let selectClaim = "SELECT number FROM claim WHERE bytes = ?"

    static let insertRow = "INSERT INTO row VALUES (?, ?, ?, ?)"
    static let insertName = "INSERT OR IGNORE INTO name VALUES (?, ?)"
    static let selectName = "SELECT number FROM name WHERE name = ?"
    static let selectTold = "SELECT number, origin, told FROM row WHERE told NOT NULL ORDER BY number"
    static let selectCells = "SELECT number, cells FROM row ORDER BY number"

    static let insertReference = "INSERT OR IGNORE INTO reference VALUES (?1, ?2, ?3)"
    static let selectReference = "SELECT target FROM reference WHERE owner = ?1 AND slot = ?2"
    static let selectReferences = "SELECT owner, slot, target FROM reference ORDER BY owner, slot"
    /// Of the rows between two numbers, the first without a reference at a slot.
    static let selectUnreferring =
        "SELECT origin FROM row WHERE number BETWEEN ?1 AND ?2 "
        + "AND NOT EXISTS (SELECT 1 FROM reference WHERE owner = number AND slot = ?3) ORDER BY number LIMIT 1"

    /// A link that two ends tell of has the better rank of the two.
    static let insertLink =
        "INSERT INTO link VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET rank = min(rank, excluded.rank)"
    static let selectLinks = "SELECT owner, relationship, member FROM link ORDER BY owner, relationship, rank"
}
