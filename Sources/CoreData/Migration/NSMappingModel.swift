import Foundation
import ObjectGraph

/// How objects of one model become objects of another: made in code, or inferred from the two.
open class NSMappingModel: NSObject {
    /// In the order in which they are run.
    open var entityMappings: [NSEntityMapping]!
    /// Whether it says nothing that the two models do not say themselves.
    final private(set) var isInferred = false

    public override init() {
        entityMappings = []
    }

    /// Compiled mapping models are not read; make one in code.
    /// - Returns: `nil`, always, which the log explains.
    public init?(contentsOf url: URL?) {
        CoreDataLog.logger.error(
            "Mapping models are not read from files ('\(url?.lastPathComponent ?? "")'); make one in code.")
        return nil
    }

    /// As above, for mapping models among resources.
    public init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        CoreDataLog.logger.error("Mapping models are not read from bundles; make one in code, or infer it.")
        return nil
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
