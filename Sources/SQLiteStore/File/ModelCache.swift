import AppleFormats
import Foundation
import ObjectGraph

/// The model a file carries: a deflated archive of the managed object model it was last written with.
package enum ModelCache {
    /// The cell of a file; `nil` where there is none.
    package static func content(_ connection: Connection) throws -> Data? {
        typealias Names = SystemTables.ModelCache
        guard try FileTables(connection).table(Names.table) != nil else { return nil }
        return try connection.withStatement("SELECT \(Names.content) FROM \(Names.table) LIMIT 1") { statement in
            try statement.step() ? statement.optionalBytes(at: 0) : nil
        }
    }

    /// The file's own model; `nil` where the file has no cache.
    package static func model(_ connection: Connection) throws -> Model? {
        guard let content = try content(connection), !content.isEmpty else { return nil }
        return try ArchivedModel.model(deflated: content)
    }

    /// Gives a new file its model. Files that have one keep it: it may say more than ours would.
    /// - Throws: `DeflateError`, `SQLiteError`.
    static func write(_ model: Model, _ connection: Connection) throws {
        typealias Names = SystemTables.ModelCache
        guard let content = try ArchivedModel.deflated(model) else { return }
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
