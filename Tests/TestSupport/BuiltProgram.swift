import Foundation

/// An executable of this package, which the build puts beside the program of the tests.
package struct BuiltProgram: Sendable {
    /// Is killed, or has a file system that fails: `Tests/CrashChild`.
    package static let crashChild = BuiltProgram("CrashChild")

    package let url: URL

    package init(_ name: String) {
        let own = URL(fileURLWithPath: CommandLine.arguments.first ?? "")
        let candidates = [own.deletingLastPathComponent(), Bundle.main.bundleURL].map {
            $0.appendingPathComponent(name)
        }
        url = candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? candidates[0]
    }

    package var exists: Bool { FileManager.default.isExecutableFile(atPath: url.path) }
}
