import AppleFormats
import Foundation
import ObjectGraph
import StoreSQL

/// The model that a file carries: a compressed archive of the managed object model it was last written with.
package enum ModelCache {
    /// Returns the cell of the model cache; `nil` if there is none.
    package static func content(_ connection: Connection) throws -> Data? {
        typealias Names = SystemTables.ModelCache
        guard try FileTables(connection).table(Names.table) != nil else { return nil }
        return try connection.withStatement("SELECT \(Names.content) FROM \(Names.table) LIMIT 1") { statement in
            try statement.step() ? statement.optionalBytes(at: 0) : nil
        }
    }

    /// Returns the file's own model; `nil` if the file has no cache.
    package static func model(_ connection: Connection) throws -> Model? {
        guard let content = try content(connection), !content.isEmpty else { return nil }
        return try ArchivedModel.model(deflated: content)
    }

    /// Writes the model of a new file. A file that has a model keeps it, because it may contain more than ours would.
    /// - Throws: `DeflateError`, `SQLiteError`.
    static func write(_ model: Model, _ connection: Connection) throws {
        typealias Names = SystemTables.ModelCache
        guard let content = try ArchivedModel.deflated(model) else { return }
        try connection.withStatement("INSERT INTO \(Names.table) (\(Names.content)) VALUES (?1)") { statement in
            try statement.bind(content, at: 1)
            try statement.run()
        }
    }

    /// Replaces the file's model. A model that cannot be archived leaves the file without one, because a wrong one would
    /// be worse.
    /// - Throws: `DeflateError`, `SQLiteError`.
    static func replace(with model: Model, _ connection: Connection) throws {
        typealias Names = SystemTables.ModelCache
        if try FileTables(connection).table(Names.table) == nil { try connection.execute(Names.createStatement) }
        try connection.execute("DELETE FROM \(Names.table)")
        try write(model, connection)
    }
}
