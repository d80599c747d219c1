import Foundation
import ObjectGraph
import SQLiteStore

/// A store opened to be changed, with the model it carries.
package struct WritableStore: Sendable {
    package let url: URL
    package let store: SQLiteStore
    /// Where the file was copied to before anything changed.
    package let backup: URL?
    /// The file as it was before it was opened.
    private let before: DatabaseFile
    /// Of the store, just opened: stamps alone do not tell of a commit that others' log had room for.
    private let firstMark: UInt32

    package enum OthersRule: Sendable {
        /// A file that another process has open is refused.
        case refuse
        case writeBeside
    }

    /// What becomes of a file with triggers of other programs on tables of the store.
    package enum TriggerRule: Sendable {
        case refuse
        case run
    }

    package enum BackupRule: Sendable {
        case make
        case none
    }

    /// What can be seen without opening the file, so that nobody is asked about what cannot be done.
    /// - Throws: `DatabaseFileError`, `InspectionError.inUse`, `.notWritable`.
    package static func check(_ url: URL, others: OthersRule) throws { _ = try file(at: url, others) }

    private static func file(at url: URL, _ others: OthersRule) throws -> DatabaseFile {
        let file = try DatabaseFile(url)
        guard file.use == .nobody || others == .writeBeside else { throw InspectionError.inUse(file.url.path) }
        // Journals are made beside the file.
        for path in [file.url.path, file.url.deletingLastPathComponent().path]
        where !FileManager.default.isWritableFile(atPath: path) {
            throw InspectionError.notWritable(path)
        }
        return file
    }

    /// For work that could not be done after all.
    /// - Returns: whether nothing was written since the file was looked at, and a backup was made for nothing.
    package func removeNeedlessBackup() -> Bool {
        guard let backup, before.isUnchanged, (try? store.commitMark()) == firstMark else { return false }
        StoreBackup.remove(backup)
        return true
    }

    /// Makes the backup, then opens: closing a descriptor of an open file would give up its locks.
    /// - Parameter progress: told of bytes copied of bytes in all; throws to stop.
    /// - Throws: `DatabaseFileError`, `InspectionError`, what opening throws, and what `progress` throws.
    package static func open(
        _ url: URL, models: ModelVersions? = nil, others: OthersRule, triggers: TriggerRule = .refuse,
        backup rule: BackupRule, progress: (_ done: Int64, _ total: Int64) throws -> Void = { _, _ in }
    ) throws -> WritableStore {
        try Preparation(
            url, models: models, others: others, triggers: triggers, backup: rule, progress: progress
        ).open()
    }

    /// All that is done before a file is opened: the part that takes long, during which others here may still look at it.
    package struct Preparation: Sendable {
        private let file: DatabaseFile
        private let model: Model
        private let backup: URL?

        /// - Parameters:
        ///   - models: versions of the app's model, of which the one that fits is used instead of the file's own.
        ///   - earlier: the same file, opened to be looked at; what need not be copied again is taken from its private copy.
        ///   - progress: told of bytes copied of bytes in all; throws to stop.
        /// - Throws: `DatabaseFileError`, `InspectionError`, and what `progress` throws; there is no backup then.
        package init(
            _ url: URL, models: ModelVersions? = nil, reusing earlier: InspectedFile? = nil, others: OthersRule,
            triggers: TriggerRule = .refuse, backup rule: BackupRule,
            progress: (_ done: Int64, _ total: Int64) throws -> Void = { _, _ in }
        ) throws {
            file = try WritableStore.file(at: url, others)
            model = try WritableStore.model(of: file, models, triggers, reusing: earlier, progress)
            backup = rule == .make ? try StoreBackup.make(of: file, progress: progress) : nil
        }

        /// From here on, as long as the store is open, nobody here opens the file by other means than SQLite's.
        /// - Throws: what opening throws; the backup is removed then.
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

    /// Looked up without changing anything, so that a file that is refused stays as it is.
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
