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
        _ url: URL, others: OthersRule, backup rule: BackupRule,
        progress: (_ done: Int64, _ total: Int64) throws -> Void = { _, _ in }
    ) throws -> WritableStore {
        let file = try file(at: url, others)
        let model = try model(of: file)
        let backup = rule == .make ? try StoreBackup.make(of: file, progress: progress) : nil
        do {
            let store = try SQLiteStore(model: model, location: .file(file.url))
            return WritableStore(
                url: file.url, store: store, backup: backup, before: file, firstMark: try store.commitMark())
        } catch {
            if let backup { StoreBackup.remove(backup) }
            throw error is IncompatibleStoreError ? InspectionError.modelOutdated(file.url.path) : error
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
        let url = freeName(beside: file.url)
        let (values, copies) = (ExternalData(storeURL: file.url), ExternalData(storeURL: partial(url)))
        var isWhole = false
        defer {
            remove(partial(url))
            if !isWhole { remove(url) }
        }
        do {
            // Before the rows, as others may give up values meanwhile, and after them, as they may add some.
            try copies.take(from: values)
            let copy = try PrivateCopy(of: file, progress: progress)
            defer { copy.remove() }
            try emptyLog(of: copy.url)
            try copies.take(from: values)
            try place(copy.url, at: url, access: FileAccess(of: file.url))
            isWhole = true
        } catch let error where error is CocoaError || error is ExternalDataError {
            throw DatabaseFileError.cannotCopy(
                file.url.path, reason: "\(url.path) cannot be written: \(error.localizedDescription)")
        }
        return url
    }

    private static func emptyLog(of url: URL) throws {
        try Connection(.file(url), access: .readWrite).emptyLog()
    }

    /// Under other names first, so that what has a backup's name is a whole one, and is on the disk. The database comes last.
    private static func place(_ copy: URL, at url: URL, access: FileAccess?) throws {
        let files = FileManager.default
        let unfinished = partial(url)
        try files.moveItem(at: copy, to: unfinished)
        access?.give(to: unfinished)
        try synchronize(unfinished)
        try ExternalData(storeURL: unfinished).synchronizeFiles()
        if files.fileExists(atPath: supportFolder(of: unfinished).path) {
            try files.moveItem(at: supportFolder(of: unfinished), to: supportFolder(of: url))
        }
        try files.moveItem(at: unfinished, to: url)
        try synchronize(url.deletingLastPathComponent())
    }

    private static func synchronize(_ url: URL) throws {
        let file = try FileHandle(forReadingFrom: url)
        try file.synchronize()
        try file.close()
    }

    fileprivate static func remove(_ url: URL) {
        for file in [url, supportFolder(of: url)] { try? FileManager.default.removeItem(at: file) }
    }

    /// Of another name up to the extension, too: the folder of big values has that.
    private static func partial(_ url: URL) -> URL {
        url.deletingLastPathComponent().appendingPathComponent(".unfinished-" + url.lastPathComponent)
    }

    private static func supportFolder(of url: URL) -> URL {
        ExternalData(storeURL: url).folder.deletingLastPathComponent()
    }

    /// Names of the backups that lie beside a store.
    package static func names(beside url: URL) -> [String] {
        let (head, ending) = nameParts(url)
        let present = try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        return (present ?? []).filter { $0.hasPrefix(head) && $0.hasSuffix(ending) }.sorted()
    }

    private static func nameParts(_ url: URL) -> (head: String, ending: String) {
        (
            "\(url.deletingPathExtension().lastPathComponent)-backup-",
            url.pathExtension.isEmpty ? "" : "." + url.pathExtension
        )
    }

    /// `App-backup-2024-03-01T12-00-00.sqlite`, with a number where that is taken. The time is before the extension, as
    /// the folder of big values is called by what is before it.
    private static func freeName(beside url: URL) -> URL {
        let now = DateText.exact(Date().timeIntervalSinceReferenceDate.rounded(.down)) ?? "now"
        let stamp = now.dropLast().replacing(":", with: "-")
        let (head, ending) = nameParts(url)
        let stem = head + stamp
        let folder = url.deletingLastPathComponent()
        var candidate = folder.appendingPathComponent(stem + ending)
        var number = 2
        while isTaken(candidate) {
            candidate = folder.appendingPathComponent("\(stem)-\(number)\(ending)")
            number += 1
        }
        return candidate
    }

    private static func isTaken(_ url: URL) -> Bool {
        [url, supportFolder(of: url)].contains { FileManager.default.fileExists(atPath: $0.path) }
    }
}
