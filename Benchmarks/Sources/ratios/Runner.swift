import Foundation

/// Starts measuring processes, and collects their output.
///
/// Time: in each round one process runs all variants of a workload in shuffled order, and the ratio is taken within that
/// round. Memory: each variant once in a process of its own.
struct Runner {
    let directory: String
    let rounds: Int
    let log: String?

    func run(_ workload: Workload, _ count: Int) throws -> Report {
        try workload.fixture?.make(count, in: directory)
        var report = Report(workload: workload, count: count)
        for round in 1...rounds {
            progress("\(workload.rawValue) \(count) round \(round)")
            report.rounds.append(try measure(workload, count, workload.variants.shuffled()))
        }
        for variant in workload.variants {
            progress("\(workload.rawValue) \(count) memory \(variant.rawValue)")
            report.alone += try measure(workload, count, [variant])
        }
        try report.check()
        return report
    }

    private func measure(_ workload: Workload, _ count: Int, _ variants: [Variant]) throws -> [Measurement] {
        let process = Process()
        process.executableURL = Self.executable
        process.arguments =
            ["measure", workload.rawValue, String(count), directory] + variants.map(\.rawValue)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw RunnerError.failed(workload, count) }
        try record(data)
        return try data.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Measurement.self, from: Data($0))
        }
    }

    private static var executable: URL {
        Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    }

    private func record(_ data: Data) throws {
        guard let log else { return }
        if !FileManager.default.fileExists(atPath: log) {
            _ = FileManager.default.createFile(atPath: log, contents: nil)
        }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        try file.seekToEnd()
        try file.write(contentsOf: data)
        try file.close()
    }

    private func progress(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}

/// A run without a result.
enum RunnerError: Error, CustomStringConvertible {
    case failed(Workload, Int)
    case different(Workload, Int, String)

    var description: String {
        switch self {
        case .failed(let workload, let count):
            "\(workload.rawValue) with \(count) models failed; what it said is above."
        case .different(let workload, let count, let facts):
            "\(workload.rawValue) with \(count) models did not do the same in all variants: \(facts)."
        }
    }
}
