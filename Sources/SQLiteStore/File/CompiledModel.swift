import Foundation
import ObjectGraph

/// A model as a compiler of model files left it, or as a store keeps it: what the engine needs, and the rest of what the
/// archive says.
package struct CompiledModel: Sendable {
    package let model: Model
    package let details: ModelDetails

    /// - Parameter mom: the content of a `.mom` file.
    /// - Throws: `ModelCacheError`. Classes that are not known are passed over.
    package init(mom: Data) throws(ModelCacheError) {
        try self.init(ModelCache.archivedModel(uncompressed: mom))
    }

    /// - Parameter cache: the cell of a store.
    /// - Throws: `ModelCacheError`.
    package init(cache: Data) throws(ModelCacheError) {
        try self.init(ModelCache.archivedModel(cache))
    }

    private init(_ archived: ArchivedObject) throws(ModelCacheError) {
        model = try ModelCache.model(of: archived)
        details = ModelDetailsReader(model: model).details(of: archived)
    }
}
