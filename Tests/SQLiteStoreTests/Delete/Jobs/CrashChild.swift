import Foundation
import TestSupport

/// The program that is killed, and a folder for its stores.
struct CrashChild {
    private let root: TemporaryFolder

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
        root = try TemporaryFolder()
        _ = folder("template")
    }

    func remove() { root.remove() }

    /// The last arguments of commands that make calls fail: how far apart, and which of them.
    static let places = ["\(Seeds.callDistance)", "\(Seeds.base % UInt64(Seeds.callDistance))"]

    static var exists: Bool { BuiltProgram.crashChild.exists }

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
        running.process.executableURL = BuiltProgram.crashChild.url
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
