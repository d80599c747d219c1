import Foundation
import SwiftData

/// The location of the store.
struct StoreLocation {
    let configuration: ModelConfiguration
    /// Whether the store does not exist yet.
    let isNew: Bool

    /// - Parameter path: `nil` for a file in the user's application data.
    /// - Throws: `LaunchProblem.noFolder` if the file's folder does not exist and cannot be created.
    init(path: String?, isInMemory: Bool) throws {
        guard !isInMemory else {
            configuration = ModelConfiguration(isStoredInMemoryOnly: true)
            isNew = true
            return
        }
        let file = try path.map { URL(filePath: $0) } ?? Self.usual()
        let folder = file.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw LaunchProblem.noFolder(folder.path)
        }
        isNew = !FileManager.default.fileExists(atPath: file.path)
        configuration = ModelConfiguration(url: file)
    }

    private static func usual() throws -> URL {
        try FileManager.default
            .url(for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
            .appending(path: "Animals/animals.store")
    }
}
