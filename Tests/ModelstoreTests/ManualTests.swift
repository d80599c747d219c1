import Foundation
import Testing

/// The manual page compared with the command's help.
@Suite("Manual", .enabled(if: Tool.exists))
struct ManualTests {
    private static let manual: String = {
        let package = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = package.appendingPathComponent("Documentation/modelstore.1")
        return ((try? String(contentsOf: page, encoding: .utf8)) ?? "").replacing("\\-", with: "-")
    }()

    private static func options(in text: String) -> Set<String> {
        Set(text.matches(of: /--[a-z]+(?:-[a-z]+)*/).map { String($0.output) })
    }

    /// The names that follow the titles of the groups.
    private func commands(_ tool: Tool) throws -> [String] {
        let lines = try tool.run("--help").lines
        let groups = lines.filter { $0.hasSuffix(":") && $0.contains("SUBCOMMANDS") }
        #expect(groups.count >= 3, "\(lines)")
        var found: [String] = []
        var isWithin = false
        for line in lines {
            if groups.contains(line) { isWithin = true } else if line.isEmpty { isWithin = false }
            guard isWithin, let match = line.firstMatch(of: #/^ {2}([a-z]+) /#) else { continue }
            found.append(String(match.1))
        }
        return found
    }

    @Test("Every command and option is in the manual, and nothing else is")
    func complete() throws {
        let tool = try Tool()
        let commands = try commands(tool)
        #expect(commands.count >= 19, "\(commands)")
        var known = Self.options(in: try tool.run("--help").output)
        for command in commands {
            let help = try tool.run(command, "--help")
            #expect(help.status == 0, "\(help.errors)")
            known.formUnion(Self.options(in: help.output))
            #expect(Self.manual.contains("\n.BI \(command) \""), "the command \(command) has no entry")
        }
        let documented = Self.options(in: Self.manual)
        #expect(known.count > 35)
        #expect(known.subtracting(documented) == [], "not in the manual")
        #expect(documented.subtracting(known) == [], "in the manual only")
        let entries = Self.manual.matches(of: /\n\.BI ([a-z]+) "/).map { String($0.1) }
        #expect(entries.sorted() == commands.sorted())
    }

    @Test("Short names of options are those of the manual")
    func shortNames() throws {
        let tool = try Tool()
        for command in try commands(tool) {
            for match in try tool.run(command, "--help").output.matches(of: /\n {2}(-[a-z]), (--[a-z-]+)/) {
                let (short, long) = (String(match.1), String(match.2))
                #expect(Self.manual.contains("\(short) \", \" \(long)"), "\(command): \(short), \(long)")
            }
        }
    }

    @Test("Shell completion offers names in the file, however the file's name is quoted")
    func completions() throws {
        let tool = try Tool()
        try Library.makeFile(at: tool.url("My Books.store"))
        let plain = tool.path("My Books.store")
        let written = [plain, plain.replacing(" ", with: "\\ "), "'\(plain)'", "\"\(plain)\"", tool.path("none.store")]
        for path in written {
            let result = try tool.run(
                "---completion", "rows", "--", "positional@1", "3", "0", "modelstore", "rows", path, "")
            let expected = path == written.last ? "" : "Atlas Book Label Reader Shelf"
            #expect(
                result.output.split(separator: "\n").joined(separator: " ") == expected, "\(path): \(result.errors)")
        }
    }
}
