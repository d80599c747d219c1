import Foundation

/// A new folder for this user alone. It is removed when released, or, if its process is killed, later as abandoned.
package final class PrivateFolder: Sendable {
    package let url: URL
    /// Marks the folder as in use, so that it does not count as abandoned.
    private let claim: OpenDescriptor?

    /// Makes a folder, and removes abandoned ones with the same prefix.
    /// - Parameter prefix: The prefix of the folder's name.
    /// - Throws: Errors from making a folder.
    package init(in parent: URL, prefix: String) throws {
        AbandonedCopies.sweep(parent, prefix)
        url = parent.appendingPathComponent(prefix + UUID().uuidString, isDirectory: true)
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        claim = AbandonedCopies.claim(url)
    }

    deinit { remove() }

    package func remove() { try? FileManager.default.removeItem(at: url) }
}
