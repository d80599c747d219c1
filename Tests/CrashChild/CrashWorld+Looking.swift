import Foundation
import ObjectGraph
import SQLiteStore

/// The contents of the store, and its errors.
extension CrashWorld {
    /// Unneeded files may be left after a crash until the delete is resumed.
    enum OldFiles {
        case allowed
        case refused
    }

    /// The findings of the checker.
    static func findings(
        _ store: SQLiteStore, _ moment: String, oldFiles: OldFiles = .refused
    ) throws -> [String] {
        try store.check().filter { oldFiles == .refused || $0.kind != .orphanFile }
            .map { "\(moment), the checker: \($0)" }
    }

    /// All rows without their versions, the photos as they are read, the join rows, and the deleted rows in history.
    struct Contents: Equatable {
        var tables: [String: [String]] = [:]
        /// By box.
        var photos: [String] = []
        var deletions: [String] = []
    }

    /// Whether row versions are included.
    enum Versions {
        case included
        case excluded
    }

    func contents(_ versions: Versions = .excluded) throws -> Contents {
        let connection = try Connection(.file(url), access: .readOnly)
        var contents = Contents()
        for table in try Self.texts("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1", connection)
        where table.hasPrefix("Z_") == false && table.hasPrefix("Z") || table.contains("LABELS") {
            let left = versions == .included ? "'ZPHOTO'" : "'ZPHOTO', 'Z_OPT'"
            let columns = try Self.texts(
                "SELECT group_concat(name, '||''/''||') FROM (SELECT 'quote(' || name || ')' AS name "
                    + "FROM pragma_table_info('\(table)') WHERE name NOT IN (\(left)))", connection)
            contents.tables[table] = try Self.texts("SELECT \(columns[0]) FROM \(table) ORDER BY 1", connection)
        }
        contents.deletions = try Self.texts(
            "SELECT ZENTITY || '/' || ZENTITYPK FROM ACHANGE WHERE ZCHANGETYPE = 2 ORDER BY ZENTITY, ZENTITYPK",
            connection)
        contents.photos = try photos(connection)
        return contents
    }

    private func photos(_ connection: Connection) throws -> [String] {
        let sql = "SELECT Z_PK, ZPHOTO FROM ZBOX WHERE ZPHOTO NOT NULL ORDER BY 1"
        return try connection.withStatement(sql) { statement in
            var photos: [String] = []
            while try statement.step() {
                let value = try? files.value(of: statement.bytes(at: 1))
                let text = value.map { "\($0.count) bytes of \(Set($0).sorted())" } ?? "lost"
                photos.append("\(statement.integer(at: 0)): \(text)")
            }
            return photos
        }
    }

    /// Another process may delete a box, and its file, between the reading of the row and of the file: only a box found twice lacks
    /// its file.
    private func lostPhotos(_ connection: Connection) throws -> [String] {
        let lost = try photos(connection).filter { $0.hasSuffix("lost") }
        return lost.isEmpty ? [] : try photos(connection).filter(lost.contains)
    }

    /// Errors that must never be in the file, whatever happened.
    func problems() throws -> [String] {
        let connection = try Connection(.file(url), access: .readOnly)
        let checks = [
            ("damage", "SELECT * FROM pragma_integrity_check WHERE integrity_check != 'ok'"),
            ("box without its shelf", "SELECT Z_PK FROM ZBOX WHERE ZSHELF NOT IN (SELECT Z_PK FROM ZSHELF)"),
            (
                "thing without its box",
                "SELECT Z_PK FROM ZTHING WHERE ZBOX IS NULL OR ZBOX NOT IN (SELECT Z_PK FROM ZBOX)"
            ),
            (
                "keepsake of no thing",
                "SELECT Z_PK FROM ZKEEPSAKE WHERE ZTHING NOT IN (SELECT Z_PK FROM ZTHING)"
            ),
            (
                "row deleted twice",
                "SELECT ZENTITYPK FROM ACHANGE WHERE ZCHANGETYPE = 2 GROUP BY ZENTITY, ZENTITYPK HAVING count(*) > 1"
            ),
        ]
        var problems: [String] = []
        for (name, sql) in checks {
            let found = try Self.texts(sql, connection)
            if !found.isEmpty { problems.append("\(name): \(found.prefix(5))") }
        }
        problems += try lostPhotos(connection).map { "photo of box \($0)" }
        let joins = try Self.texts(
            "SELECT name FROM sqlite_master WHERE name LIKE 'Z\\_%LABELS' ESCAPE '\\'", connection)
        if joins.count != 1 { problems.append("join tables: \(joins)") }
        for join in joins {
            let columns = try Self.texts("SELECT name FROM pragma_table_info('\(join)')", connection)
            // The column of the boxes is named after their relationship's inverse.
            guard let boxes = columns.first(where: { $0.contains("BOXES") }) else {
                problems.append("columns: \(columns)")
                continue
            }
            let stray = try Self.texts(
                "SELECT \(boxes) FROM \(join) WHERE \(boxes) NOT IN (SELECT Z_PK FROM ZBOX)", connection)
            if !stray.isEmpty { problems.append("stray join rows: \(stray.prefix(5))") }
        }
        return problems
    }

    var hasJobTable: Bool {
        get throws {
            let connection = try Connection(.file(url), access: .readOnly)
            return try !Self.texts("SELECT 1 FROM sqlite_master WHERE name LIKE 'OSD%'", connection).isEmpty
        }
    }

    private static func texts(_ sql: String, _ connection: Connection) throws -> [String] {
        try connection.withStatement(sql) { statement in
            var texts: [String] = []
            while try statement.step() { texts.append(statement.text(at: 0)) }
            return texts
        }
    }
}
