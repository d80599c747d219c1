#if os(Linux)
import Foundation
import Testing

/// The built command on a terminal of its own, as a person uses it: input is typed as keys, and output is read as it comes. Nothing
/// waits for a time to pass.
final class TerminalSession {
    private let terminal: Int32
    private let process: Spawned
    private var received: [UInt8] = []
    /// Where to look for the next text.
    private var place = 0
    private var hasEnded = false

    enum Key {
        static let interrupt = "\u{3}"
        static let endOfInput = "\u{4}"
    }

    /// The expected text did not come.
    struct Missing: Error, CustomStringConvertible {
        let wanted: String
        let received: String
        var description: String { "'\(wanted)' did not come; the last that did: \(received.suffix(500))" }
    }

    /// For busy machines.
    private static let patience = Duration.seconds(120)

    /// - Parameters:
    ///   - columns: the width of the terminal.
    ///   - output: the standard output instead of the terminal.
    init(
        _ tool: Tool, _ arguments: String..., columns: UInt16 = 80, environment: [String: String?] = [:],
        output: FileHandle? = nil
    ) throws {
        try FileManager.default.createDirectory(at: tool.temporaryFolder, withIntermediateDirectories: true)
        terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (locked, number): (Int32, Int32) = (0, 0)
        // `TIOCSPTLCK` and `TIOCGPTN`: unlock the other end, and return its number.
        guard terminal >= 0, ioctl(terminal, 0x4004_5431, &locked) == 0, ioctl(terminal, 0x8004_5430, &number) == 0
        else {
            throw Missing(wanted: "a terminal", received: String(cString: strerror(errno)))
        }
        var size = winsize(ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
        let settings: [String: String?] = [
            "TMPDIR": tool.temporaryFolder.path, "TERM": "xterm-256color", "COLUMNS": nil, "NO_COLOR": nil,
        ]
        process = try Spawned(
            [Tool.program.path] + arguments, environment: settings.merging(environment) { $1 }
        ) { actions in
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/pts/\(number)", O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, output?.fileDescriptor ?? 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
        }
    }

    deinit {
        if !hasEnded {
            kill(process.number, SIGKILL)
            _ = process.wait()
        }
        close(terminal)
    }

    /// All output so far, with the line ends of files.
    var text: String { String(decoding: received, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n") }

    func type(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = bytes.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
    }

    /// Reads up to a text that comes after those found before.
    /// - Throws: `Missing`.
    func read(until wanted: String) throws {
        let bytes = Data(wanted.utf8)
        let end = ContinuousClock.now + Self.patience
        while true {
            if let found = Data(received).range(of: bytes, in: place..<received.count) {
                place = found.upperBound
                return
            }
            guard receive(), ContinuousClock.now < end else { throw Missing(wanted: wanted, received: text) }
        }
    }

    /// Reads to the end.
    /// - Returns: the exit code, and the complete output, without colours.
    func finish() -> (status: Int32, text: String) {
        while receive() {}
        hasEnded = true
        return (process.wait(), Self.plain(text))
    }

    static func plain(_ text: String) -> String { text.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "") }

    /// - Returns: whether there was output before the end, or before the time limit.
    private func receive() -> Bool {
        var asked = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        guard poll(&asked, 1, Int32(clamping: Self.patience.components.seconds * 1000)) > 0 else { return false }
        var piece = [UInt8](repeating: 0, count: 4096)
        let count = piece.withUnsafeMutableBytes { Foundation.read(terminal, $0.baseAddress, $0.count) }
        // An error means that the other end is closed.
        guard count > 0 else { return false }
        received += piece[..<count]
        return true
    }
}
#endif
