import Foundation

/// A file or folder with a temporary name until it is complete, as half an export would look like a complete one.
package struct UnfinishedOutput {
    /// The temporary location to write to.
    package let url: URL
    private let target: URL

    /// - Parameter target: the final name; must not exist, except that an empty folder may be replaced by a folder.
    /// - Throws: `InspectionError.alreadyThere`.
    package init(_ target: URL, isFolder: Bool) throws {
        let files = FileManager.default
        if files.fileExists(atPath: target.path) {
            let isEmpty = (try? files.contentsOfDirectory(atPath: target.path))?.isEmpty ?? false
            guard isFolder, isEmpty else { throw InspectionError.alreadyThere(target.path) }
        }
        self.target = target
        url = target.deletingLastPathComponent().appendingPathComponent(
            "\(target.lastPathComponent).partial-\(UUID().uuidString.prefix(8))", isDirectory: isFolder)
    }

    /// - Throws: `InspectionError.alreadyThere`, `.badInput`.
    package func finish() throws { try FinalName.give(target, to: url) }

    package func remove() { try? FileManager.default.removeItem(at: url) }
}
