import Foundation

/// `Tests/CrashChild`, a program beside the tests' own, which is built with them.
enum ChildProgram {
    static var url: URL {
        let own = URL(fileURLWithPath: CommandLine.arguments.first ?? "")
        let candidates = [own.deletingLastPathComponent(), Bundle.main.bundleURL].map {
            $0.appendingPathComponent("CrashChild")
        }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? candidates[0]
    }

    static var exists: Bool { FileManager.default.isExecutableFile(atPath: url.path) }
}
