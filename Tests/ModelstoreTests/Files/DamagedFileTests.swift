#if os(Linux)
import Foundation
import TestSupport
import Testing

/// Truncated files, or files with changed bytes: the command always ends by itself, with a code and with a message if it could not
/// finish, and writes nothing. The results for a truncated file equal those for the complete one. All positions with
/// `MODELSTORE_DAMAGE=all`, or the names of some commands in place of `all`; else a few.
@Suite("Damaged files", .enabled(if: Tool.exists))
struct DamagedFileTests {
    private static let wanted = ProcessInfo.processInfo.environment["MODELSTORE_DAMAGE"]
    private static let isComplete = wanted != nil
    private static let truncations = isComplete ? 200 : 3
    private static let flips = isComplete ? 100 : 2

    /// Far longer than any command takes, on a busy machine too, in seconds.
    private static let patience = 120

    @Test("Truncated files", .realFiles, arguments: RealFile.all)
    func cutOff(file: RealFile) throws {
        let subject = try Subject(file)
        for name in subject.names {
            let whole = try Data(contentsOf: subject.tool.url(name))
            // A truncated log is a store of an earlier state.
            let answers = name == subject.names[0] ? try subject.answers() : nil
            for number in 0..<Self.truncations {
                let length = whole.count * number / Self.truncations
                try whole.prefix(length).write(to: subject.tool.url(name))
                try expectOrder(subject, "\(file), \(name) cut to \(length) bytes", answers)
            }
            try whole.write(to: subject.tool.url(name))
        }
        report(subject, "cut off", Self.truncations)
    }

    @Test("Files with changed bytes", .realFiles, arguments: RealFile.all)
    func changed(file: RealFile) throws {
        let subject = try Subject(file)
        for name in subject.names {
            let whole = try Data(contentsOf: subject.tool.url(name))
            for seed in 0..<Self.flips {
                let count = [500, 20, 1][seed % 3]
                var generator = SeededGenerator(
                    seed: UInt64(seed) &+ file.path.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
                try Self.changed(whole, count, &generator).write(to: subject.tool.url(name))
                try expectOrder(subject, "\(file), \(count) bytes of \(name) changed, seed \(seed)")
            }
            try whole.write(to: subject.tool.url(name))
        }
        report(subject, "changed", Self.flips)
    }

    /// - Parameter answers: the results of the commands for the complete file, a part of which is missing.
    private func expectOrder(_ subject: Subject, _ place: String, _ answers: Answers? = nil) throws {
        let tool = subject.tool
        let before = try tool.state()
        for command in subject.commands {
            let what = "\(place), \(command.arguments)"
            let result = try tool.run(command.arguments, patience: Self.patience)
            #expect(!result.wasKilled, "\(what): signal \(result.status) \(result.errors)")
            #expect(result.status <= 2, "\(what): \(result.status) \(result.errors)")
            if result.status == 2 { #expect(!result.errors.isEmpty, "\(what)") }
            if result.status == 0, let whole = answers?[command.arguments] {
                // A log may have all pages that the database lacks.
                #expect(command.kind != .judgement || subject.names.count > 1, "\(what): found nothing wrong")
                #expect(command.kind != .content || result.output == whole, "\(what): something is missing")
            }
        }
        #expect(try tool.state() == before, "\(place)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: tool.temporaryFolder.path).isEmpty, "\(place)")
    }

    /// The result of a complete run.
    private func report(_ subject: Subject, _ damage: String, _ count: Int) {
        guard Self.isComplete else { return }
        let (places, commands) = (subject.names.count * count, subject.commands.count)
        print("\(subject.file.path), \(damage): \(places) places, \(commands) commands, \(places * commands) runs")
    }

    /// The first kilobyte contains the most metadata.
    private static func changed(_ whole: Data, _ count: Int, _ generator: inout SeededGenerator) -> Data {
        var damaged = whole
        for place in 0..<count {
            let range = place % 10 == 0 ? 0..<min(1024, whole.count) : 0..<whole.count
            damaged[Int.random(in: range, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
        }
        return damaged
    }

    /// The outputs of commands by their arguments.
    private typealias Answers = [[String]: String]

    private struct Command {
        /// The subject of a command's result.
        enum Kind {
            /// The contents of the store, independent of the rest of the file.
            case content
            /// The validity of everything.
            case judgement
            /// The file itself, such as its size.
            case file
        }

        let arguments: [String]
        let kind: Kind

        init(_ kind: Kind, _ arguments: String...) {
            self.arguments = arguments
            self.kind = kind
        }
    }

    /// A copy of a real file that is damaged repeatedly, and the commands to run on it.
    private struct Subject {
        let tool: Tool
        let file: RealFile
        /// The database, and its log if there is one.
        let names: [String]
        let commands: [Command]

        init(_ file: RealFile) throws {
            let tool = try Tool()
            let path = try file.copy(into: tool)
            (self.tool, self.file) = (tool, file)
            names = ["real.store", "real.store-wal"].filter { FileManager.default.fileExists(atPath: tool.path($0)) }
            // The one with the most rows has the most to damage.
            let counts = try tool.run("count", path, "--format", "json").list()
            let most = counts.max { ($0["rows"] as? Int ?? 0) < ($1["rows"] as? Int ?? 0) }
            commands = Self.commands(path, try #require(most?["entity"] as? String))
        }

        private static func commands(_ path: String, _ entity: String) -> [Command] {
            let few = [
                Command(.file, "info", path), Command(.judgement, "check", path), Command(.content, "export", path),
            ]
            let more = [
                Command(.content, "schema", path), Command(.content, "rows", path, entity, "--format", "json"),
                Command(.content, "plan", path, entity), Command(.content, "history", path, "--export"),
                Command(.content, "lint", path), Command(.content, "diff", path, path),
                Command(.content, "schema", path, "--as", "svg"), Command(.content, "schema", path, "--as", "swift"),
                Command(.judgement, "repair", path), Command(.content, "count", path),
                Command(.content, "show", path, "\(entity)/p1"), Command(.content, "restore", path),
                Command(.file, "compact", path), Command(.content, "delete", path, entity),
                Command(.content, "erase", path, "--traces"), Command(.content, "erase", path, "--everything"),
                Command(.content, "sql", path, "SELECT * FROM Z_PRIMARYKEY"),
            ]
            guard let wanted = DamagedFileTests.wanted else { return few }
            return wanted == "all"
                ? few + more : (few + more).filter { wanted.split(separator: ",").contains($0.arguments[0][...]) }
        }

        func answers() throws -> Answers {
            try commands.reduce(into: [:]) {
                $0[$1.arguments] = try tool.run($1.arguments, patience: DamagedFileTests.patience).output
            }
        }
    }
}
#endif
