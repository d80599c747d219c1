import Foundation
import ObjectGraph

/// Makes a file that was written with one model a file of another, in place: a lightweight migration.
///
/// All of it is one transaction: whatever fails, and should the process end, the file is as it was. Files of large values
/// are removed only after that transaction is on the disk.
package struct StoreMigration {
    private let url: URL
    /// The models the file is to have, one after the other; the last stays.
    private let path: [Model]
    /// Models the file may be of, where it does not carry its own.
    package var candidates: [Model] = []
    /// Whether code of the program may have emptied tables for this.
    package var missingValues = InferredMapping.MissingValues.refused
    /// How long to wait for others, in seconds.
    package var busyTimeout: Double = 10
    /// Told of units of work done of units in all, before each step; throws to stop.
    package var report: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
    /// Bytes free beside a file; `nil` when nobody knows.
    var freeBytes: (URL) -> Int64? = { JobEnvironment().freeBytes($0) }

    /// What `report` counts: steps of one model may be many or few.
    private static let unitsPerModel = 1000

    package enum Outcome: Sendable, Hashable {
        /// There is no store, or it has the model already. It was not written to.
        case nothingToDo
        case migrated
    }

    /// - Parameter path: the models the file is to become one of, in order. Each is inferred from the one before.
    package init(_ url: URL, along path: [Model]) {
        self.url = url
        self.path = path
    }

    package init(_ url: URL, to model: Model) { self.init(url, along: [model]) }

    /// - Throws: `StoreMigrationError`, `MappingError`, `DerivationError`, `StoreMetadataError`, `StorageMapError`,
    ///   `ExternalDataError`, `SQLiteError`, and what `report` throws.
    package func run() throws -> Outcome {
        guard let destination = path.last,
            let stored = Self.versionHashes(at: url, busyTimeout: busyTimeout), stored != destination.versionHashes
        else { return .nothingToDo }
        try rehearse()
        let connection = try Connection(.file(url), access: .readWrite)
        connection.busyTimeout = busyTimeout
        // References of views and triggers to a table that makes way stay as they are written.
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
            // A commit that failed may be found done by who opens the file next: then its files must be there.
            if !isWritten { data.remove(files.made) }
            throw error
        }
    }

    /// What a file says that its model is.
    /// - Returns: `nil` where there is no store, or one that is for opening to refuse: damaged, or of another version of
    ///   the recipe of hashes.
    package static func versionHashes(at url: URL, busyTimeout: Double = 10) -> [String: VersionHash]? {
        guard let connection = try? Connection(.file(url), access: .readOnly) else { return nil }
        connection.busyTimeout = busyTimeout
        return try? connection.inTransaction(.reading) {
            let metadata = try StoreMetadata(connection)
            return metadata.versionHashesVersion == StoreMetadata.currentHashesVersion ? metadata.versionHashes : nil
        }
    }

    /// What is refused is refused here, as far as it can be told without writing: the file is not even opened for it.
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

    /// A file may be at any of the versions.
    private func steps(from source: Model) -> ArraySlice<Model> {
        let place = path.lastIndex { $0.versionHashes == source.versionHashes }
        return path[(place.map { $0 + 1 } ?? 0)...]
    }

    private func migrate(
        _ connection: Connection, _ data: ExternalData, _ files: inout FileChanges
    ) throws -> Outcome {
        // Somebody else may have been faster.
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

    /// The log takes the new tables, and the file takes them from the log before the former ones' pages are used again.
    private func checkDisk(_ connection: Connection) throws {
        guard let available = freeBytes(url) else { return }
        let facts = try StoreFileFacts.size(connection)
        guard available >= 2 * facts else {
            throw StoreMigrationError.notEnoughDisk(needed: 2 * facts, available: available)
        }
    }
}
