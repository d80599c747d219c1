import Foundation

extension ExternalData {
    /// Brings the files here that another store's folder has and this one has not. They never change, so that two names for
    /// one file do; where the file system cannot have that, they are copied. A file that goes meanwhile is nobody's.
    /// - Returns: their names.
    @discardableResult
    package func take(from source: ExternalData) throws -> [String] {
        var taken: [String] = []
        try take(from: source, &taken)
        return taken
    }

    /// - Parameter taken: gets the name of each file as soon as it is here.
    func take(from source: ExternalData, _ taken: inout [String]) throws {
        let missing = try source.storedFileNames().subtracting(storedFileNames()).sorted()
        guard !missing.isEmpty else { return }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in missing where try take(name, from: source) { taken.append(name) }
    }

    /// - Returns: whether the file was still there.
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
