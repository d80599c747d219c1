import Foundation

/// A copy of a database and its log in a folder of its own. The folder is removed with the copy.
package final class PrivateCopy: Sendable {
    /// The copied database.
    package let url: URL
    private static let folderPrefix = "modelstore-"
    private let folder: PrivateFolder
    /// The stamp of the copied original; `nil` if a later change might not alter it.
    private let stamp: FileStamp?

    /// Copies a consistent state of a database and the files that belong to it into the folder for temporary files.
    /// - Parameters:
    ///   - earlier: Another copy of the same file. If only the log has grown since, only the log is copied.
    ///   - progress: Receives copied bytes and total bytes. An error thrown here stops the copy.
    /// - Throws: `DatabaseFileError`, and the errors of `progress`.
    package convenience init(
        of file: DatabaseFile, reusing earlier: PrivateCopy? = nil,
        progress: (_ done: Int64, _ total: Int64) throws -> Void = { _, _ in }
    ) throws {
        let parent = FileManager.default.temporaryDirectory
        let folder: PrivateFolder
        do {
            folder = try PrivateFolder(in: parent, prefix: Self.folderPrefix)
        } catch {
            throw DatabaseFileError.cannotCopy(
                file.url.path, reason: "no folder can be made in \(parent.path): \(error.localizedDescription)")
        }
        try self.init(of: file, in: folder, reusing: earlier, progress: progress)
    }

    /// Copies a consistent state of a database and the files that belong to it.
    ///
    /// If no other process is writing, equal stamps before and after prove that the copy is consistent. Otherwise, the
    /// locks of `FileLocks.Range` are held for reading during the copy. They prevent writes to the database; the log then
    /// only grows at its end, and readers of the copy ignore an unfinished transaction there.
    /// - Parameter folder: The folder for the copy, which retains it.
    package init(
        of file: DatabaseFile, in folder: PrivateFolder, reusing earlier: PrivateCopy? = nil,
        progress: (_ done: Int64, _ total: Int64) throws -> Void = { _, _ in }
    ) throws {
        self.folder = folder
        url = folder.url.appendingPathComponent(file.url.lastPathComponent)
        try Self.checkRoom(for: file, in: folder.url)
        stamp = try Self.copy(file, to: url, reusing: earlier, progress)
        Self.linkExternalData(of: file.url, beside: url)
    }

    package func remove() { folder.remove() }

    private static func checkRoom(for file: DatabaseFile, in folder: URL) throws {
        let needed = file.stamp.size + file.logSize
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value, free < needed else { return }
        throw DatabaseFileError.noRoom(file.url.path, needed: needed)
    }

    /// Tries several times, because a save or the start of an app takes only a moment.
    /// - Returns: The stamp of the copied file, if any later change will alter it.
    private static func copy(
        _ file: DatabaseFile, to url: URL, reusing earlier: PrivateCopy?, _ progress: (Int64, Int64) throws -> Void
    ) throws -> FileStamp? {
        for attempt in 0..<20 {
            if attempt > 0 { usleep(100_000) }
            guard let guards = try Guards(file) else { continue }
            let before = try DatabaseFile(file.url)
            try? FileManager.default.removeItem(at: url)
            try? FileManager.default.removeItem(at: DatabaseFile.sibling(url, "-wal"))
            try? FileManager.default.removeItem(at: DatabaseFile.sibling(url, "-journal"))
            let total = before.stamp.size + before.logSize
            if !(earlier?.share(before.stamp, as: url) ?? false) {
                try copy(before.url, to: url) { try progress($0, total) }
            }
            if before.hasLog {
                try copy(before.logURL, to: DatabaseFile.sibling(url, "-wal")) {
                    try progress(before.stamp.size + $0, total)
                }
            }
            if before.hasJournal { try copy(before.journalURL, to: DatabaseFile.sibling(url, "-journal")) { _ in } }
            // Under the locks, growth of the log is harmless.
            let isWhole =
                guards.hold ? FileStamp(before.url) == before.stamp && before.hasJournal == false : before.isUnchanged
            if isWhole { return before.stamp.isSettled && !before.hasJournal ? before.stamp : nil }
        }
        throw DatabaseFileError.busy(file.url.path)
    }

    /// Makes a hard link to the copied database, which is never written.
    /// - Returns: Whether the copy has the wanted stamp and the link was made.
    private func share(_ wanted: FileStamp, as url: URL) -> Bool {
        guard stamp == wanted else { return false }
        return (try? FileManager.default.linkItem(at: self.url, to: url)) != nil
    }

    /// The locks held while copying. Their descriptors are closed with them.
    private struct Guards {
        let database: OpenDescriptor
        let sharedMemory: OpenDescriptor?
        /// Whether the locks keep other processes from writing to the database.
        let hold: Bool

        /// - Returns: `nil` while another process writes.
        init?(_ file: DatabaseFile) throws {
            guard let database = OpenDescriptor(reading: file.url) else {
                throw DatabaseFileError.unreadable(file.url.path)
            }
            self.database = database
            let locks = FileLocks(database.number)
            let isOpen = locks.isLocked(FileLocks.Range.shared)
            guard locks.holdForReading(FileLocks.Range.shared) else { return nil }
            sharedMemory = OpenDescriptor(reading: file.sharedMemoryURL)
            guard isOpen else {
                hold = false
                return
            }
            if let sharedMemory {
                guard FileLocks(sharedMemory.number).holdForReading(FileLocks.Range.logReaders) else { return nil }
            }
            hold = file.header.journalMode == .rollback || sharedMemory != nil
        }
    }

    private static func copy(_ source: URL, to target: URL, _ progress: (Int64) throws -> Void) throws {
        guard let from = OpenDescriptor(reading: source) else { throw DatabaseFileError.unreadable(source.path) }
        guard let into = OpenDescriptor(making: target) else {
            throw DatabaseFileError.cannotCopy(source.path, reason: "\(target.path) cannot be made.")
        }
        do {
            try into.fill(from: from, progress: progress)
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            throw DatabaseFileError.noRoom(source.path, needed: FileStamp(source)?.size ?? 0)
        } catch let error as CocoaError {
            throw DatabaseFileError.cannotCopy(source.path, reason: error.localizedDescription)
        }
    }

    /// Links the folder of external values, which are not copied.
    private static func linkExternalData(of original: URL, beside copy: URL) {
        let source = ExternalData(storeURL: original).folder.deletingLastPathComponent()
        guard FileManager.default.fileExists(atPath: source.path) else { return }
        let link = ExternalData(storeURL: copy).folder.deletingLastPathComponent()
        try? FileManager.default.createSymbolicLink(at: link, withDestinationURL: source)
    }
}
