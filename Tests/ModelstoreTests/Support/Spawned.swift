#if os(Linux)
import Foundation
import Testing

/// A process started without Foundation, which can give it no terminal and waits for it by itself.
struct Spawned {
    let number: pid_t

    /// A session of its own: the first terminal it opens is the one whose keys send it signals.
    private static let ownSession: Int16 = 0x80
    private static let usualSignals: Int16 = 0x04 | 0x08

    /// - Parameters:
    ///   - environment: merged over the tests' own; nil removes a variable.
    ///   - prepare: sets its standard input, output and errors.
    init(
        _ arguments: [String], environment changes: [String: String?],
        _ prepare: (inout posix_spawn_file_actions_t) -> Void
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        prepare(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The tests may have been started with ignored signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Self.ownSession | Self.usualSignals)
        var environment = ProcessInfo.processInfo.environment
        for (name, value) in changes { environment[name] = value }
        let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        let settings: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var number: pid_t = 0
        let result = posix_spawn(&number, arguments[0], &actions, &attributes, words, settings)
        try #require(result == 0, "\(String(cString: strerror(result)))")
        self.number = number
    }

    /// The way a process ended.
    enum End: Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    func end() -> End {
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
    }

    /// - Returns: the exit code; as shells report it if a signal ended the process.
    func wait() -> Int32 {
        switch end() {
        case .exit(let code): code
        case .signal(let number): 128 + number
        }
    }

    /// Waits for the end.
    /// - Returns: the bytes it has read from files and pipes, by every call that reads; nil if that is not known.
    func bytesReadUntilEnd() -> Int? {
        var info = siginfo_t()
        // Ended, and not yet reaped.
        while waitid(P_PID, id_t(number), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        let counters = try? String(contentsOfFile: "/proc/\(number)/io", encoding: .utf8)
        let line = counters?.split(separator: "\n").first { $0.hasPrefix("rchar:") }
        return line?.split(separator: " ").last.flatMap { Int($0) }
    }
}
#endif
