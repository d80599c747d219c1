import ArgumentParser
import BenchmarkSupport
import Foundation

/// Compares the library with the same work done with the SQLite C API alone.
@main
struct Ratios: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ratios",
        abstract: "Measures the library against the same work written by hand over the SQLite C API.",
        subcommands: [Run.self, MeasureCommand.self], defaultSubcommand: Run.self)
}

/// Measures in separate processes and prints a table.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures and prints a table.")

    @Option(help: "Numbers of models, separated by commas.")
    var sizes = "10000,100000"

    @Option(help: "How often each measurement is repeated.")
    var rounds = 5

    @Option(help: ArgumentHelp("Only these workloads.", valueName: "workload"))
    var only: [Workload] = []

    @Option(
        help: ArgumentHelp(
            "Folder for stores. They are kept, so that the next run need not make them.",
            valueName: "path"))
    var directory: String?

    @Option(help: ArgumentHelp("File to which each measurement is added as a line of JSON.", valueName: "path"))
    var log: String?

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
        guard !parsedSizes.isEmpty, parsedSizes.allSatisfy({ $0 >= 1000 }) else {
            throw ValidationError("--sizes takes whole numbers from 1000 on, separated by commas.")
        }
    }

    private var parsedSizes: [Int] {
        let parts = sizes.split(separator: ",").map { Int($0) }
        return parts.contains(nil) ? [] : parts.compactMap { $0 }
    }

    func run() throws {
        let folder = directory ?? NSTemporaryDirectory() + "openswiftdata-benchmarks"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let runner = Runner(directory: folder, rounds: rounds, log: log)
        print(Report.header)
        for count in parsedSizes {
            for workload in only.isEmpty ? Workload.allCases : only {
                print(try runner.run(workload, count).line)
            }
        }
    }
}

/// One process of a run: some variants of one workload, one after the other, one line of JSON each.
struct MeasureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure", abstract: "Runs variants of a workload in this process.", shouldDisplay: false)

    @Argument var workload: Workload
    @Argument var count: Int
    @Argument var directory: String
    @Argument var variants: [Variant]

    func run() throws {
        let measuring = Measuring(workload: workload, count: count, directory: directory)
        let encoder = JSONEncoder()
        for variant in variants {
            print(String(decoding: try encoder.encode(try measuring.run(variant)), as: UTF8.self))
        }
    }
}
