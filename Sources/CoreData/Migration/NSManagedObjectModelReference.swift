import Foundation
import ObjectGraph

/// A reference to a version of a model, which is given or looked up, with the checksum that the model must have.
///
/// ```swift
/// let first = NSManagedObjectModelReference(model: zoo1, versionChecksum: zoo1.versionChecksum)
/// ```
nonisolated open class NSManagedObjectModelReference: NSObject, @unchecked Sendable {
    // Constants; the model is resolved once, under a lock.

    /// The checksum of the model's version hashes, from `NSManagedObjectModel.versionChecksum`.
    public let versionChecksum: String
    private let find: @Sendable () -> NSManagedObjectModel?
    private let found = Locked<NSManagedObjectModel?>(nil)

    /// Creates a reference to a given model.
    /// - Parameters:
    ///   - model: the model, which must not be changed from here on.
    ///   - versionChecksum: the checksum that it must have.
    public init(model: NSManagedObjectModel, versionChecksum: String) {
        self.versionChecksum = versionChecksum
        let held = HeldModel(model: model)
        find = { held.model }
    }

    /// Creates a reference to the version with a checksum in a model's file.
    /// - Parameters:
    ///   - fileURL: the URL of the file.
    ///   - versionChecksum: the checksum.
    public init(fileURL: URL, versionChecksum: String) {
        self.versionChecksum = versionChecksum
        find = { ModelFile.models(at: fileURL).first { $0.versionChecksum == versionChecksum } }
    }

    /// Creates a reference to the model with given version hashes among the resources of a bundle.
    /// - Parameters:
    ///   - versionHashes: the version hashes of the entities by name.
    ///   - bundle: the bundle; `nil` for those of the program and its targets.
    ///   - versionChecksum: the checksum that the model must have.
    public init(entityVersionHashes versionHashes: [String: Data], in bundle: Bundle?, versionChecksum: String) {
        self.versionChecksum = versionChecksum
        find = {
            ModelFile.models(in: bundle).first { $0.entityVersionHashesByName == versionHashes }
        }
    }

    /// Creates a reference to the model with a name among the resources of a bundle: that of a file, or of a version in a file.
    /// - Parameters:
    ///   - modelName: the name.
    ///   - bundle: the bundle; `nil` for those of the program and its targets.
    ///   - versionChecksum: the checksum that the model must have.
    public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
        self.versionChecksum = versionChecksum
        find = {
            let models = ModelFile.models(in: bundle, named: modelName)
            return models.first { $0.versionChecksum == versionChecksum } ?? models.first
        }
    }

    /// The model. If it is not found, or has another checksum, this is logged and an empty model is returned; a migration that
    /// needs the model throws 134504.
    open var resolvedModel: NSManagedObjectModel {
        if let model = resolved() { return model }
        CoreDataLog.logger.error("No model with the version checksum \(versionChecksum) was found.")
        return NSManagedObjectModel()
    }

    /// - Returns: `nil` if there is no such model.
    final func resolved() -> NSManagedObjectModel? {
        found.withLock { found in
            if found == nil { found = find().flatMap { $0.versionChecksum == versionChecksum ? $0 : nil } }
            return found
        }
    }

    /// - Throws: `CocoaError` 134504.
    final func required() throws -> NSManagedObjectModel {
        guard let model = resolved() else {
            throw CocoaError(
                .managedObjectModelReferenceNotFound,
                text: "No model with the version checksum \(versionChecksum) was found; give the reference that model.")
        }
        return model
    }
}

/// A model that a closure retains.
private struct HeldModel: @unchecked Sendable {
    // A referenced model must not change, because its checksum would differ.
    let model: NSManagedObjectModel
}

extension ModelFile {
    /// All versions in a file; an empty array for a file that cannot be read, which is logged.
    static func models(at url: URL) -> [NSManagedObjectModel] {
        do {
            return try ModelFile(contentsOf: url).versions.sorted { $0.key < $1.key }.map(\.value)
        } catch {
            CoreDataLog.logger.error("There is no model in '\(url.lastPathComponent)': \(String(describing: error))")
            return []
        }
    }

    /// - Parameters:
    ///   - bundle: the bundle; `nil` for those of the program.
    ///   - name: the name of the file, or of a version in it; `nil` for all.
    static func models(in bundle: Bundle?, named name: String? = nil) -> [NSManagedObjectModel] {
        let bundles = bundle.map { [$0] } ?? programBundles
        return bundles.flatMap(urls).flatMap { url -> [NSManagedObjectModel] in
            guard let name, url.deletingPathExtension().lastPathComponent != name else { return models(at: url) }
            return ((try? ModelFile(contentsOf: url))?.versions[name]).map { [$0] } ?? []
        }
    }
}
