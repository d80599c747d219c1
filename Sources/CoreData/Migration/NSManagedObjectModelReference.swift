import Foundation
import ObjectGraph

/// A version of a model, at hand or to be looked for, with the checksum that it must have.
///
/// ```swift
/// let first = NSManagedObjectModelReference(model: zoo1, versionChecksum: zoo1.versionChecksum)
/// ```
nonisolated open class NSManagedObjectModelReference: NSObject, @unchecked Sendable {
    // Constants; the model is resolved once, under a lock.

    /// The checksum of the model's version hashes, as `NSManagedObjectModel.versionChecksum` gives it.
    public let versionChecksum: String
    private let find: @Sendable () -> NSManagedObjectModel?
    private let found = Locked<NSManagedObjectModel?>(nil)

    public init(model: NSManagedObjectModel, versionChecksum: String) {
        self.versionChecksum = versionChecksum
        let held = HeldModel(model: model)
        find = { held.model }
    }

    /// A model in a file; of several versions, the one with the checksum.
    public init(fileURL: URL, versionChecksum: String) {
        self.versionChecksum = versionChecksum
        find = { ModelFile.models(at: fileURL).first { $0.versionChecksum == versionChecksum } }
    }

    /// The model, among the resources of a bundle, whose entities have these version hashes.
    public init(entityVersionHashes versionHashes: [String: Data], in bundle: Bundle?, versionChecksum: String) {
        self.versionChecksum = versionChecksum
        find = {
            ModelFile.models(in: bundle).first { $0.entityVersionHashesByName == versionHashes }
        }
    }

    /// The model of that name among the resources of a bundle: a file's, or a version's within one.
    public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
        self.versionChecksum = versionChecksum
        find = {
            let models = ModelFile.models(in: bundle, named: modelName)
            return models.first { $0.versionChecksum == versionChecksum } ?? models.first
        }
    }

    /// The model. One that cannot be found, or that has another checksum, is without entities; the log says so, and a
    /// migration that needs it fails with 134504.
    open var resolvedModel: NSManagedObjectModel {
        if let model = resolved() { return model }
        CoreDataLog.logger.error("No model with the version checksum \(versionChecksum) was found.")
        return NSManagedObjectModel()
    }

    /// - Returns: `nil` where there is no such model.
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

/// A model that a closure keeps.
private struct HeldModel: @unchecked Sendable {
    // A model that is referred to is not changed any more: its checksum would be another one.
    let model: NSManagedObjectModel
}

extension ModelFile {
    /// Every version in a file; none in one that cannot be read, which the log tells of.
    static func models(at url: URL) -> [NSManagedObjectModel] {
        do {
            return try ModelFile(contentsOf: url).versions.sorted { $0.key < $1.key }.map(\.value)
        } catch {
            CoreDataLog.logger.error("There is no model in '\(url.lastPathComponent)': \(String(describing: error))")
            return []
        }
    }

    /// - Parameters:
    ///   - bundle: `nil` for those of the program.
    ///   - name: of the file, or of a version in it; `nil` for all.
    static func models(in bundle: Bundle?, named name: String? = nil) -> [NSManagedObjectModel] {
        let bundles = bundle.map { [$0] } ?? programBundles
        return bundles.flatMap(urls).flatMap { url -> [NSManagedObjectModel] in
            guard let name, url.deletingPathExtension().lastPathComponent != name else { return models(at: url) }
            return ((try? ModelFile(contentsOf: url))?.versions[name]).map { [$0] } ?? []
        }
    }
}
