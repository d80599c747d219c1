import Foundation

/// How much the thread that made it has handed to the system to write since then. Can be asked from any other.
struct WrittenBytes: Sendable {
    /// Where the system tells of the thread.
    private let path: String
    private let start: Int64

    /// - Returns: `nil` where the system does not tell; Linux does.
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
