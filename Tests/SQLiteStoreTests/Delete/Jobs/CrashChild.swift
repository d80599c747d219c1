import Foundation

/// The program that is killed, and a folder for its stores.
struct CrashChild {
    private let root: URL

    enum Status: Equatable {
        case exited(Int32)
        case killed
    }

    struct Result {
        let status: Status
        let lines: [String]
        /// The last line of output.
        var count: Int { lines.last.flatMap { Int($0) } ?? 0 }
    }

    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("crash-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        _ = folder("template")
    }

    func remove() { try? FileManager.default.removeItem(at: root) }

    /// Beside the tests' own program.
    private static var program: URL {
        let own = URL(fileURLWithPath: CommandLine.arguments.first ?? "")
        let candidates = [own.deletingLastPathComponent(), Bundle.main.bundleURL].map {
            $0.appendingPathComponent("CrashChild")
        }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? candidates[0]
    }

    static var exists: Bool { FileManager.default.isExecutableFile(atPath: program.path) }

    func folder(_ name: String) -> String {
        let url = root.appendingPathComponent(name)
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url.path
    }

    func copy(_ name: String, _ other: String) throws -> String {
        let target = root.appendingPathComponent(other)
        try FileManager.default.copyItem(at: root.appendingPathComponent(name), to: target)
        return target.path
    }

    func run(_ arguments: String...) throws -> Result { try run(arguments) }

    func run(_ arguments: [String]) throws -> Result { try start(arguments).result() }

    func start(_ arguments: [String]) throws -> Running {
        let running = Running()
        running.process.executableURL = Self.program
        running.process.arguments = arguments
        running.process.standardOutput = running.output
        try running.process.run()
        return running
    }

    struct Running {
        fileprivate let process = Process()
        fileprivate let output = Pipe()

        /// Waits for output, or for its end.
        func waitForWord() { _ = output.fileHandleForReading.availableData }

        /// Waits until it ends.
        func result() -> Result {
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            let status: Status =
                process.terminationReason == .uncaughtSignal ? .killed : .exited(process.terminationStatus)
            return Result(status: status, lines: text.split(separator: "\n").map(String.init))
        }
    }
}
