import AppleFormats
import ObjectGraph
import SQLiteStore

/// The versions of an app's model. A file was written with one of them.
package struct ModelVersions: Sendable {
    /// The model's name in messages, which is its path.
    package let name: String
    package let versions: [Version]
    package let currentVersion: String

    package struct Version: Sendable {
        package let name: String
        package let model: Model

        package init(name: String, model: Model) {
            self.name = name
            self.model = model
        }
    }

    package init(name: String, versions: [Version], currentVersion: String) {
        self.name = name
        self.versions = versions
        self.currentVersion = currentVersion
    }

    package var current: Version? { versions.first { $0.name == currentVersion } }

    /// Returns the version whose hashes match those of the file. If the file has no hashes, returns the only version.
    /// - Throws: `InspectionError.noFittingVersion`.
    func model(for metadata: StoreMetadata, of path: String) throws -> Model {
        let stored = metadata.versionHashes
        let fitting = versions.first { stored.isEmpty ? versions.count == 1 : $0.model.versionHashes == stored }
        guard let fitting else {
            throw InspectionError.noFittingVersion(path, model: name, versions: versions.map(\.name))
        }
        return fitting.model
    }
}
