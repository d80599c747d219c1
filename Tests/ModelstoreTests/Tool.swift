import Foundation
import StoreSQL
import TestSupport
import Testing

@testable import SQLiteStore

/// The built command, run as its users run it, in a folder of its own that is removed at the end.
final class Tool {
    private let temporary: TemporaryFolder
    var folder: URL { temporary.url }

    struct Result {
        let status: Int32
        let wasKilled: Bool
        let output: String
        let errors: String

        var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

        func json() throws -> Any {
            try JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed)
        }
        func fields() throws -> [String: Any] { try #require(try json() as? [String: Any]) }
        func list() throws -> [[String: Any]] { try #require(try json() as? [[String: Any]]) }
    }

    init() throws { temporary = try TemporaryFolder("tool") }

    /// The one that `MODELSTORE_TOOL` names, such as a release build; else beside the tests' own program.
    static let program =
        ProcessInfo.processInfo.environment["MODELSTORE_TOOL"].map { URL(fileURLWithPath: $0) }
        ?? BuiltProgram("modelstore").url

    static let exists = FileManager.default.isExecutableFile(atPath: program.path)

    /// - Parameter input: the standard input; empty by default.
    func run(_ arguments: String..., input: String? = nil) throws -> Result { try run(arguments, input: input) }

    func run(_ arguments: [String], input: String? = nil) throws -> Result {
        let process = try start(arguments, input: input)
        return try process.wait()
    }

    /// Temporary files of the command go to a folder of the test, to check that none are left.
    var temporaryFolder: URL { folder.appendingPathComponent("tmp", isDirectory: true) }

    /// - Parameter runner: a command that runs another one, whose arguments follow its own.
    func start(_ arguments: [String], input: String? = nil, through runner: [String] = []) throws -> Running {
        try FileManager.default.createDirectory(at: temporaryFolder, withIntermediateDirectories: true)
        let command = runner + [Self.program.path] + arguments
        return try Running(command, folder: folder, temporary: temporaryFolder, input: input)
    }

    final class Running {
        let process = Process()
        private let outputURL: URL
        private let errorURL: URL

        init(_ command: [String], folder: URL, temporary: URL, input: String?) throws {
            let name = UUID().uuidString
            outputURL = FileManager.default.temporaryDirectory.appendingPathComponent("tool-\(name).out")
            errorURL = FileManager.default.temporaryDirectory.appendingPathComponent("tool-\(name).err")
            for url in [outputURL, errorURL] { _ = FileManager.default.createFile(atPath: url.path, contents: nil) }
            process.executableURL = URL(fileURLWithPath: command[0])
            process.arguments = Array(command.dropFirst())
            process.currentDirectoryURL = folder
            var environment = ProcessInfo.processInfo.environment
            environment["TMPDIR"] = temporary.path
            environment["COLUMNS"] = nil
            process.environment = environment
            process.standardOutput = try FileHandle(forWritingTo: outputURL)
            process.standardError = try FileHandle(forWritingTo: errorURL)
            let pipe = Pipe()
            process.standardInput = pipe
            try process.run()
            if let input { pipe.fileHandleForWriting.write(Data(input.utf8)) }
            try? pipe.fileHandleForWriting.close()
        }

        var outputSoFar: String { (try? String(contentsOf: outputURL, encoding: .utf8)) ?? "" }

        var errorsSoFar: String { (try? String(contentsOf: errorURL, encoding: .utf8)) ?? "" }

        func wait() throws -> Result {
            process.waitUntilExit()
            defer { for url in [outputURL, errorURL] { try? FileManager.default.removeItem(at: url) } }
            return Result(
                status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
                output: String(decoding: try Data(contentsOf: outputURL), as: UTF8.self),
                errors: String(decoding: try Data(contentsOf: errorURL), as: UTF8.self))
        }
    }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name) }
    func path(_ name: String) -> String { url(name).path }

    /// The contents of the folder: bytes and times of change by name.
    func state() throws -> [String: FileState] {
        var found: [String: FileState] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            var status = stat()
            guard stat(path(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            found[name] = FileState(
                bytes: try Data(contentsOf: url(name)), seconds: status.st_mtim.tv_sec,
                nanoseconds: status.st_mtim.tv_nsec)
        }
        return found
    }
}

struct FileState: Equatable, CustomStringConvertible {
    let bytes: Data
    let seconds: Int
    let nanoseconds: Int

    var description: String { "\(bytes.count) bytes of \(seconds).\(nanoseconds)" }
}

/// A file written by Apple's frameworks, copied into a tool's folder with its log.
extension RealFile {
    /// Whether a cell refers to a file beside the store: none of the stores here comes with these files.
    func hasLostValues() throws -> Bool {
        let columns = try ask(
            """
            SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c
            WHERE t.type = 'table' AND t.name LIKE 'Z%' AND c.type = 'BLOB'
            """)
        let counts = columns.compactMap { row -> String? in
            guard case .text(let table) = row[0], case .text(let column) = row[1] else { return nil }
            // A tag byte, and a UUID as a C string.
            return "SELECT count(*) AS n FROM \(table) WHERE substr(\(column), 1, 1) = x'02' AND length(\(column)) = 38"
        }
        return try number("SELECT sum(n) FROM (\(counts.joined(separator: " UNION ALL ")))") > 0
    }

    /// - Returns: the copy's path.
    func copy(into tool: Tool, as name: String = "real.store") throws -> String {
        try copy(to: tool.url(name))
        return tool.path(name)
    }

    /// Runs a query on a private copy of the file.
    func ask(_ sql: String) throws -> [[Cell]] {
        let tool = try Tool()
        let connection = try Connection(.file(URL(fileURLWithPath: try copy(into: tool))), access: .readWrite)
        var rows: [[Cell]] = []
        try connection.runReadOnly(sql) { _ in
        } row: {
            rows.append($0)
        }
        return rows
    }

    func number(_ sql: String) throws -> Int {
        guard case .integer(let number)? = try ask(sql).first?.first else { return -1 }
        return Int(number)
    }
}
