import ObjectGraph

/// Keeps a store that is open from writing by its model once somebody has migrated the file, or put another store's content
/// in its place: entity numbers would mean other entities, and counters be raised that are not its own.
///
/// Asked first thing in every transaction that writes. Whatever does such a thing raises the file's schema version, as do
/// some harmless changes, so that one number tells whether to look closer.
final class ModelGuard: Sendable {
    private let facts: Facts
    private let version: Locked<Int64>

    /// Within the transaction in which the rest was read.
    init(_ connection: Connection, _ metadata: StoreMetadata, _ rows: [PrimaryKeyRow]) throws {
        facts = Facts(metadata, rows)
        version = Locked(try connection.schemaVersion())
    }

    /// - Throws: `StoreAccessError.otherModel`, and what reading throws.
    func check(_ connection: Connection) throws {
        let now = try connection.schemaVersion()
        guard version.withLock({ $0 != now }) else { return }
        let found = Facts(try StoreMetadata(connection), try PrimaryKeyTable.rows(connection))
        guard facts.hold(in: found) else { throw StoreAccessError.otherModel }
        version.withLock { $0 = now }
    }

    /// What of a file decides how a store writes there.
    private struct Facts {
        let identifier: String
        let versionHashes: [String: VersionHash]
        let numbers: [String: Int]

        init(_ metadata: StoreMetadata, _ rows: [PrimaryKeyRow]) {
            identifier = metadata.uuid
            versionHashes = metadata.versionHashes
            let entities = rows.filter { $0.number < MigrationTables.firstForeignNumber }
            numbers = Dictionary(entities.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
        }

        /// Whether they still do. Numbers may have come to light that the file lacked.
        func hold(in found: Facts) -> Bool {
            identifier == found.identifier && versionHashes == found.versionHashes
                && numbers.allSatisfy { found.numbers[$0.key] == $0.value }
        }
    }
}

extension Connection {
    /// Raised by whatever changes tables, and by writing the file anew.
    func schemaVersion() throws -> Int64 {
        try withStatement("PRAGMA schema_version") { try $0.step() ? $0.integer(at: 0) : 0 }
    }

    /// Tells all who have the file open to look at it again, where no table was changed.
    func raiseSchemaVersion() throws {
        let next = try schemaVersion() % Self.highestSchemaVersion + 1
        try execute("PRAGMA schema_version = \(next)")
    }

    private static let highestSchemaVersion = Int64(Int32.max)
}
