import Foundation

/// A descriptor of a file opened for reading, or of a new file for writing. Closed when released.
final class OpenDescriptor: Sendable {
    let number: Int32

    /// - Returns: `nil` if the file cannot be opened.
    init?(reading url: URL) {
        number = open(url.path, O_RDONLY | O_CLOEXEC)
        if number < 0 { return nil }
    }

    /// Makes a file that only its owner can read, because copied data may be private.
    init?(making url: URL) {
        number = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if number < 0 { return nil }
    }

    deinit { close(number) }

    /// Reads bytes; fewer at the end of the file, `nil` on an error.
    func bytes(_ count: Int) -> Data? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let result = bytes.withUnsafeMutableBytes {
                read(number, $0.baseAddress?.advanced(by: filled), count - filled)
            }
            guard result >= 0 else { return nil }
            if result == 0 { break }
            filled += result
        }
        return Data(bytes.prefix(filled))
    }

    /// Reads exactly `count` bytes from an offset; `nil` if there are fewer, or on an error.
    func bytes(_ count: Int, at place: Int64) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = bytes.withUnsafeMutableBytes { pread(number, $0.baseAddress, count, off_t(place)) }
        return result == count ? bytes : nil
    }

    /// Fills this new file from another one. Shares blocks if the file system supports it; otherwise copies them.
    /// - Parameter progress: Receives the number of bytes copied so far. An error thrown here stops the copy.
    func fill(from source: OpenDescriptor, progress: (Int64) throws -> Void) throws {
        #if os(Linux)
        // `FICLONE`.
        if ioctl(number, 0x4004_9409, source.number) == 0 { return }
        #endif
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var copied: Int64 = 0
        while true {
            let count = buffer.withUnsafeMutableBytes { read(source.number, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw CocoaError(.fileReadUnknown) }
            if count == 0 { return }
            var written = 0
            while written < count {
                let result = buffer.withUnsafeBytes {
                    write(number, $0.baseAddress?.advanced(by: written), count - written)
                }
                guard result > 0 else {
                    throw CocoaError(errno == ENOSPC ? .fileWriteOutOfSpace : .fileWriteUnknown)
                }
                written += result
            }
            copied += Int64(count)
            try progress(copied)
        }
    }
}

/// The facts that show whether a file was written: its identity, size and modification time.
package struct FileStamp: Sendable, Hashable {
    package let device: UInt64
    package let inode: UInt64
    /// In bytes.
    package let size: Int64
    let seconds: Int
    let nanoseconds: Int

    /// Whether the last change is old enough that another one would get another time, as file system clocks are coarse.
    package var isSettled: Bool { Date().timeIntervalSince1970 - Double(seconds) > 2 }

    /// Whether a file, or the destination of a link, is a regular file.
    static func isRegularFile(_ url: URL) -> Bool {
        var status = stat()
        return stat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// - Returns: `nil` if the file does not exist.
    package init?(_ url: URL) {
        var status = stat()
        guard stat(url.path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        #if os(Linux)
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        #else
        (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
        #endif
    }
}
