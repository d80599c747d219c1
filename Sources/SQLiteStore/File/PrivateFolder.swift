import Foundation

/// A new folder for nobody else, which goes when it is let go or removed, and as abandoned if its process is killed.
package final class PrivateFolder: Sendable {
    package let url: URL
    /// Keeps the folder from being taken for an abandoned one.
    private let claim: OpenDescriptor?

    /// Removes what earlier processes left under such a name, too.
    /// - Parameter prefix: what the folder's name is to begin with.
    /// - Throws: what making a folder throws.
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
