import Foundation

/// An empty folder of a test, removed with its contents when the last reference to this object is released.
///
/// A local variable may be released after its last use, which can be too early for files in the folder. Functions therefore end
/// with `defer { folder.remove() }`, or use `withTemporaryFolder`.
package final class TemporaryFolder: Sendable {
    package let url: URL

    /// - Parameter name: begins the name of the folder.
    package init(_ name: String = "test") throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(name)-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { remove() }

    package var path: String { url.path }

    package func appendingPathComponent(_ name: String) -> URL { url.appendingPathComponent(name) }

    package func remove() { try? FileManager.default.removeItem(at: url) }
}

/// Passes an empty folder to the body, and removes it afterwards.
@discardableResult
package func withTemporaryFolder<Result>(
    _ name: String = "test", _ body: (URL) throws -> Result
) throws -> Result {
    let folder = try TemporaryFolder(name)
    defer { folder.remove() }
    return try body(folder.url)
}
