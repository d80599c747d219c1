import Foundation
import ObjectGraph

extension ModelCache {
    /// The cell for a model; `nil` for one that cannot be archived as it is.
    static func content(of model: Model) throws(DeflateError) -> Data? {
        guard let archive = ModelArchiver.archive(model) else { return nil }
        return try Deflate.compress(archive.binary)
    }

    /// Gives a new file its model. Files that have one keep it: it may say more than ours would.
    /// - Throws: `DeflateError`, `SQLiteError`.
    static func write(_ model: Model, _ connection: Connection) throws {
        typealias Names = SystemTables.ModelCache
        guard let content = try content(of: model) else { return }
        try connection.withStatement("INSERT INTO \(Names.table) (\(Names.content)) VALUES (?1)") { statement in
            try statement.bind(content, at: 1)
            try statement.run()
        }
    }

    /// Gives a file another model. One that cannot be archived leaves the file without: a wrong one would be worse.
    /// - Throws: `DeflateError`, `SQLiteError`.
    static func replace(with model: Model, _ connection: Connection) throws {
        typealias Names = SystemTables.ModelCache
        if try FileTables(connection).table(Names.table) == nil { try connection.execute(Names.createStatement) }
        try connection.execute("DELETE FROM \(Names.table)")
        try write(model, connection)
    }
}
