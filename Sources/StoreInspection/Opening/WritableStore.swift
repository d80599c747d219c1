import Foundation
import ObjectGraph
import SQLiteStore

/// A store opened to be changed, with the model it carries.
package struct WritableStore: Sendable {
    package let url: URL
    package let store: SQLiteStore
    /// Where the file was copied to before anything changed.
    package let backup: URL?

    package enum OthersRule: Sendable {
        /// A file that another process has open is refused.
        case refuse
        case writeBeside
    }

    package enum BackupRule: Sendable {
        case make
        case none
    }

    /// Makes the backup, then opens: closing a descriptor of an open file would give up its locks.
    /// - Parameter progress: told of bytes copied of bytes in all; throws to stop.
    /// - Throws: `DatabaseFileError`, `InspectionError`, what opening throws, and what `progress` throws.
    package static func open(
        _ url: URL, others: OthersRule, backup rule: BackupRule,
        progress: (_ done: Int64, _ total: Int64) throws -> Void = { _, _ in }
    ) throws -> WritableStore {
        let file = try DatabaseFile(url)
        guard file.use == .nobody || others == .writeBeside else { throw InspectionError.inUse(file.url.path) }
        let model = try model(of: file)
        let backup = rule == .make ? try StoreBackup.make(of: file, progress: progress) : nil
        do {
            let store = try SQLiteStore(model: model, location: .file(file.url))
            return WritableStore(url: file.url, store: store, backup: backup)
        } catch is IncompatibleStoreError {
            throw InspectionError.modelOutdated(file.url.path)
        }
    }

    /// Looked up without changing anything, so that a file that is refused stays as it is.
    private static func model(of file: DatabaseFile) throws -> Model {
        let inspected = try InspectedFile(file.url)
        _ = try inspected.store()
        guard let model = inspected.facts.model, let metadata = inspected.facts.metadata else {
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

/// A copy of a store beside it, made before the store is changed: one file, with all of the log in it, and the folder of
/// its big values where there is one.
package enum StoreBackup {
    /// - Throws: `DatabaseFileError`, `SQLiteError`, and what `progress` throws.
    static func make(
        of file: DatabaseFile, progress: (_ done: Int64, _ total: Int64) throws -> Void
    ) throws -> URL {
        let copy = try PrivateCopy(of: file, progress: progress)
        defer { copy.remove() }
        do {
            let connection = try Connection(.file(copy.url), access: .readWrite)
            try connection.emptyLog()
        }
        let url = freeName(beside: file.url)
        do {
            try FileManager.default.moveItem(at: copy.url, to: url)
        } catch {
            throw DatabaseFileError.cannotCopy(file.url.path, reason: "\(url.path) cannot be written.")
        }
        try copyExternalData(of: file.url, to: url)
        return url
    }

    /// `NAME.backup-2024-03-01T12-00-00`, with a number where that is taken.
    private static func freeName(beside url: URL) -> URL {
        let now = DateText.exact(Date().timeIntervalSinceReferenceDate.rounded(.down)) ?? "now"
        let stamp = now.dropLast().replacing(":", with: "-")
        let name = "\(url.lastPathComponent).backup-\(stamp)"
        let folder = url.deletingLastPathComponent()
        var candidate = folder.appendingPathComponent(name)
        var number = 2
        while FileManager.default.fileExists(atPath: candidate.path) {
            candidate = folder.appendingPathComponent("\(name)-\(number)")
            number += 1
        }
        return candidate
    }

    private static func copyExternalData(of original: URL, to backup: URL) throws {
        let source = ExternalData(storeURL: original).folder
        guard FileManager.default.fileExists(atPath: source.path) else { return }
        let target = ExternalData(storeURL: backup).folder
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: source, to: target)
    }
}
