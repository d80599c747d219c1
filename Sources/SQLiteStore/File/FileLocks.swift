import Foundation

/// SQLite's locks, as its file format documents them: ranges of bytes locked in the database (far behind its content),
/// and in the shared-memory file of a write-ahead log. Looked at and held here on a descriptor of our own, without
/// opening the database.
///
/// Closing any descriptor of a file gives up all ordinary locks this process holds on it. So nothing here may be used
/// while SQLite has the same file open in this process: look first, open afterwards.
struct FileLocks {
    /// Ranges of bytes.
    enum Range {
        /// Held for reading by everyone who reads, and by everyone who has a file with a write-ahead log open.
        static let shared = (start: Int64(0x4000_0002), length: Int64(510))
        /// Held for writing by who is about to write the database itself.
        static let pendingAndReserved = (start: Int64(0x4000_0000), length: Int64(2))
        /// In the shared-memory file. Holding the first two readers' locks for reading keeps checkpoints from writing
        /// into the database, and writers from starting the log anew; readers and writers go on.
        static let logReaders = (start: Int64(123), length: Int64(2))
    }

    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Whether another process (or descriptor) has a lock on the range that would keep us from writing there.
    func isLocked(_ range: (start: Int64, length: Int64)) -> Bool {
        #if os(Linux)
        var lock = Self.lock(range, Int16(F_WRLCK))
        guard fcntl(descriptor, Self.getLock, &lock) == 0 else { return false }
        return lock.l_type != Int16(F_UNLCK)
        #else
        return false
        #endif
    }

    /// Takes the range for reading, as long as the descriptor is open.
    /// - Returns: `false` when somebody holds it for writing.
    func holdForReading(_ range: (start: Int64, length: Int64)) -> Bool {
        #if os(Linux)
        var lock = Self.lock(range, Int16(F_RDLCK))
        return fcntl(descriptor, Self.setLock, &lock) == 0
        #else
        return true
        #endif
    }

    #if os(Linux)
    // Locks that belong to the descriptor and not to the process (`F_OFD_GETLK`, `F_OFD_SETLK`): they are given up
    // when it is closed, and closing it does not give up SQLite's on other descriptors.
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
