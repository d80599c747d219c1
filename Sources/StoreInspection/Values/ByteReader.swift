import Foundation

/// Bytes one after the other, of a file or a pipe that is never in memory as a whole.
final class ByteReader {
    /// Negative for bytes in memory.
    private let descriptor: Int32
    private let path: String
    private let whileWaiting: (_ offset: Int64) throws -> Void
    private var buffer: [UInt8]
    private var place = 0
    /// Of the buffer's first byte.
    private var start: Int64 = 0
    /// Of the next byte, from 1.
    private(set) var line = 1

    private static let pieceSize = 1 << 16
    /// In milliseconds.
    private static let patience: Int32 = 100

    /// - Parameter whileWaiting: called now and then while a pipe has nothing to read, with how much was read; throws to stop.
    /// - Throws: `InspectionError.badInput`, and what `whileWaiting` throws.
    init(_ url: URL, whileWaiting: @escaping (_ offset: Int64) throws -> Void = { _ in }) throws {
        (path, buffer) = (url.path, [])
        self.whileWaiting = whileWaiting
        // Opening a pipe would wait for somebody who writes to it.
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

    /// The mark some programs begin texts with.
    private func skipMark(_ beginning: ArraySlice<UInt8>) {
        if Array(beginning) == [0xEF, 0xBB, 0xBF] { place += 3 }
    }

    /// How many bytes were read.
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

    /// Appends what comes before the next byte of a kind, many at a time.
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

    /// - Returns: whether there was more.
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
