import Foundation
import ObjectGraph
import StoreInspection

/// A response of any length in an unnamed temporary file. It is complete before its first byte is sent: reading starts over
/// when the store changes meanwhile, and a slow download must not keep the store open.
final class SpooledText: Sendable {
    private let file: Locked<FileHandle>
    /// In bytes.
    let size: Int

    /// In bytes.
    static let pieceSize = 64 * 1024

    /// - Parameter write: passes on the texts in order.
    /// - Throws: `Problem` if the file cannot be written, and errors of `write`.
    init(_ write: ((String) throws -> Void) throws -> Void) throws {
        let handle = try Self.unnamedFile()
        var buffer: [UInt8] = []
        var size = 0
        func flush() throws {
            do {
                try handle.write(contentsOf: buffer)
            } catch {
                throw Self.noRoom
            }
            size += buffer.count
            buffer.removeAll(keepingCapacity: true)
        }
        try write { text in
            buffer += text.utf8
            if buffer.count >= Self.pieceSize { try flush() }
        }
        try flush()
        self.size = size
        file = Locked(handle)
    }

    /// A file that only this process can read, and that disappears with the process.
    private static func unnamedFile() throws -> FileHandle {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("modelstore-XXXXXX").path
        var name = Array(path.utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw noRoom }
        unlink(name)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private static let noRoom = Problem(
        .failed, "The download could not be prepared",
        "It is written to a temporary file first, and that could not be written; free some space there.")

    /// - Parameter offset: in bytes.
    /// - Returns: an empty array at the end.
    func piece(at offset: Int) throws -> [UInt8] {
        try file.withLock { handle in
            try handle.seek(toOffset: UInt64(offset))
            return Array(try handle.read(upToCount: Self.pieceSize) ?? Data())
        }
    }
}
