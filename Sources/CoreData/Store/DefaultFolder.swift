import Foundation

/// The default folder of containers' stores.
enum DefaultFolder {
    static let url: URL = {
        let base =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        return base.appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
    }()

    /// Creates the default folder for a store that is to be in it. Errors are logged, and opening the store reports them.
    /// - Parameter folder: the default one, except in tests.
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
