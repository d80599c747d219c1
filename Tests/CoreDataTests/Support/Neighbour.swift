import CoreData
import Foundation
import TestSupport

/// Another process, which writes to a store that it creates: `Tests/CrashChild`.
final class Neighbour {
    private let folder: TemporaryFolder

    struct Failure: Error {
        let status: Int32
    }

    /// Makes the store, with some objects.
    init() throws {
        folder = try TemporaryFolder()
        try run("make", folder.path, "1", "1")
    }

    var storeURL: URL { folder.appendingPathComponent("crash.store") }

    /// Saves a number of objects of entity `Label`, one by one.
    func insert(labels count: Int, author: String) throws { try run("insert", folder.path, "\(count)", author) }

    private func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = BuiltProgram.crashChild.url
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    }
}
