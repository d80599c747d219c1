import Foundation

/// Bytes one after the other, of a file that is never in memory as a whole.
final class ByteReader {
    private let handle: FileHandle?
    private let path: String
    private var buffer: [UInt8]
    private var place = 0
    /// Of the buffer's first byte.
    private var start: Int64 = 0
    /// Of the next byte, from 1.
    private(set) var line = 1

    private static let pieceSize = 1 << 16

    /// - Throws: `InspectionError.badInput`.
    init(_ url: URL) throws {
        do {
            handle = try FileHandle(forReadingFrom: url)
        } catch {
            throw InspectionError.badInput("\(url.path) cannot be read: \(error.localizedDescription)")
        }
        path = url.path
        buffer = []
        skipMark(try peek(3))
    }

    init(_ bytes: [UInt8]) {
        (handle, path, buffer) = (nil, "", bytes)
        skipMark(bytes.prefix(3))
    }

    deinit { try? handle?.close() }

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
        guard let handle else { return false }
        do {
            guard let more = try handle.read(upToCount: Self.pieceSize), !more.isEmpty else { return false }
            buffer.append(contentsOf: more)
            return true
        } catch {
            throw InspectionError.badInput("\(path) cannot be read: \(error.localizedDescription)")
        }
    }
}
