import Foundation
import ObjectGraph

/// A mapping model that describes how objects of one model become objects of another: made in code, read from a file, or
/// inferred from the two models.
///
/// Files are Xcode's (`.xcmappingmodel`) or compiled from them (`.cdm`). A Swift package copies the former unchanged, beside
/// the versions of the model:
///
/// ```swift
/// resources: [.copy("Zoo.xcdatamodeld"), .copy("Zoo1to2.xcmappingmodel")]
/// ```
///
/// Mappings that such a file leaves out (properties that keep their names, the new objects of related ones) follow from the
/// versions that it names.
nonisolated open class NSMappingModel: NSObject {
    /// The mappings of the entities, in the order in which they are run.
    open var entityMappings: [NSEntityMapping]!
    /// Whether the mapping model was inferred from the two models.
    final private(set) var isInferred = false

    /// Creates a mapping model without mappings.
    public override init() {
        entityMappings = []
    }

    /// Creates the mapping model in a file: compiled (`.cdm`), or as Xcode writes it (`.xcmappingmodel`).
    ///
    /// The versions of the model that the latter names are looked up beside the file, and among the resources of the program.
    /// If they are not found, the mappings have no version hashes, and properties keep their values if the source has a
    /// property with the name.
    /// - Parameter url: the URL of the file.
    /// - Returns: `nil` for a file that cannot be read; the reason is logged.
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

    /// Creates the mapping model that leads from one model to another, from those among the resources of bundles.
    ///
    /// Compiled mapping models state their entities by version hashes. For others, the versions that they name must be the two
    /// models; a file whose versions are not among the resources is used if all names in it are in the models.
    /// - Parameters:
    ///   - bundles: the bundles; `nil` for those of the program and its targets.
    ///   - sourceModel: the older model.
    ///   - destinationModel: the newer model.
    /// - Returns: `nil` if there is no such mapping model.
    public init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel else { return nil }
        let models = MappingResolution.Models(source: sourceModel, destination: destinationModel)
        guard let found = MappingFile.mappings(models, in: bundles ?? ModelFile.programBundles) else { return nil }
        entityMappings = found
    }

    /// The mappings of the entities by name.
    open var entityMappingsByName: [String: NSEntityMapping] {
        Dictionary((entityMappings ?? []).compactMap { mapping in mapping.name.map { ($0, mapping) } }) { first, _ in
            first
        }
    }

    /// Returns the mapping model that a lightweight migration between two models follows.
    /// - Parameters:
    ///   - sourceModel: the older model.
    ///   - destinationModel: the newer model.
    /// - Throws: `CocoaError` 134190 for a change that cannot be inferred; its text names entity and property.
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

    /// What a migration follows, to compare mapping models.
    final var contents: [[String]] { (entityMappings ?? []).map(\.contents) }
}

extension NSEntityMapping {
    fileprivate final var contents: [String] {
        let names = [name, sourceEntityName, destinationEntityName, entityMigrationPolicyClassName].map { $0 ?? "" }
        let properties = [attributeMappings, relationshipMappings].flatMap { mappings in
            [""] + (mappings ?? []).flatMap { [$0.name ?? "", $0.valueExpression?.description ?? ""] }
        }
        return names + ["\(mappingType)", sourceExpression?.description ?? ""] + properties
    }
}
