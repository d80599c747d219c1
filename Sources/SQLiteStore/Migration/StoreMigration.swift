import AppleFormats
import Foundation
import ObjectGraph

/// Migrates a file from one model to another, in place: a lightweight migration.
///
/// The migration is one transaction: if it fails, or the process ends, the file is unchanged. External files are removed
/// only after that transaction is on the disk.
package struct StoreMigration {
    private let url: URL
    /// The models to migrate through, in order; the file gets the last one.
    private let path: [Model]
    /// Possible models of the file, if it does not contain its own.
    package var candidates: [Model] = []
    /// How to treat missing mandatory values; a program's custom code may have emptied tables to permit the migration.
    package var missingValues = InferredMapping.MissingValues.refused
    /// How long to wait for locks of other connections, in seconds.
    package var busyTimeout: Double = 10
    /// Called before each step with finished and total units of work; an error thrown here stops the migration.
    package var report: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
    /// Returns the number of bytes free beside a file; `nil` if unknown.
    var freeBytes: (URL) -> Int64? = { JobEnvironment().freeBytes($0) }

    /// The units of `report` for one model, independent of its number of steps.
    private static let unitsPerModel = 1000

    package enum Outcome: Sendable, Hashable {
        /// There is no store, or it already has the model. It was not written to.
        case nothingToDo
        case migrated
    }

    /// - Parameter path: The models to migrate through, in order. Each mapping is inferred from the previous model.
    package init(_ url: URL, along path: [Model]) {
        self.url = url
        self.path = path
    }

    package init(_ url: URL, to model: Model) { self.init(url, along: [model]) }

    /// - Throws: `StoreMigrationError`, `MappingError`, `DerivationError`, `StoreMetadataError`, `StorageMapError`,
    ///   `ExternalDataError`, `SQLiteError`, and the errors of `report`.
    package func run() throws -> Outcome {
        guard let destination = path.last,
            let stored = Self.versionHashes(at: url, busyTimeout: busyTimeout), stored != destination.versionHashes
        else { return .nothingToDo }
        try rehearse()
        let connection = try Connection(.file(url), access: .readWrite)
        connection.busyTimeout = busyTimeout
        // References to a renamed table in views and triggers keep their text.
        try connection.execute("PRAGMA legacy_alter_table = ON")
        let data = ExternalData(storeURL: url)
        var files = FileChanges()
        var isWritten = false
        do {
            let outcome = try connection.withDurableCommits {
                try connection.withTemporaryFiles {
                    try connection.inTransaction(.immediate) {
                        let outcome = try migrate(connection, data, &files)
                        isWritten = true
                        return outcome
                    }
                }
            }
            data.removeUnreferenced(files.abandoned)
            return outcome
        } catch {
            // A commit that reported failure may still take effect when the file is next opened; then its files must exist.
            if !isWritten { data.remove(files.made) }
            throw error
        }
    }

    /// Returns the version hashes of a file's model.
    /// - Returns: `nil` if there is no store, or if opening it will fail: it is damaged, or uses another version of the
    ///   hash algorithm.
    package static func versionHashes(at url: URL, busyTimeout: Double = 10) -> [String: VersionHash]? {
        guard let connection = try? Connection(.file(url), access: .readOnly) else { return nil }
        connection.busyTimeout = busyTimeout
        return try? connection.inTransaction(.reading) {
            let metadata = try StoreMetadata(connection)
            return metadata.versionHashesVersion == VersionHash.currentVersion ? metadata.versionHashes : nil
        }
    }

    /// Checks what can be checked without writing, so that a refused file is not even opened for writing.
    private func rehearse() throws {
        let connection = try Connection(.file(url), access: .readOnly)
        connection.busyTimeout = busyTimeout
        try connection.inTransaction(.reading) {
            var current = try SourceModel.find(candidates + path, connection)
            for (number, model) in steps(from: current).enumerated() {
                if number == 0 {
                    try MigrationRun(from: current, to: model, missingValues: missingValues, connection).check()
                } else {
                    _ = try InferredMapping(from: current, to: model, missingValues: missingValues)
                }
                current = model
            }
        }
    }

    /// A file may have any of the models on the path.
    private func steps(from source: Model) -> ArraySlice<Model> {
        let place = path.lastIndex { $0.versionHashes == source.versionHashes }
        return path[(place.map { $0 + 1 } ?? 0)...]
    }

    private func migrate(
        _ connection: Connection, _ data: ExternalData, _ files: inout FileChanges
    ) throws -> Outcome {
        // Another process may have migrated the file meanwhile.
        guard try path.last?.versionHashes != StoreMetadata(connection).versionHashes else { return .nothingToDo }
        var current = try SourceModel.find(candidates + path, connection)
        let steps = steps(from: current)
        for (number, model) in steps.enumerated() {
            let run = try MigrationRun(from: current, to: model, missingValues: missingValues, connection)
            if run.plan.rebuildsTables { try checkDisk(connection) }
            var done = 0
            try run.run(data, &files) {
                let part = Self.unitsPerModel * done / run.stepCount
                try report(Self.unitsPerModel * number + part, Self.unitsPerModel * steps.count)
                done += 1
            }
            current = model
        }
        if !files.made.isEmpty { try data.synchronizeFolder() }
        return .migrated
    }

    /// The log receives the new tables, and a checkpoint writes them to the file before the pages of the former ones are
    /// reused.
    private func checkDisk(_ connection: Connection) throws {
        guard let available = freeBytes(url) else { return }
        let facts = try connection.databaseSize()
        guard available >= 2 * facts else {
            throw StoreMigrationError.notEnoughDisk(needed: 2 * facts, available: available)
        }
    }
}
