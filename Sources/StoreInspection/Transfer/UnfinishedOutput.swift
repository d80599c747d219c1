import Foundation

/// A file or folder under a name of its own until it is whole: half of an export looks like a whole one.
package struct UnfinishedOutput {
    /// Where to write meanwhile.
    package let url: URL
    private let target: URL

    /// - Parameter target: the name at the end; nothing may be there, save for an empty folder where a folder is wanted.
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
