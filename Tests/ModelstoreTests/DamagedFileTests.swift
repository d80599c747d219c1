import Foundation
import Testing

/// Files that were cut off, or whose bytes changed: whatever comes out, the command ends by itself, with a code and a
/// message where it could not go on, and writes nothing. All places with `MODELSTORE_DAMAGE=all`, or the names of some
/// commands in place of `all`; else a few.
@Suite("Damaged files", .enabled(if: Tool.exists))
struct DamagedFileTests {
    private static let wanted = ProcessInfo.processInfo.environment["MODELSTORE_DAMAGE"]
    private static let isComplete = wanted != nil
    private static let truncations = isComplete ? 200 : 3
    private static let flips = isComplete ? 100 : 2

    private func expectOrder(_ tool: Tool, _ path: String, _ entity: String, _ place: String) throws {
        let before = try tool.state()
        for arguments in Self.commands(path, entity) {
            let result = try finished(tool.start(arguments))
            #expect(!result.wasKilled, "\(place), \(arguments): signal \(result.status) \(result.errors)")
            #expect(result.status <= 2, "\(place), \(arguments): \(result.status) \(result.errors)")
            if result.status == 2 { #expect(!result.errors.isEmpty, "\(place), \(arguments)") }
        }
        #expect(try tool.state() == before, "\(place)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: tool.temporaryFolder.path).isEmpty, "\(place)")
    }

    /// Far longer than any command takes, on a busy machine too, in seconds.
    private static let patience = 120

    /// One that does not end by itself is ended, and shows as killed.
    private func finished(_ running: Tool.Running) throws -> Tool.Result {
        let end = DispatchWorkItem { kill(running.process.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.patience), execute: end)
        defer { end.cancel() }
        return try running.wait()
    }

    /// What a complete run came to, for who started it.
    private func tell(_ file: RealFile, _ damage: String, places: Int) {
        guard Self.isComplete else { return }
        let commands = Self.commands("", "").count
        print("\(file.path), \(damage): \(places) places, \(commands) commands, \(places * commands) runs")
    }

    private static func commands(_ path: String, _ entity: String) -> [[String]] {
        let few = [["info", path], ["check", path], ["export", path]]
        let more = [
            ["schema", path], ["rows", path, entity, "--format", "json"], ["plan", path, entity],
            ["history", path, "--export"],
            ["lint", path], ["diff", path, path], ["schema", path, "--as", "svg"], ["schema", path, "--as", "swift"],
            ["repair", path], ["count", path], ["show", path, "\(entity)/p1"], ["restore", path], ["compact", path],
        ]
        guard let wanted else { return few }
        return wanted == "all" ? few + more : (few + more).filter { wanted.split(separator: ",").contains($0[0][...]) }
    }

    private func entity(of file: RealFile) throws -> String {
        let tool = try Tool()
        return try #require(
            try tool.run("count", try file.copy(into: tool), "--format", "json").list().last?["entity"] as? String)
    }

    @Test("Cut off", .enabled(if: RealFile.areAvailable), arguments: RealFile.all)
    func cutOff(file: RealFile) throws {
        let tool = try Tool()
        let path = try file.copy(into: tool)
        let entity = try entity(of: file)
        for name in names(tool) {
            let whole = try Data(contentsOf: tool.url(name))
            for number in 0..<Self.truncations {
                let length = whole.count * number / Self.truncations
                try whole.prefix(length).write(to: tool.url(name))
                try expectOrder(tool, path, entity, "\(file), \(name) cut to \(length) bytes")
            }
            try whole.write(to: tool.url(name))
        }
        tell(file, "cut off", places: names(tool).count * Self.truncations)
    }

    @Test("Bytes changed", .enabled(if: RealFile.areAvailable), arguments: RealFile.all)
    func changed(file: RealFile) throws {
        let tool = try Tool()
        let path = try file.copy(into: tool)
        let entity = try entity(of: file)
        for name in names(tool) {
            let whole = try Data(contentsOf: tool.url(name))
            for seed in 0..<Self.flips {
                let count = [1, 20, 500][seed % 3]
                var generator = SplitMix(seed: UInt64(seed) &+ file.path.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
                try Self.changed(whole, count, &generator).write(to: tool.url(name))
                try expectOrder(tool, path, entity, "\(file), \(count) bytes of \(name) changed, seed \(seed)")
            }
            try whole.write(to: tool.url(name))
        }
        tell(file, "changed", places: names(tool).count * Self.flips)
    }

    /// The first kilobyte has the most to say.
    private static func changed(_ whole: Data, _ count: Int, _ generator: inout SplitMix) -> Data {
        var damaged = whole
        for place in 0..<count {
            let range = place % 10 == 0 ? 0..<min(1024, whole.count) : 0..<whole.count
            damaged[Int.random(in: range, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
        }
        return damaged
    }

    /// The database, and its log where there is one.
    private func names(_ tool: Tool) -> [String] {
        ["real.store", "real.store-wal"].filter { FileManager.default.fileExists(atPath: tool.path($0)) }
    }
}

struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
