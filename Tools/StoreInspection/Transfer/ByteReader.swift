import Foundation

/// Reads the bytes of a file or a pipe one by one, without having all of it in memory.
final class ByteReader {
    /// Negative when reading bytes in memory.
    private let descriptor: Int32
    private let path: String
    private let whileWaiting: (_ offset: Int64) throws -> Void
    private var buffer: [UInt8]
    private var place = 0
    /// The offset of the buffer's first byte.
    private var start: Int64 = 0
    /// The line of the next byte, counted from 1.
    private(set) var line = 1

    private static let pieceSize = 1 << 16
    /// How long to wait for a pipe before the next call of `whileWaiting`, in milliseconds.
    private static let patience: Int32 = 100

    /// - Parameter whileWaiting: called at intervals while a pipe has no data, with the bytes read so far; throws to
    ///   stop.
    /// - Throws: `InspectionError.badInput`, and errors of `whileWaiting`.
    init(_ url: URL, whileWaiting: @escaping (_ offset: Int64) throws -> Void = { _ in }) throws {
        (path, buffer) = (url.path, [])
        self.whileWaiting = whileWaiting
        // Opening a pipe without `O_NONBLOCK` would block until a process writes to it.
        descriptor = open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure }
        skipMark(try peek(3))
    }

    init(_ bytes: [UInt8]) {
        (descriptor, path, whileWaiting, buffer) = (-1, "", { _ in }, bytes)
        skipMark(bytes.prefix(3))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private var failure: InspectionError {
        .badInput("\(path) cannot be read: \(String(cString: strerror(errno))).")
    }

    /// Skips a UTF-8 byte order mark.
    private func skipMark(_ beginning: ArraySlice<UInt8>) {
        if Array(beginning) == [0xEF, 0xBB, 0xBF] { place += 3 }
    }

    /// The number of bytes read.
    var offset: Int64 { start + Int64(place) }

    private func peek(_ count: Int) throws -> ArraySlice<UInt8> {
        while buffer.count < count, try fill() {}
        return buffer.prefix(count)
    }

    /// - Returns: `nil` at the end.
    func peek() throws -> UInt8? {
        if place == buffer.count {
            start += Int64(place)
            place = 0
            buffer.removeAll(keepingCapacity: true)
            guard try fill() else { return nil }
        }
        return buffer[place]
    }

    /// - Returns: `nil` at the end.
    func next() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        place += 1
        if byte == UInt8(ascii: "\n") { line += 1 }
        return byte
    }

    /// Appends bytes up to the next byte of a kind, many at a time.
    func take(upTo isEnd: (UInt8) -> Bool, into found: inout [UInt8]) throws {
        while try peek() != nil {
            let rest = buffer[place...]
            let end = rest.firstIndex(where: isEnd) ?? rest.endIndex
            found.append(contentsOf: rest[..<end])
            line += rest[..<end].count { $0 == UInt8(ascii: "\n") }
            place = end
            if end < buffer.count { return }
        }
    }

    /// - Returns: whether there were more bytes.
    private func fill() throws -> Bool {
        guard descriptor >= 0 else { return false }
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        while true {
            try waitForBytes()
            let count = read(descriptor, &piece, piece.count)
            if count >= 0 {
                buffer.append(contentsOf: piece[..<count])
                return count > 0
            }
            guard errno == EAGAIN || errno == EINTR else { throw failure }
        }
    }

    private func waitForBytes() throws {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, Self.patience) == 0 { try whileWaiting(offset) }
    }
}
