import Foundation

/// The number of bytes that the creating thread has written since the creation of this value. Readable from any thread.
struct WrittenBytes: Sendable {
    /// The path of the system's statistics for the thread.
    private let path: String
    private let start: Int64

    /// - Returns: `nil` if the system has no such statistics. Linux has.
    init?() {
        guard let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"),
            let start = Self.total("/proc/\(thread)/io")
        else { return nil }
        path = "/proc/\(thread)/io"
        self.start = start
    }

    var count: Int64? { Self.total(path).map { $0 - start } }

    private static func total(_ path: String) -> Int64? {
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("wchar:") }
        return line?.split(separator: " ").last.flatMap { Int64($0) }
    }
}
