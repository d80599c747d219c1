import Foundation
import Testing

@testable import SQLiteStore

/// Files without write or read permission. The superuser has all permissions, so if the superuser runs the tests, the command runs
/// as another user.
@Suite(
    "Files with few permissions",
    .enabled(if: Tool.exists && UnprivilegedUser.canRun, "needs a user without superuser rights, or setpriv"))
struct AccessTests {
    @Test("A file without write permission is read, and reported before anything else happens")
    func unwritable() throws {
        let tool = try Tool()
        let path = try tool.library()
        try Data(#"{"$entity":"Label","text":"x"}"#.utf8).write(to: tool.url("in.ndjson"))
        let user = try UnprivilegedUser(tool)
        chmod(path, 0o444)
        let before = try tool.state()
        for arguments in [
            ["delete", path, "Label", "--write"], ["erase", path, "Label", "--write"],
            ["import", path, tool.path("in.ndjson"), "--write"],
        ] {
            // No question is asked about an impossible change: there is no input, and another message would say so.
            let refused = try user.run(arguments)
            #expect(refused.status == 2 && refused.errors.contains("a.store may not be written"), "\(refused.errors)")
        }
        let compacted = try user.run(["compact", path, "--write"])
        #expect(compacted.status == 2 && compacted.errors.contains("may not be written"), "\(compacted.errors)")
        for arguments in [["rows", path, "Book"], ["check", path], ["export", path], ["plan", path, "Shelf"]] {
            let read = try user.run(arguments)
            #expect(read.status == 0 && !read.output.isEmpty, "\(arguments): \(read.errors)")
        }
        #expect(try tool.state() == before)
    }

    @Test("A folder in which no journal can be created is reported by name")
    func unwritableFolder() throws {
        let tool = try Tool()
        let path = try tool.library()
        let user = try UnprivilegedUser(tool)
        chmod(path, 0o666)
        chmod(tool.folder.path, 0o555)
        defer { chmod(tool.folder.path, 0o755) }
        let before = try tool.state()
        let refused = try user.run(["delete", path, "Label", "--write", "--yes"])
        #expect(
            refused.status == 2 && refused.errors.contains("\(tool.folder.lastPathComponent) may not be written"),
            "\(refused.errors)")
        #expect(try user.run(["count", path, "Label"]).output == "3\n")
        #expect(try tool.state() == before)
    }

    @Test("A file without read permission is reported as such")
    func unreadable() throws {
        let tool = try Tool()
        let path = try tool.library()
        let user = try UnprivilegedUser(tool)
        chmod(path, 0o200)
        let refused = try user.run(["info", path])
        #expect(refused.status == 2 && refused.errors.contains("may not be read"), "\(refused.errors)")
        chmod(path, 0o644)
    }

    @Test(
        "A backup of another user's file grants no more access than the file",
        .enabled(if: geteuid() == 0), arguments: [(0o606, 0o600), (0o666, 0o666), (0o646, 0o644)])
    func foreignBackup(mode: Int, wanted: Int) throws {
        let tool = try Tool()
        let path = try tool.library()
        let user = try UnprivilegedUser(tool)
        chmod(path, mode_t(mode))
        chmod(tool.folder.path, 0o777)
        let deleted = try user.run(["delete", path, "Label", "--write", "--yes"])
        #expect(deleted.status == 0, "\(deleted.errors)")
        let name = try #require(try tool.state().keys.first { $0.contains("-backup-") })
        var status = stat()
        #expect(stat(tool.path(name), &status) == 0)
        #expect(Int(status.st_mode & 0o777) == wanted, "\(String(status.st_mode, radix: 8))")
    }
}

/// Runs the command without the rights of a superuser.
struct UnprivilegedUser {
    private let tool: Tool

    /// The command prefix; nil if no other user is available.
    private static let prefix: [String]? = {
        guard geteuid() == 0 else { return [] }
        let drop = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
        guard FileManager.default.isExecutableFile(atPath: drop[0]) else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: drop[0])
        process.arguments = drop.dropFirst() + [Tool.program.path, "--version"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        process.waitUntilExit()
        return process.terminationStatus == 0 ? drop : nil
    }()

    static let canRun = prefix != nil

    /// Private copies are made by the user of the command.
    init(_ tool: Tool) throws {
        self.tool = tool
        try FileManager.default.createDirectory(at: tool.temporaryFolder, withIntermediateDirectories: true)
        chmod(tool.temporaryFolder.path, 0o777)
    }

    func run(_ arguments: [String]) throws -> Tool.Result {
        try tool.start(arguments, through: Self.prefix ?? []).wait()
    }
}
