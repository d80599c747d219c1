@testable import SQLiteStore

/// The store that most commands are tried on.
extension Tool {
    /// - Returns: the path of a new store.
    func library() throws -> String {
        try Library.makeFile(at: url("a.store"))
        return path("a.store")
    }

    /// Changes it without the command.
    func execute(_ statements: String...) throws {
        let connection = try Connection(.file(url("a.store")), access: .readWrite)
        for statement in statements { try connection.execute(statement) }
    }
}
