#if os(Linux)
import Foundation
import Testing

extension Tool {
    /// Like `run`, without Foundation's processes, which are unreliable for many thousands of runs, several at a time.
    /// - Parameter patience: seconds. A command that runs longer is killed, and shows as such.
    func run(_ arguments: [String], patience: Int) throws -> Result {
        let (output, errors) = (try OutputPipe(), try OutputPipe())
        let process = try Spawned(
            [Self.program.path] + arguments, environment: ["TMPDIR": temporaryFolder.path, "COLUMNS": nil]
        ) { actions in
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
            posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
        }
        if !OutputPipe.readAll([output, errors], patience: patience) { kill(process.number, SIGKILL) }
        let (status, wasKilled) =
            switch process.end() {
            case .exit(let code): (code, false)
            case .signal(let number): (number, true)
            }
        return Result(status: status, wasKilled: wasKilled, output: output.text, errors: errors.text)
    }
}

/// The output of a process. A pair of sockets, as Swift has no pipe that is closed from its creation in other processes started
/// meanwhile.
private final class OutputPipe {
    private let reading: Int32
    private(set) var writing: Int32
    private var bytes: [UInt8] = []
    private var hasEnded = false

    init() throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0, "\(String(cString: strerror(errno)))")
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        closeWriting()
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    private func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// Reads until the other ends are closed. Ours are closed.
    /// - Returns: whether that was within a number of seconds.
    static func readAll(_ pipes: [OutputPipe], patience: Int) -> Bool {
        let end = ContinuousClock.now + .seconds(patience)
        for pipe in pipes { pipe.closeWriting() }
        while true {
            let open = pipes.filter { !$0.hasEnded }
            if open.isEmpty { return true }
            var asked = open.map { pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0) }
            let left = max(0, (end - .now) / .milliseconds(1))
            let count = poll(&asked, nfds_t(asked.count), Int32(left.rounded(.up)))
            if count == 0 { return false }
            for (pipe, answer) in zip(open, asked) where count > 0 && answer.revents != 0 { pipe.receive() }
        }
    }

    private func receive() {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = piece.withUnsafeMutableBytes { read(reading, $0.baseAddress, $0.count) }
        if count > 0 { bytes += piece[..<count] } else if count == 0 || errno != EINTR { hasEnded = true }
    }
}
#endif
