import Foundation
import ObjectGraph

/// A copy of a store, beside it, that code may change in many steps. At the end it replaces the store in one transaction,
/// or is discarded.
package final class WorkingCopy {
    /// The copied database.
    package let url: URL
    private let original: URL
    private let folder: URL
    /// Marks the folder as in use, so that it does not count as abandoned.
    private let claim: OpenDescriptor?
    private let busyTimeout: Double
    private let watch: ChangeWatch
    /// The external files that belong to the original. If two stores share its folder, only those that its rows refer to.
    private var former: Set<String> = []

    /// Removes copies of earlier processes that were killed.
    /// - Throws: `StoreMigrationError.notEnoughDisk`, `SQLiteError`, and errors from making a folder.
    package init(of original: URL, busyTimeout: Double = 10) throws {
        self.original = original
        self.busyTimeout = busyTimeout
        let parent = original.deletingLastPathComponent()
        let prefix = ".\(original.deletingPathExtension().lastPathComponent)_MIGRATION-"
        AbandonedCopies.sweep(parent, prefix)
        folder = parent.appendingPathComponent(prefix + UUID().uuidString, isDirectory: true)
        url = folder.appendingPathComponent(original.lastPathComponent)
        watch = try ChangeWatch(original, busyTimeout: busyTimeout)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        claim = AbandonedCopies.claim(folder)
        do {
            try fill()
        } catch {
            remove()
            throw error
        }
    }

    deinit { remove() }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    private func fill() throws {
        // Room for the copy, and later for its content in the original's log.
        let needed = try 2 * watch.connection.databaseSize()
        if let available = JobEnvironment().freeBytes(original), available < needed {
            throw StoreMigrationError.notEnoughDisk(needed: needed, available: available)
        }
        try watch.connection.copyContent(to: try Connection(.file(url), access: .create))
        let own = ExternalData(storeURL: url)
        try own.take(from: ExternalData(storeURL: original))
        // Other files in a shared folder may belong to the other store.
        former =
            StoreFiles.neighbours(of: original).isEmpty ? try own.storedFileNames() : try FileReferences.all(at: url)
    }

    /// Replaces the original's content by the copy's.
    /// - Throws: `StoreMigrationError.changedMeanwhile`, `ExternalDataError`, `SQLiteError`, and errors from linking
    ///   files; then the original is unchanged.
    package func replaceOriginal() throws {
        let (own, others) = (ExternalData(storeURL: url), ExternalData(storeURL: original))
        let made = try others.take(from: own)
        do {
            if !made.isEmpty { try others.synchronizeFolder() }
            let target = try Connection(.file(original), access: .readWrite)
            target.busyTimeout = busyTimeout
            try target.withDurableCommits {
                try Connection(.file(url), access: .readOnly).copyContent(to: target) {
                    guard try !watch.hasChanged() else { throw StoreMigrationError.changedMeanwhile }
                }
            }
        } catch {
            others.remove(made)
            throw error
        }
        others.removeUnreferenced(former.subtracting(try own.storedFileNames()))
    }
}
