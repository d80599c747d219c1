import Foundation

@testable import SQLiteStore

/// Texts of the file's schema, in its order; indexes that SQLite made itself are left out.
func schema(_ connection: Connection, type: String) throws -> [String] {
    let sql = "SELECT sql FROM sqlite_master WHERE type = ?1 AND sql NOT NULL ORDER BY rowid"
    return try connection.withStatement(sql) { statement in
        try statement.bind(type, at: 1)
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(at: 0)) }
        return texts.map(normalized)
    }
}

/// Only white space may differ; a column that Apple's frameworks added later has some before its comma.
func normalized(_ sql: String) -> String {
    sql.split(whereSeparator: \.isWhitespace).joined(separator: " ").replacingOccurrences(of: " ,", with: ",")
}
