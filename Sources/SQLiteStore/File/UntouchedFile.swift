import Foundation
import StoreSQL

/// A database opened for inspection only, without leaving traces.
///
/// Opening a file with SQLite leaves traces even if it is only read: a file with a write-ahead log gets a `-shm` (and an
/// empty `-wal`) beside it, readers write marks into the `-shm`, an interrupted log is scanned and its index rewritten,
/// and a connection that may write checkpoints the log when it closes. Three ways avoid that; the files beside the
/// database decide which one applies:
///
/// 1. There is no log, or an empty one, and no journal, and no process has the file open: all content is in the database.
///    It is opened in place with `immutable=1`, so that SQLite takes no locks and makes no files. Since SQLite then does
///    not detect writers, the stamps of the files are compared before and after (`checkUnchanged`): a long read may have
///    to be repeated, but never returns a wrong result.
/// 2. There is a log or a journal with content, and no process has the file open: an app ended without closing, or the
///    files were copied off a device. The content is needed, and reading it means rebuilding its index (for a journal,
///    even rolling back), so that happens in a private copy. The copy shares blocks with the original if the file system
///    supports it, and is removed at the end.
/// 3. Another process has the file open, as its locks show: again a private copy, made under read locks that prevent
///    writes to the database during the copy without blocking saves. Reading as an additional connection would be
///    cheaper, but it writes into the app's `-shm`, and may leave one behind if the app ends first.
///
/// Locks are tested before SQLite opens the file, for the reason given in `FileLocks`.
package final class UntouchedFile: Sendable {
    package let file: DatabaseFile
    /// The missing part of the file, if some of its last pages are missing.
    package let cutOff: DatabaseFile.CutOff?
    /// The commits in the write-ahead log that is read; `nil` without one.
    package let logCommits: LogCommits?
    private let copy: PrivateCopy?

    package enum Way: Sendable, Hashable {
        case inPlace
        case privateCopy
    }

    /// - Parameters:
    ///   - earlier: The same file, opened before; unchanged parts are reused from its copy.
    ///   - progress: Receives copied bytes and total bytes if a copy is needed. An error thrown here stops the copy.
    /// - Throws: `DatabaseFileError`, and the errors of `progress`.
    package init(
        _ url: URL, reusing earlier: UntouchedFile? = nil,
        progress: (_ done: Int64, _ total: Int64) throws -> Void = { _, _ in }
    ) throws {
        let file = try DatabaseFile(url)
        self.file = file
        let isAtRest = file.use == .unused && !file.hasLog && !file.hasJournal
        copy = isAtRest ? nil : try PrivateCopy(of: file, reusing: earlier?.copy, progress: progress)
        if let copy, file.hasJournal { try Self.rollBack(copy.url) }
        // Examines the copy, which is never written.
        let read = try copy.map { try DatabaseFile($0.url) } ?? file
        let log = read.readLog()
        (cutOff, logCommits) = (read.cutOff(log), log?.commits)
    }

    package var way: Way { copy == nil ? .inPlace : .privateCopy }

    /// The location to open.
    package var location: Connection.Location { .file(copy?.url ?? file.url) }

    /// The access to open it with: a copy may have a log, whose index can be made there.
    package var access: Connection.Access { copy == nil ? .immutable : .readOnly }

    /// Rolls back a journal, which only a connection that may write can do.
    private static func rollBack(_ url: URL) throws {
        let connection = try Connection(.file(url), access: .readWrite)
        _ = try FileTables(connection)
    }

    /// - Throws: `DatabaseFileError.changed` if the file was read in place and may have changed meanwhile.
    package func checkUnchanged() throws {
        guard copy == nil, !file.isUnchanged else { return }
        throw DatabaseFileError.changed(file.url.path)
    }

    /// Removes the private copy, if there is one. Close connections to it before.
    package func close() { copy?.remove() }
}
