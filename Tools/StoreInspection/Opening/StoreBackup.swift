import Foundation
import SQLiteStore

/// A backup next to the store, made before the first change. It is one file that includes the log's content, plus the
/// folder of external data if there is one.
package enum StoreBackup {
    /// The parts of a backup, which are copied one after the other.
    enum Part { case values, rows }

    /// Makes the backup in a private folder first, so that a file with a backup's name is always complete and
    /// synchronized to disk.
    /// - Throws: `DatabaseFileError`, `InspectionError`, `SQLiteError`, and errors of `progress`.
    /// - Parameter copied: called after external data have been copied before the rows, and after the rows have been
    ///   copied.
    static func make(
        of file: DatabaseFile, progress: (_ done: Int64, _ total: Int64) throws -> Void,
        copied: (Part) throws -> Void = { _ in }
    ) throws -> URL {
        do {
            let folder = try PrivateFolder(
                in: file.url.deletingLastPathComponent(), prefix: unfinishedPrefix(file.url))
            defer { folder.remove() }
            let unfinished = folder.url.appendingPathComponent(freeName(beside: file.url).lastPathComponent)
            try fill(unfinished, from: file, in: folder, progress, copied)
            return try placeAnywhere(unfinished, beside: file.url)
        } catch DatabaseFileError.noRoom(let path, let needed) {
            throw InspectionError.noRoomForBackup(path, needed: needed)
        } catch let error where error is CocoaError || error is ExternalDataError {
            throw DatabaseFileError.cannotCopy(
                file.url.path, reason: "no backup can be made beside it: \(error.localizedDescription)")
        }
    }

    private static func fill(
        _ unfinished: URL, from file: DatabaseFile, in folder: PrivateFolder,
        _ progress: (_ done: Int64, _ total: Int64) throws -> Void, _ copied: (Part) throws -> Void
    ) throws {
        let copies = ExternalData(storeURL: unfinished)
        let copy = try copyOfOneMoment(file, copies, in: folder, progress, copied)
        // If the file system shares blocks, there was no progress report yet; this one allows stopping.
        let size = FileStamp(copy.url)?.size ?? 0
        try progress(size, size)
        // Renames the copy. The folder of external data is named after the file without its extension.
        try FileManager.default.moveItem(at: copy.url, to: unfinished)
        FileAccess(of: file.url)?.give(to: unfinished)
        try synchronize(unfinished)
        try copies.synchronizeFiles()
    }

    /// Copies the rows, and all external data that they refer to and that exist. If another process deletes a
    /// referenced value between the two copies, both are made again.
    /// - Throws: `DatabaseFileError.busy` if other processes keep deleting values.
    private static func copyOfOneMoment(
        _ file: DatabaseFile, _ copies: ExternalData, in folder: PrivateFolder,
        _ progress: (_ done: Int64, _ total: Int64) throws -> Void, _ copied: (Part) throws -> Void
    ) throws -> PrivateCopy {
        let values = ExternalData(storeURL: file.url)
        var lost: Set<String> = []
        for _ in 0..<mostTries {
            // Copied before the rows, as other processes may delete values meanwhile, and again after them, as they may
            // add values.
            try copies.take(from: values)
            try copied(.values)
            let copy = try PrivateCopy(of: file, in: folder, progress: progress)
            try Connection(.file(copy.url), access: .readWrite).emptyLog()
            try copied(.rows)
            try copies.take(from: values)
            let missing = try copies.missingFiles(of: copy.url)
            // A value missing before and after a second copy of the rows is missing in the store itself.
            if missing.isSubset(of: lost) { return copy }
            lost = missing
        }
        throw DatabaseFileError.busy(file.url.path)
    }

    private static let mostTries = 100

    /// Uses the next free name if another process has made a backup with this name meanwhile.
    private static func placeAnywhere(_ unfinished: URL, beside store: URL) throws -> URL {
        var unfinished = unfinished
        for _ in 1..<mostTries {
            do {
                return try place(unfinished, beside: store)
            } catch InspectionError.alreadyThere {
                let name = freeName(beside: store).lastPathComponent
                let renamed = unfinished.deletingLastPathComponent().appendingPathComponent(name)
                try rename(unfinished, renamed)
                unfinished = renamed
            }
        }
        return try place(unfinished, beside: store)
    }

    private static func rename(_ unfinished: URL, _ renamed: URL) throws {
        guard unfinished != renamed else { return }
        for (old, new) in [(unfinished, renamed), (supportFolder(of: unfinished), supportFolder(of: renamed))]
        where FileManager.default.fileExists(atPath: old.path) {
            try FileManager.default.moveItem(at: old, to: new)
        }
    }

    /// Moves the database last.
    private static func place(_ unfinished: URL, beside store: URL) throws -> URL {
        let parent = store.deletingLastPathComponent()
        let url = parent.appendingPathComponent(unfinished.lastPathComponent)
        let (values, finalValues) = (supportFolder(of: unfinished), supportFolder(of: url))
        let hasValues = FileManager.default.fileExists(atPath: values.path)
        if hasValues { try FinalName.give(finalValues, to: values) }
        do {
            try FinalName.give(url, to: unfinished)
        } catch {
            if hasValues { try? FileManager.default.removeItem(at: finalValues) }
            throw error
        }
        try synchronize(parent)
        return url
    }

    private static func synchronize(_ url: URL) throws {
        let file = try FileHandle(forReadingFrom: url)
        try file.synchronize()
        try file.close()
    }

    static func remove(_ url: URL) {
        for file in [url, supportFolder(of: url)] { try? FileManager.default.removeItem(at: file) }
    }

    private static func supportFolder(of url: URL) -> URL {
        ExternalData(storeURL: url).folder.deletingLastPathComponent()
    }

    // MARK: Names

    /// Names of the backups next to a store.
    package static func names(beside url: URL) -> [String] {
        let (head, ending) = nameParts(url)
        return neighbours(url).filter { $0.hasPrefix(head) && $0.hasSuffix(ending) }
    }

    /// Names of folders with backups that another process is making, or was killed while making. The next backup
    /// removes abandoned ones.
    package static func unfinishedNames(beside url: URL) -> [String] {
        neighbours(url).filter { $0.hasPrefix(unfinishedPrefix(url)) }
    }

    private static func neighbours(_ url: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []).sorted()
    }

    private static func unfinishedPrefix(_ url: URL) -> String { ".\(url.lastPathComponent)_BACKUP-" }

    private static func nameParts(_ url: URL) -> (head: String, ending: String) {
        (
            "\(url.deletingPathExtension().lastPathComponent)-backup-",
            url.pathExtension.isEmpty ? "" : "." + url.pathExtension
        )
    }

    /// `App-backup-2024-03-01T12-00-00.sqlite`, with a number if the name is in use. The time precedes the extension
    /// because the folder of external data is named after that part.
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
