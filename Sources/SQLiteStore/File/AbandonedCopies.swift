import Foundation

/// Folders of copies whose process was killed before it could remove them.
///
/// Each folder has a file that its process holds a lock on, which the system gives up with the process: a folder whose
/// lock can be had is nobody's. Numbers of processes would not do: they are used again, and containers that share a
/// folder each count their own.
enum AbandonedCopies {
    private static let claimName = ".claim"
    /// Between making a folder and claiming it there is a moment in which it looks abandoned.
    private static let youngest: TimeInterval = 60

    /// - Returns: what holds the folder as long as it lives; `nil` where the file cannot be made.
    static func claim(_ folder: URL) -> OpenDescriptor? {
        guard let file = OpenDescriptor(making: folder.appendingPathComponent(claimName)) else { return nil }
        return isFree(file) ? file : nil
    }

    /// Removes those of this user.
    /// - Parameter prefix: what the names of such folders begin with.
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
