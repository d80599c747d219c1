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

    /// A path that SQLite cannot mistake for a URI or a special name: absolute, so it never begins with `file:` or `:`.
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

    /// A write-ahead log needs a shared-memory file beside it. Where none can be made (read-only folder) and the log is
    /// empty, the file cannot change under us through that folder either, and is opened as immutable.
    private static func openReadOnly(path: String) throws -> OpaquePointer {
        let handle = try open(path: path, flags: SQLITE_OPEN_READONLY)
        let result = sqlite3_exec(handle, "SELECT 1 FROM sqlite_master LIMIT 1", nil, nil, nil)
        guard result & 0xFF == SQLITE_CANTOPEN || result & 0xFF == SQLITE_READONLY, isEmpty(path + "-wal") else {
            return handle
        }
        sqlite3_close_v2(handle)
        return try openImmutable(path: path)
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

    /// Page size, auto-vacuum and journal mode as Apple's files have them. For a file without tables only.
    package func configureNewFile() throws {
        try execute("PRAGMA page_size = 4096")
        try execute("PRAGMA auto_vacuum = 2")
        if case .file = location { try execute("PRAGMA journal_mode = WAL") }
    }
}
