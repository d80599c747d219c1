import Foundation

/// A database on the disk, examined without opening it: its kind, the files beside it, and whether another process has it
/// open.
package struct DatabaseFile: Sendable, Hashable {
    package let url: URL
    package let header: DatabaseHeader
    package let stamp: FileStamp
    /// The stamp of the write-ahead log; `nil` if there is none.
    package let logStamp: FileStamp?
    /// The stamp of the rollback journal; `nil` if there is none.
    package let journalStamp: FileStamp?
    package let use: Use

    package enum Use: Sendable, Hashable {
        case unused
        /// Another process has it open.
        case open
        /// Another process is about to write, or holds an exclusive lock.
        case writing
    }

    /// The size of the part of the write-ahead log that may not be in the database yet, in bytes.
    package var logSize: Int64 { logStamp?.size ?? 0 }
    /// Whether there is a rollback journal with content, from a transaction that is running or was interrupted. Zeros at
    /// its beginning mark a journal as empty, where journals are kept for the next transaction.
    package let hasJournal: Bool
    package var hasLog: Bool { logSize > 0 }

    package var logURL: URL { Self.sibling(url, "-wal") }
    package var journalURL: URL { Self.sibling(url, "-journal") }
    package var sharedMemoryURL: URL { Self.sibling(url, "-shm") }

    static func sibling(_ url: URL, _ suffix: String) -> URL { URL(fileURLWithPath: url.path + suffix) }

    /// - Throws: `DatabaseFileError`.
    package init(_ url: URL) throws(DatabaseFileError) {
        // The log is beside the file itself, not beside a link to it.
        let url = url.absoluteURL.resolvingSymlinksInPath()
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            // Without permission to search a folder, its files cannot be found.
            throw access(url.path, F_OK) != 0 && errno == EACCES ? .unreadable(url.path) : .noFile(url.path)
        }
        guard !isFolder.boolValue else { throw .folder(url.path) }
        // Opening a pipe would block until a writer opens it.
        guard FileStamp.isRegularFile(url) else { throw .noRegularFile(url.path) }
        guard let stamp = FileStamp(url), let file = OpenDescriptor(reading: url), let bytes = file.bytes(16_384) else {
            throw .unreadable(url.path)
        }
        guard stamp.size > 0 else { throw .empty(url.path) }
        guard let header = DatabaseHeader(bytes) else { throw Self.error(for: bytes, url.path) }
        self.url = url
        self.stamp = stamp
        self.header = header
        logStamp = FileStamp(Self.sibling(url, "-wal"))
        journalStamp = FileStamp(Self.sibling(url, "-journal"))
        hasJournal = Self.hasContent(Self.sibling(url, "-journal"))
        let locks = FileLocks(file.number)
        use =
            locks.isLocked(FileLocks.Range.pendingAndReserved)
            ? .writing : locks.isLocked(FileLocks.Range.shared) ? .open : .unused
    }

    private static func error(for bytes: Data, _ path: String) -> DatabaseFileError {
        if DatabaseHeader.isCutOff(bytes) { return .cutOff(path, size: bytes.count) }
        if DatabaseHeader.isXMLStore(bytes) { return .otherStore(path, type: "XML") }
        if DatabaseHeader.isArchivedStore(bytes) { return .otherStore(path, type: "binary") }
        return DatabaseHeader.looksEncrypted(bytes) ? .encrypted(path) : .notADatabase(path)
    }

    /// A file that lacks some of its last pages.
    package struct CutOff: Sendable, Hashable {
        /// The actual size in bytes.
        package let size: Int64
        package let wanted: Int64
    }

    /// The missing part of the file, if the file or its log counts pages that neither of them has. SQLite reads the
    /// missing part of the last page as zeros, and reports missing values as if they had never existed. A journal
    /// restores the pages it was made for.
    /// - Parameter log: The file's log.
    func cutOff(_ log: LogPages?) -> CutOff? {
        if hasJournal { return nil }
        let pageSize = Int64(header.pageSize)
        let present = wholePageCount
        let begun = present + (stamp.size % pageSize > 0 ? 1 : 0)
        let wanted = log?.pageCount ?? (header.pageCount > 0 ? header.pageCount : begun)
        guard wanted > present, log?.has(present + 1...wanted) != true else { return nil }
        return CutOff(size: stamp.size, wanted: Int64(wanted) * pageSize)
    }

    /// Reads the write-ahead log; `nil` if there is none, or none with a commit.
    func readLog() -> LogPages? {
        hasLog ? LogPages(logURL, pageSize: header.pageSize, after: wholePageCount) : nil
    }

    private var wholePageCount: Int { Int(stamp.size / Int64(header.pageSize)) }

    /// Whether neither the database nor the files beside it have been written since.
    package var isUnchanged: Bool {
        FileStamp(url) == stamp && Self.filled(FileStamp(logURL)) == Self.filled(logStamp)
            && Self.hasContent(journalURL) == hasJournal
    }

    /// An empty log counts as none. A log with content can be rewritten from its beginning without growing.
    private static func filled(_ log: FileStamp?) -> FileStamp? { log.flatMap { $0.size > 0 ? $0 : nil } }

    private static func hasContent(_ journal: URL) -> Bool {
        guard let size = FileStamp(journal)?.size, size > 0 else { return false }
        // A journal that cannot be read counts as one with content.
        return OpenDescriptor(reading: journal)?.bytes(1)?.first != 0
    }
}

/// A file that is not a database, or cannot be read as one at present.
package enum DatabaseFileError: Error, Hashable {
    case noFile(String)
    case folder(String)
    /// A pipe, a socket or a device.
    case noRegularFile(String)
    case empty(String)
    case unreadable(String)
    case notADatabase(String)
    case encrypted(String)
    /// The file ends within a database header.
    case cutOff(String, size: Int)
    /// A Core Data store that is not a database.
    case otherStore(String, type: String)
    /// The file was written during each attempt to copy it.
    case busy(String)
    /// The file was written while it was read, so the result may mix several states.
    case changed(String)
    case noRoom(String, needed: Int64)
    case cannotCopy(String, reason: String)
}

extension DatabaseFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noFile(let path): "There is no file at \(path)."
        case .folder(let path): "There is a folder at \(path); give the path of a store's file."
        case .noRegularFile(let path):
            "What is at \(path) is a pipe, a socket or a device; give the path of a store's file."
        case .empty(let path): "The file at \(path) is empty: a store that was never opened, or a copy that failed."
        case .unreadable(let path): "The file at \(path) may not be read; check its permissions."
        case .notADatabase(let path):
            "The file at \(path) is not a SQLite database, and so no store; choose another file."
        case .encrypted(let path):
            "The file at \(path) is not a SQLite database; its bytes look encrypted. Decrypt it first, with the key of "
                + "the app that made it."
        case .cutOff(let path, let size):
            "The file at \(path) is damaged: it is the first \(size) bytes of a SQLite database, and nothing of its "
                + "content; restore it from a copy."
        case .otherStore(let path, let type):
            "The file at \(path) is a Core Data store of type \(type), which is not read; only SQLite stores are."
        case .busy(let path):
            "The file at \(path) is being written by another process right now; try again when it is done, or work on a "
                + "copy."
        case .changed(let path):
            "The file at \(path) was written by another process while it was read; the output may mix several "
                + "states. Run the command again."
        case .noRoom(let path, let needed):
            "A private copy of \(path) needs \(needed) bytes in the folder for temporary files, which has no room; set "
                + "TMPDIR to another folder."
        case .cannotCopy(let path, let reason): "The file at \(path) cannot be copied: \(reason)"
        }
    }
}
