import ObjectGraph
import StoreSQL

/// The indexes and triggers of a file, in addition to its tables.
struct FileSchema: Sendable {
    struct Part: Sendable, Hashable {
        let name: String
        let table: String
        let sql: String
    }

    let tables: FileTables
    let indexes: [Part]
    let triggers: [Part]

    /// Skips indexes that SQLite makes itself: they have no SQL text and are dropped with their table.
    init(_ connection: Connection) throws {
        tables = try FileTables(connection)
        indexes = try Self.parts("index", connection)
        triggers = try Self.parts("trigger", connection)
    }

    /// Returns the names of all triggers.
    static func triggerNames(_ connection: Connection) throws -> [String] {
        try parts("trigger", connection).map(\.name)
    }

    /// Returns the triggers that neither Apple's framework nor this package made, and whose effects on writes are unknown.
    static func foreignTriggers(_ connection: Connection) throws -> [ForeignTrigger] {
        try parts("trigger", connection).filter {
            !$0.name.uppercased().hasPrefix(MigrationTables.derivationTriggerPrefix)
        }
        .map { ForeignTrigger(name: $0.name, table: $0.table) }
    }

    private static func parts(_ type: String, _ connection: Connection) throws -> [Part] {
        let sql = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = ?1 AND sql NOT NULL ORDER BY rowid"
        return try connection.withStatement(sql) { statement in
            try statement.bind(type, at: 1)
            var parts: [Part] = []
            while try statement.step() {
                parts.append(
                    Part(name: statement.text(at: 0), table: statement.text(at: 1), sql: statement.text(at: 2)))
            }
            return parts
        }
    }
}

extension FileSchema.Part {
    /// The text with normalized spacing, so that equal statements compare equal.
    var normalized: String { Self.normalized(sql) }

    static func normalized(_ sql: String) -> String { sql.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
