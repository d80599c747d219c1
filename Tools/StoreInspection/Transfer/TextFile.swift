import Foundation

/// A new text file, written in large chunks, with the permissions that the user's umask gives to new files.
package final class TextFile {
    private let url: URL
    private let descriptor: Int32
    private var isOpen = true
    private var buffer: [UInt8] = []

    private static let pieceSize = 1 << 18

    /// - Throws: `InspectionError.badInput`, also if the file exists.
    package init(_ url: URL) throws {
        self.url = url
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(url, "check that its folder is there and may be written") }
    }

    deinit { if descriptor >= 0, isOpen { close(descriptor) } }

    /// - Throws: `InspectionError.badInput`.
    package func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.pieceSize { try send() }
    }

    /// Writes the rest and synchronizes the file to disk.
    /// - Throws: `InspectionError.badInput`.
    package func finish() throws {
        try send()
        guard fsync(descriptor) == 0 else { throw Self.failure(url, nil) }
        isOpen = false
        guard close(descriptor) == 0 else { throw Self.failure(url, nil) }
    }

    private func send() throws {
        var sent = 0
        while sent < buffer.count {
            let count = buffer.withUnsafeBytes { raw in
                Foundation.write(descriptor, raw.baseAddress?.advanced(by: sent), raw.count - sent)
            }
            if count > 0 { sent += count } else if errno != EINTR { throw Self.failure(url, nil) }
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// - Parameter advice: a possible remedy.
    private static func failure(_ url: URL, _ advice: String?) -> InspectionError {
        let reason = String(cString: strerror(errno))
        return .badInput("\(url.path) cannot be written: \(reason)\(advice.map { "; \($0)" } ?? "").")
    }
}
