import Foundation

/// Folders of private copies whose process was killed before it could remove them.
///
/// Each folder has a file that its process locks. The system releases the lock when the process ends, so a folder whose
/// lock is free is abandoned. Process numbers cannot be used for this: they are reused, and containers that share a
/// folder have separate ones.
enum AbandonedCopies {
    private static let claimName = ".claim"
    /// A folder looks abandoned for a moment between its creation and its claim.
    private static let youngest: TimeInterval = 60

    /// - Returns: A descriptor that claims the folder as long as it lives; `nil` if the file cannot be made.
    static func claim(_ folder: URL) -> OpenDescriptor? {
        guard let file = OpenDescriptor(making: folder.appendingPathComponent(claimName)) else { return nil }
        return isFree(file) ? file : nil
    }

    /// Removes abandoned folders of the current user.
    /// - Parameter prefix: The prefix of such folders' names.
    static func sweep(_ parent: URL, _ prefix: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let folder = parent.appendingPathComponent(name, isDirectory: true)
            if isAbandoned(folder) { try? FileManager.default.removeItem(at: folder) }
        }
    }

    private static func isAbandoned(_ folder: URL) -> Bool {
        var status = stat()
        guard lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            let made = try? FileManager.default.attributesOfItem(atPath: folder.path)[.modificationDate] as? Date,
            Date().timeIntervalSince(made) > youngest,
            let file = OpenDescriptor(reading: folder.appendingPathComponent(claimName))
        else { return false }
        return isFree(file)
    }

    private static func isFree(_ file: OpenDescriptor) -> Bool { flock(file.number, LOCK_EX | LOCK_NB) == 0 }
}
