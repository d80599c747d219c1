import Foundation

/// A database opened only to be looked at, without leaving a trace on it.
///
/// Opening a file with SQLite, even to read it, leaves traces: a file with a write-ahead log gets a `-shm` (and an empty
/// `-wal`) beside it, readers write marks into the `-shm`, a log that was cut off is looked through and its index written
/// anew, and a connection that may write empties the log into the database when it closes. Three ways avoid that, and
/// which one is right depends on what lies beside the file:
///
/// 1. No log, or an empty one, no journal, and nobody has the file open: everything is in the database. It is opened in
///    place with `immutable=1`: SQLite takes no locks and makes no files. What that gives up, noticing a writer, is made
///    good by comparing the stamps of the files before and after (`checkUnchanged`): who reads for long may have to read
///    again, but is never told something untrue.
/// 2. A log or a journal with content, and nobody has the file open: an app ended without closing, or the files were
///    copied off a device. The content counts, and reading it means rebuilding its index (for a journal, even rolling
///    back), so that happens in a private copy. Blocks are shared with the original where the file system can; the copy
///    goes at the end.
/// 3. Somebody has the file open (their locks show it): a private copy again, made under read locks that keep the
///    database from being written into while it is copied, without keeping anybody from saving. Joining as one more
///    reader would be cheaper, but it writes into the app's `-shm`, and may leave one behind when the app ends first.
///
/// Locks are looked at before SQLite opens the file, as `FileLocks` says why.
package final class UntouchedFile: Sendable {
    package let file: DatabaseFile
    /// Set where some of its last pages are missing.
    package let cutOff: DatabaseFile.CutOff?
    private let copy: PrivateCopy?

    package enum Way: Sendable, Hashable {
        case inPlace
        case privateCopy
    }

    /// - Parameters:
    ///   - earlier: the same file, opened before; what need not be copied again is taken from its copy.
    ///   - progress: told of bytes copied of bytes in all, where a copy is needed; throws to stop.
    /// - Throws: `DatabaseFileError`, and what `progress` throws.
    package init(
        _ url: URL, reusing earlier: UntouchedFile? = nil,
        progress: (_ done: Int64, _ total: Int64) throws -> Void = { _, _ in }
    ) throws {
        let file = try DatabaseFile(url)
        self.file = file
        let isAtRest = file.use == .nobody && !file.hasLog && !file.hasJournal
        copy = isAtRest ? nil : try PrivateCopy(of: file, reusing: earlier?.copy, progress: progress)
        if let copy, file.hasJournal { try Self.rollBack(copy.url) }
        // Of the copy, which nobody writes to meanwhile.
        cutOff = try (copy.map { try DatabaseFile($0.url) } ?? file).cutOff
    }

    package var way: Way { copy == nil ? .inPlace : .privateCopy }

    /// What to open.
    package var location: Connection.Location { .file(copy?.url ?? file.url) }

    /// How to open it: a copy has a log that wants an index, which may be made there.
    package var access: Connection.Access { copy == nil ? .immutable : .readOnly }

    /// A journal can be played back only by a connection that may write.
    private static func rollBack(_ url: URL) throws {
        let connection = try Connection(.file(url), access: .readWrite)
        _ = try FileTables(connection)
    }

    /// - Throws: `DatabaseFileError.changed` when what was read in place may be of several moments.
    package func checkUnchanged() throws {
        guard copy == nil, !file.isUnchanged else { return }
        throw DatabaseFileError.changed(file.url.path)
    }

    /// Removes the private copy, if there is one. Connections to it are closed by then.
    package func close() { copy?.remove() }
}
