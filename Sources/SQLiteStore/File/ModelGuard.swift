import AppleFormats
import ObjectGraph
import StoreSQL

/// Prevents an open store from writing after another process has migrated the file or replaced its content with another
/// store's: entity numbers would refer to other entities, and wrong key counters would be raised.
///
/// Checked at the beginning of every write transaction. Such changes raise the file's schema version, as do some harmless
/// ones, so one number shows whether a full comparison is needed.
final class ModelGuard: Sendable {
    private let facts: Facts
    private let version: Locked<Int64>

    /// Call within the transaction in which the arguments were read.
    init(_ connection: Connection, _ metadata: StoreMetadata, _ rows: [PrimaryKeyRow]) throws {
        facts = Facts(metadata, rows)
        version = Locked(try connection.schemaVersion())
    }

    /// - Throws: `StoreAccessError.otherModel`, and errors of the read.
    func check(_ connection: Connection) throws {
        let now = try connection.schemaVersion()
        guard version.withLock({ $0 != now }) else { return }
        let found = Facts(try StoreMetadata(connection), try PrimaryKeyTable.rows(connection))
        guard facts.hold(in: found) else { throw StoreAccessError.otherModel }
        version.withLock { $0 = now }
    }

    /// The facts of a file that a store's writing depends on.
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

        /// Whether the facts are still the same. The file may have gained numbers it lacked before.
        func hold(in found: Facts) -> Bool {
            identifier == found.identifier && versionHashes == found.versionHashes
                && numbers.allSatisfy { found.numbers[$0.key] == $0.value }
        }
    }
}

extension Connection {
    /// The schema version, raised by every change of tables, and by `VACUUM`.
    func schemaVersion() throws -> Int64 {
        try withStatement("PRAGMA schema_version") { try $0.step() ? $0.integer(at: 0) : 0 }
    }

    /// Raises the schema version without a change of tables, so that other connections check the file again.
    func raiseSchemaVersion() throws {
        let next = try schemaVersion() % Self.highestSchemaVersion + 1
        try execute("PRAGMA schema_version = \(next)")
    }

    private static let highestSchemaVersion = Int64(Int32.max)
}
