import CSQLite
import Foundation

extension Connection {
    static func open(_ location: Location, access: Access) throws -> OpaquePointer {
        switch location {
        case .memory:
            return try open(path: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY)
        case .temporary: return try open(path: "", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        case .file(let url):
            let path = plainPath(url.followingLinks)
            switch access {
            case .create: return try open(path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
            case .readWrite: return try open(path: path, flags: SQLITE_OPEN_READWRITE)
            case .readOnly: return try openReadOnly(path: path)
            case .immutable: return try openImmutable(path: path)
            }
        }
    }

    /// Returns an absolute path, which SQLite cannot mistake for a URI or a special name: it never begins with `file:` or
    /// `:`.
    static func plainPath(_ url: URL) -> String {
        let path = url.absoluteURL.path
        return path.hasPrefix("/") || isWindowsPath(path) ? path : "./" + path
    }

    private static func isWindowsPath(_ path: String) -> Bool {
        path.dropFirst().hasPrefix(":") && path.first?.isLetter == true && path.dropFirst(2).first != nil
    }

    private static func open(path: String, flags: Int32) throws -> OpaquePointer {
        var handle: OpaquePointer?
        let result = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard result == SQLITE_OK, let handle else {
            let error = SQLiteError(connection: handle, result: result)
            sqlite3_close_v2(handle)
            throw error
        }
        return handle
    }

    /// A write-ahead log needs a shared-memory file beside it. If that cannot be made (read-only folder) and the log is
    /// empty, no program can change the file through that folder either, and it is opened as immutable.
    private static func openReadOnly(path: String) throws -> OpaquePointer {
        let handle = try open(path: path, flags: SQLITE_OPEN_READONLY)
        let result = firstRead(handle)
        if result == needsRollback {
            rollBackUnfinishedTransaction(path: path)
            return handle
        }
        guard result & 0xFF == SQLITE_CANTOPEN || result & 0xFF == SQLITE_READONLY, isEmpty(path + "-wal"),
            isEmpty(path + "-journal")
        else { return handle }
        sqlite3_close_v2(handle)
        return try openImmutable(path: path)
    }

    /// `SQLITE_READONLY_ROLLBACK`, which is not imported.
    private static let needsRollback = SQLITE_READONLY | 3 << 8

    private static func firstRead(_ handle: OpaquePointer?) -> Int32 {
        sqlite3_exec(handle, "SELECT 1 FROM sqlite_master LIMIT 1", nil, nil, nil)
    }

    /// A process that ended during a transaction leaves a journal. SQLite restores the file from it before the next read,
    /// but only through a connection that may write. Without one, every read throws, because the file alone is not the
    /// last committed state.
    private static func rollBackUnfinishedTransaction(path: String) {
        guard let writer = try? open(path: path, flags: SQLITE_OPEN_READWRITE) else { return }
        defer { sqlite3_close_v2(writer) }
        // Another connection may be restoring the file.
        sqlite3_busy_timeout(writer, 2000)
        _ = firstRead(writer)
    }

    private static func openImmutable(path: String) throws -> OpaquePointer {
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: "?#%;")
        let escaped = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
        return try open(path: "file:\(escaped)?immutable=1", flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }

    private static func isEmpty(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0 == 0
    }

    /// Sets page size, auto-vacuum and journal mode as in Apple's files. Only for a file without tables.
    package func configureNewFile() throws {
        try execute("PRAGMA page_size = 4096")
        try execute("PRAGMA auto_vacuum = 2")
        if case .file = location { try execute("PRAGMA journal_mode = WAL") }
    }
}
