/// The tables of staged rows, and the statements on them. Rows are identified by `StagedRows.Row.number`.
enum StagingTables {
    static let createStatements = [
        "PRAGMA journal_mode = OFF",
        "PRAGMA cache_size = -16000",
        "CREATE TABLE row (number INTEGER PRIMARY KEY, origin TEXT, cells BLOB, links BLOB)",
        "CREATE TABLE name (name TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID",
        "CREATE TABLE reference (owner INTEGER, slot INTEGER, target INTEGER, PRIMARY KEY (owner, slot)) WITHOUT ROWID",
        "CREATE TABLE link (owner INTEGER, relationship INTEGER, member INTEGER, rank INTEGER, "
            + "PRIMARY KEY (owner, relationship, member)) WITHOUT ROWID",
    ]

    /// Unique keys as bytes, each with the last row that had it.
    static let createClaimStatements = [
        "DROP TABLE IF EXISTS claim", "CREATE TABLE claim (bytes BLOB PRIMARY KEY, number INTEGER) WITHOUT ROWID",
    ]
    static let insertClaim = "INSERT OR REPLACE INTO claim VALUES (?, ?)"
    static let selectClaim = "SELECT number FROM claim WHERE bytes = ?"

    static let insertRow = "INSERT INTO row VALUES (?, ?, ?, ?)"
    static let insertName = "INSERT OR IGNORE INTO name VALUES (?, ?)"
    static let selectName = "SELECT number FROM name WHERE name = ?"
    static let selectGivenLinks = "SELECT number, origin, links FROM row WHERE links NOT NULL ORDER BY number"
    static let selectCells = "SELECT number, cells FROM row ORDER BY number"

    static let insertReference = "INSERT OR IGNORE INTO reference VALUES (?1, ?2, ?3)"
    static let selectReference = "SELECT target FROM reference WHERE owner = ?1 AND slot = ?2"
    static let selectReferences = "SELECT owner, slot, target FROM reference ORDER BY owner, slot"
    /// Among the rows between two numbers, selects the first without a reference at a slot, and the number of such rows.
    static let selectUnreferring =
        "SELECT origin, count(*) OVER () FROM row WHERE number BETWEEN ?1 AND ?2 "
        + "AND NOT EXISTS (SELECT 1 FROM reference WHERE owner = number AND slot = ?3) ORDER BY number LIMIT 1"

    /// Among the rows between two numbers, selects the first with too few or too many members, its number of members, and
    /// the number of such rows. A link is given by the owner, by the member, or by the member's reference. An empty
    /// relationship has too few members only if it is mandatory.
    /// - Parameters:
    ///   - memberEntities: The entities of possible members, because slots and relationship indexes have a different
    ///     meaning for each entity.
    ///   - entityShift: The bit position of the entity in a row's number.
    static func selectMiscount(memberEntities: [Int], entityShift: Int64) -> String {
        let isMember = "owner >> \(entityShift) IN (\(memberEntities.map(String.init).joined(separator: ", ")))"
        let pairs = [
            "SELECT owner AS o, member AS m FROM link WHERE owner BETWEEN ?1 AND ?2 AND relationship = ?3",
            "SELECT member, owner FROM link WHERE member BETWEEN ?1 AND ?2 AND relationship = ?4 AND \(isMember)",
            "SELECT target, owner FROM reference WHERE target BETWEEN ?1 AND ?2 AND slot = ?5 AND \(isMember)",
        ]
        return
            "SELECT origin, count(m) AS n, count(*) OVER () FROM row LEFT JOIN (\(pairs.joined(separator: " UNION "))) ON o = number "
            + "WHERE number BETWEEN ?1 AND ?2 GROUP BY number HAVING n > ?8 OR n >= ?6 AND n < ?7 "
            + "ORDER BY number LIMIT 1"
    }

    /// A link given by both ends has the lower rank of the two.
    static let insertLink =
        "INSERT INTO link VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET rank = min(rank, excluded.rank)"
    static let selectLinks = "SELECT owner, relationship, member FROM link ORDER BY owner, relationship, rank"
}
