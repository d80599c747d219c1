import Foundation

/// A copy of a store, beside it, that may be changed in many steps by whoever likes; at the end it takes the store's place
/// in one transaction, or is thrown away.
package final class WorkingCopy {
    /// The copied database.
    package let url: URL
    private let original: URL
    private let folder: URL
    /// Keeps the folder from being taken for an abandoned one.
    private let claim: OpenDescriptor?
    private let busyTimeout: Double
    private let watch: ChangeWatch
    /// The files of large values that the original's rows name, and others that only its folder has.
    private var former: Set<String> = []

    /// Removes what is left of earlier copies whose process was killed.
    /// - Throws: `StoreMigrationError.notEnoughDisk`, `SQLiteError`, what making a folder throws.
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
        // The copy, and then its content in the original's log.
        let needed = try 2 * StoreFileFacts.size(watch.connection)
        if let available = JobEnvironment().freeBytes(original), available < needed {
            throw StoreMigrationError.notEnoughDisk(needed: needed, available: available)
        }
        try watch.connection.copyContent(to: try Connection(.file(url), access: .create))
        let own = ExternalData(storeURL: url)
        try own.take(from: ExternalData(storeURL: original))
        // What else is in a folder that two stores share may be the other's.
        former =
            StoreFiles.neighbours(of: original).isEmpty ? try own.storedFileNames() : try FileReferences.all(at: url)
    }

    /// Puts what the copy holds in the place of what the original holds.
    /// - Throws: `StoreMigrationError.changedMeanwhile`, `ExternalDataError`, `SQLiteError`, what linking files throws; then
    ///   the original is as it was.
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
