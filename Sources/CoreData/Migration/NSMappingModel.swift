import Foundation
import ObjectGraph

/// How objects of one model become objects of another: made in code, read from a file, or inferred from the two.
///
/// Files are Xcode's (`.xcmappingmodel`) or compiled from them (`.cdm`). A Swift package ships the former as it is, beside
/// the versions of the model:
///
/// ```swift
/// resources: [.copy("Zoo.xcdatamodeld"), .copy("Zoo1to2.xcmappingmodel")]
/// ```
///
/// What such a file leaves to its models (properties that keep their names, what became of related objects) follows from
/// the versions that it names.
nonisolated open class NSMappingModel: NSObject {
    /// In the order in which they are run.
    open var entityMappings: [NSEntityMapping]!
    /// Whether it says nothing that the two models do not say themselves.
    final private(set) var isInferred = false

    public override init() {
        entityMappings = []
    }

    /// The mapping model in a file: compiled (`.cdm`), or as Xcode writes it (`.xcmappingmodel`). The versions of the model
    /// that the latter names are looked for beside it, and among the resources of the program. Where they are not there,
    /// the mappings have no version hashes, and properties keep their values where the source has one of the name.
    ///
    /// `nil` for a file that cannot be read; the log says why.
    public init?(contentsOf url: URL?) {
        guard let url else { return nil }
        do {
            let folder = url.absoluteURL.deletingLastPathComponent()
            let models = ModelFile.urls(inFolder: folder) + ModelFile.programBundles.flatMap(ModelFile.urls)
            entityMappings = try MappingFile(contentsOf: url).mappings(ModelVersions(models))
        } catch {
            MappingFile.unreadable(url, error)
            return nil
        }
    }

    /// The mapping model, out of those among the resources of the bundles, that leads from the one model to the other.
    ///
    /// Compiled ones say for which entities they are by version hashes. Of others the versions that they name must be the
    /// models; those whose versions are not among the resources are taken when everything they name is in the models.
    /// `nil` when there is none.
    /// - Parameter bundles: those of the program and its targets without any.
    public init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel else { return nil }
        let models = MappingResolution.Models(source: sourceModel, destination: destinationModel)
        guard let found = MappingFile.mappings(models, in: bundles ?? ModelFile.programBundles) else { return nil }
        entityMappings = found
    }

    open var entityMappingsByName: [String: NSEntityMapping] {
        Dictionary((entityMappings ?? []).compactMap { mapping in mapping.name.map { ($0, mapping) } }) { first, _ in
            first
        }
    }

    /// The mapping that a lightweight migration follows.
    /// - Throws: `CocoaError` 134190 for a change that the models do not explain; its text names entity and property.
    open class func inferredMappingModel(
        forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        do {
            let inferred = try InferredMapping(from: sourceModel.compiled(), to: destinationModel.compiled())
            let model = NSMappingModel()
            model.isInferred = true
            model.entityMappings = InferredEntityMappings(inferred).all
            return model
        } catch {
            throw CocoaError(
                .inferredMappingModel, text: String(describing: error), userInfo: [NSUnderlyingErrorKey: error])
        }
    }
}
