import Foundation
import ObjectGraph

/// Buffered standard output. If the reader has closed the pipe (`| head`), writing throws, so that everything opened is
/// closed in order.
final class Output: Sendable {
    static let standard = Output(descriptor: 1)

    private let descriptor: Int32
    private let buffer = Locked<[UInt8]>([])

    private static let pieceSize = 1 << 16

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// - Throws: `OutputError`.
    func write(_ text: String) throws {
        let full: [UInt8]? = buffer.withLock { buffer in
            buffer.append(contentsOf: text.utf8)
            guard buffer.count >= Self.pieceSize else { return nil }
            let full = buffer
            buffer.removeAll(keepingCapacity: true)
            return full
        }
        if let full { try send(full) }
    }

    func line(_ text: String = "") throws { try write(text + "\n") }

    func flush() throws {
        let rest = buffer.withLock { buffer in
            let rest = buffer
            buffer.removeAll()
            return rest
        }
        try send(rest)
    }

    private func send(_ bytes: [UInt8]) throws {
        if !bytes.isEmpty, descriptor == 1, Terminal.outputIsTerminal { ProgressLine.endAll() }
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                Foundation.write(descriptor, raw.baseAddress?.advanced(by: sent), bytes.count - sent)
            }
            if count > 0 {
                sent += count
            } else if errno != EINTR {
                throw errno == EPIPE ? OutputError.readerGone : OutputError.failed(String(cString: strerror(errno)))
            }
        }
    }

    /// Writes a message to standard error, so that standard output contains only results. Control characters, which
    /// names from the file may contain, are made visible.
    static func note(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { CellText.visible(String($0)) }
        writeToStandardError(lines.joined(separator: "\n") + "\n")
    }

    /// Write errors are ignored: if standard error is closed, there is no place to report them.
    static func writeToStandardError(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(2, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
        }
    }
}

enum OutputError: Error, CustomStringConvertible {
    case readerGone
    case failed(String)

    var description: String {
        switch self {
        case .readerGone: "The output has no reader any more."
        case .failed(let reason): "The output cannot be written: \(reason)."
        }
    }
}
