import Foundation

/// A new file of text, written in large pieces.
package final class TextFile {
    private let url: URL
    private let handle: FileHandle
    private var buffer = Data()

    private static let pieceSize = 1 << 18

    /// - Throws: `InspectionError.badInput`.
    package init(_ url: URL) throws {
        guard FileManager.default.createFile(atPath: url.path, contents: nil),
            let handle = try? FileHandle(forWritingTo: url)
        else { throw InspectionError.badInput("\(url.path) cannot be written; check that its folder is there.") }
        self.url = url
        self.handle = handle
    }

    package func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.pieceSize { try send() }
    }

    package func finish() throws {
        try send()
        try? handle.close()
    }

    private func send() throws {
        do {
            try handle.write(contentsOf: buffer)
        } catch {
            throw InspectionError.badInput("\(url.path) cannot be written: \(error.localizedDescription)")
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
