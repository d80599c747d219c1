import Foundation

extension ExternalData {
    /// Adds the files of another store's folder that this folder lacks. Files never change, so hard links are used; where
    /// the file system does not support them, the files are copied. A file that is removed meanwhile is skipped, because
    /// nothing refers to it.
    /// - Returns: The names of the added files.
    @discardableResult
    package func take(from source: ExternalData) throws -> [String] {
        var taken: [String] = []
        try take(from: source, &taken)
        return taken
    }

    /// - Parameter taken: Receives the name of each file as soon as it is added.
    func take(from source: ExternalData, _ taken: inout [String]) throws {
        let missing = try source.storedFileNames().subtracting(storedFileNames()).sorted()
        guard !missing.isEmpty else { return }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in missing where try take(name, from: source) { taken.append(name) }
    }

    /// - Returns: Whether the file still existed.
    private func take(_ name: String, from source: ExternalData) throws -> Bool {
        let (from, to) = (source.folder.appendingPathComponent(name), folder.appendingPathComponent(name))
        do {
            try FileManager.default.linkItem(at: from, to: to)
        } catch {
            guard FileManager.default.fileExists(atPath: from.path) else { return false }
            try FileManager.default.copyItem(at: from, to: to)
        }
        return true
    }
}
