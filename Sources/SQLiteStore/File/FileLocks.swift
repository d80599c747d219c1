import Foundation

/// SQLite's locks, as its file format documents them: locked byte ranges in the database (far behind its content) and in
/// the shared-memory file of a write-ahead log. This type tests and takes them on a descriptor of its own, without
/// opening the database.
///
/// Closing any descriptor of a file releases all ordinary locks of this process on it. So this type must not be used
/// while SQLite has the same file open in this process: test first, open afterwards.
struct FileLocks {
    /// The byte ranges of the locks.
    enum Range {
        /// Locked for reading by every reader, and by every connection that has a file with a write-ahead log open.
        static let shared = (start: Int64(0x4000_0002), length: Int64(510))
        /// Locked for writing by a connection that is about to write to the database itself.
        static let pendingAndReserved = (start: Int64(0x4000_0000), length: Int64(2))
        /// In the shared-memory file. Holding the first two readers' locks for reading keeps checkpoints from writing to
        /// the database, and writers from restarting the log; readers and writers can continue.
        static let logReaders = (start: Int64(123), length: Int64(2))
    }

    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Whether another process (or descriptor) has a lock on the range that would prevent a write there.
    func isLocked(_ range: (start: Int64, length: Int64)) -> Bool {
        #if os(Linux)
        var lock = Self.lock(range, Int16(F_WRLCK))
        guard fcntl(descriptor, Self.getLock, &lock) == 0 else { return false }
        return lock.l_type != Int16(F_UNLCK)
        #else
        return false
        #endif
    }

    /// Locks the range for reading, as long as the descriptor is open.
    /// - Returns: `false` if another descriptor has it locked for writing.
    func holdForReading(_ range: (start: Int64, length: Int64)) -> Bool {
        #if os(Linux)
        var lock = Self.lock(range, Int16(F_RDLCK))
        return fcntl(descriptor, Self.setLock, &lock) == 0
        #else
        return true
        #endif
    }

    #if os(Linux)
    // Locks that belong to the descriptor, not to the process (`F_OFD_GETLK`, `F_OFD_SETLK`): closing it releases them,
    // and does not release SQLite's locks on other descriptors.
    private static let getLock: Int32 = 36
    private static let setLock: Int32 = 37

    private static func lock(_ range: (start: Int64, length: Int64), _ kind: Int16) -> flock {
        var lock = flock()
        lock.l_type = kind
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(range.start)
        lock.l_len = off_t(range.length)
        lock.l_pid = 0
        return lock
    }
    #endif
}
