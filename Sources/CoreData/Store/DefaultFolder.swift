import Foundation

/// Where containers put their stores.
enum DefaultFolder {
    static let url: URL = {
        let base =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        return base.appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
    }()

    /// Makes a folder, where it is the default one, for a store that is to be in it. What is wrong then, whoever opens the
    /// store finds out.
    /// - Parameter folder: the default one, but for tests.
    static func prepare(for store: URL?, _ folder: URL = url) {
        guard let store, store.isFileURL,
            store.deletingLastPathComponent().standardizedFileURL.path == folder.standardizedFileURL.path
        else { return }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            CoreDataLog.logger.error("The folder for stores could not be made. \(String(describing: error))")
        }
    }
}
