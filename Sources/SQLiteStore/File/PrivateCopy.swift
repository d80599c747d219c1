import Foundation

/// A copy of a database with its log, in a folder of its own, which goes when the copy is let go or removed.
package final class PrivateCopy: Sendable {
    /// The copied database.
    package let url: URL
    private static let folderPrefix = "modelstore-"
    private let folder: PrivateFolder
    /// Of the original, as it was copied; `nil` where a later change of it might not show.
    private let stamp: FileStamp?

    /// Copies a file and what belongs to it, as of one moment, into the folder for temporary files.
    /// - Parameters:
    ///   - earlier: another copy of the same file. Where only the log grew since, nothing but the log is copied.
    ///   - progress: told of bytes copied of bytes in all; throws to stop.
    /// - Throws: `DatabaseFileError`, and what `progress` throws.
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

    /// Copies a file and what belongs to it, as of one moment.
    ///
    /// With nobody at work, equal stamps before and after show that the moment was one. With others at work, the locks of
    /// `FileLocks.Range` are held for reading while the bytes are copied: nobody writes into the database then, the log
    /// only grows at its end, and an unfinished transaction there is none for who reads the copy.
    /// - Parameter folder: kept as long as the copy.
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

    /// A few tries: a save is over soon, and so is the start of an app.
    /// - Returns: the stamp of what was copied, where it tells of any later change.
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
            // A log may have grown meanwhile, which does no harm under the locks.
            let isWhole =
                guards.hold ? FileStamp(before.url) == before.stamp && before.hasJournal == false : before.isUnchanged
            if isWhole { return before.stamp.isSettled && !before.hasJournal ? before.stamp : nil }
        }
        throw DatabaseFileError.busy(file.url.path)
    }

    /// Gives the copied database, which nobody writes to, a second name.
    /// - Returns: whether it is that of the stamp.
    private func share(_ wanted: FileStamp, as url: URL) -> Bool {
        guard stamp == wanted else { return false }
        return (try? FileManager.default.linkItem(at: self.url, to: url)) != nil
    }

    /// The locks held while copying. Their descriptors are closed with them.
    private struct Guards {
        let database: OpenDescriptor
        let sharedMemory: OpenDescriptor?
        /// Whether somebody else is kept from writing into the database.
        let hold: Bool

        /// - Returns: `nil` while somebody writes.
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

    /// Big values stay where they are; the copy finds them through a link.
    private static func linkExternalData(of original: URL, beside copy: URL) {
        let source = ExternalData(storeURL: original).folder.deletingLastPathComponent()
        guard FileManager.default.fileExists(atPath: source.path) else { return }
        let link = ExternalData(storeURL: copy).folder.deletingLastPathComponent()
        try? FileManager.default.createSymbolicLink(at: link, withDestinationURL: source)
    }
}
