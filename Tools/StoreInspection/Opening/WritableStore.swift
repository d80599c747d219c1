import Foundation
import ObjectGraph
import SQLiteStore

/// A store opened for writing, with the model in the file.
package struct WritableStore: Sendable {
    package let url: URL
    package let store: SQLiteStore
    /// The backup made before the first change.
    package let backup: URL?
    /// The state of the file before it was opened.
    private let before: DatabaseFile
    /// The store's commit mark after opening. File stamps alone do not reveal a commit that fits into an existing log.
    private let firstMark: UInt32

    package enum OthersRule: Sendable {
        /// Refuses a file that another process has open.
        case refuse
        case writeBeside
    }

    /// How to treat a file with other programs' triggers on tables of the store.
    package enum TriggerRule: Sendable {
        case refuse
        case run
    }

    package enum BackupRule: Sendable {
        case make
        case none
    }

    /// Checks what can be checked without opening the file, so that users are not asked to confirm an impossible
    /// operation.
    /// - Throws: `DatabaseFileError`, `InspectionError.inUse`, `.notWritable`.
    package static func check(_ url: URL, others: OthersRule) throws { _ = try file(at: url, others) }

    private static func file(at url: URL, _ others: OthersRule) throws -> DatabaseFile {
        let file = try DatabaseFile(url)
        guard file.use == .nobody || others == .writeBeside else { throw InspectionError.inUse(file.url.path) }
        // The folder must be writable, too, as SQLite creates journals in it.
        for path in [file.url.path, file.url.deletingLastPathComponent().path]
        where !FileManager.default.isWritableFile(atPath: path) {
            throw InspectionError.notWritable(path)
        }
        return file
    }

    /// Removes the backup if the operation failed without writing.
    /// - Returns: whether nothing was written since the file was checked, and a backup was removed.
    package func removeNeedlessBackup() -> Bool {
        guard let backup, before.isUnchanged, (try? store.commitMark()) == firstMark else { return false }
        StoreBackup.remove(backup)
        return true
    }

    /// Makes the backup before opening the store: closing a descriptor of an open file would release its locks.
    /// - Parameter progress: called with the bytes copied and the total; throws to stop.
    /// - Throws: `DatabaseFileError`, `InspectionError`, errors of opening, and errors of `progress`.
    package static func open(
        _ url: URL, models: ModelVersions? = nil, others: OthersRule, triggers: TriggerRule = .refuse,
        backup rule: BackupRule, progress: (_ done: Int64, _ total: Int64) throws -> Void = { _, _ in }
    ) throws -> WritableStore {
        try Preparation(
            url, models: models, others: others, triggers: triggers, backup: rule, progress: progress
        ).open()
    }

    /// The long part before a file is opened for writing. The file may still be inspected meanwhile.
    package struct Preparation: Sendable {
        private let file: DatabaseFile
        private let model: Model
        private let backup: URL?

        /// - Parameters:
        ///   - models: versions of the app's model; the matching version replaces the file's own model.
        ///   - earlier: an inspection of the same file, whose private copy is reused where possible.
        ///   - progress: called with the bytes copied and the total; throws to stop.
        /// - Throws: `DatabaseFileError`, `InspectionError`, and errors of `progress`; there is no backup then.
        package init(
            _ url: URL, models: ModelVersions? = nil, reusing earlier: InspectedFile? = nil, others: OthersRule,
            triggers: TriggerRule = .refuse, backup rule: BackupRule,
            progress: (_ done: Int64, _ total: Int64) throws -> Void = { _, _ in }
        ) throws {
            file = try WritableStore.file(at: url, others)
            model = try WritableStore.model(of: file, models, triggers, reusing: earlier, progress)
            backup = rule == .make ? try StoreBackup.make(of: file, progress: progress) : nil
        }

        /// Opens the store. While it is open, this process must not open the file except with SQLite.
        /// - Throws: errors of opening; the backup is removed then.
        package func open() throws -> WritableStore {
            do {
                let store = try SQLiteStore(model: model, location: .file(file.url))
                return WritableStore(
                    url: file.url, store: store, backup: backup, before: file, firstMark: try store.commitMark())
            } catch {
                if let backup { StoreBackup.remove(backup) }
                throw error is IncompatibleStoreError ? InspectionError.modelOutdated(file.url.path) : error
            }
        }
    }

    /// Reads the model without changing the file, so that a refused file is not modified.
    private static func model(
        of file: DatabaseFile, _ models: ModelVersions?, _ triggers: TriggerRule, reusing earlier: InspectedFile?,
        _ progress: (Int64, Int64) throws -> Void
    ) throws -> Model {
        let inspected = try InspectedFile(file.url, models: models, reusing: earlier, progress: progress)
        let model = try inspected.model()
        guard inspected.facts.numbersEntities || model.entities.isEmpty else { throw StoreOpeningError.noEntityNumbers }
        let found = try inspected.store().foreignTriggers()
        guard found.isEmpty || triggers == .run else {
            throw InspectionError.foreignTriggers(found.map { "\($0.name) on \($0.table)" })
        }
        guard let metadata = inspected.facts.metadata else {
            throw InspectionError.notAStore(file.url.path)
        }
        do {
            try StoreCompatibility.check(model, metadata) { nil }
        } catch {
            throw InspectionError.modelOutdated(file.url.path)
        }
        return model
    }
}
