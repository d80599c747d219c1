import Foundation
import SwiftData

/// Store files: made by the library, copied for each measurement, removed with their accompanying files.
public enum StoreFile {
    public static func container(_ types: [any PersistentModel.Type], at path: String) throws -> ModelContainer {
        let schema = Schema(types)
        let configuration = ModelConfiguration(schema: schema, url: URL(fileURLWithPath: path))
        return try ModelContainer(for: schema, configurations: [configuration])
    }

    /// A copy of a file that no process has open, written to disk, not only to the cache.
    public static func copy(_ source: String, to destination: String) throws {
        remove(destination)
        try FileManager.default.copyItem(atPath: source, toPath: destination)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: destination))
        try file.synchronize()
        try file.close()
    }

    public static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }
}
