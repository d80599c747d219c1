/// A failed call of the database that a store writes to. Never contains values.
package protocol DatabaseError: Error, CustomStringConvertible {
    /// The database's own code: for SQLite, the extended result code.
    var databaseCode: Int { get }
    /// Whether another connection held a lock longer than the store waits.
    var isBusy: Bool { get }
    /// Whether the file is not a database, or is damaged.
    var isNotADatabase: Bool { get }
}
