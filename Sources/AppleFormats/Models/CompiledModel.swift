import Foundation
import ObjectGraph

/// A model as a compiler of model files left it, or as a store keeps it: what the engine needs, and the rest of what the
/// archive says.
package struct CompiledModel: Sendable {
    package let model: Model
    package let details: ModelDetails

    /// - Parameter mom: the content of a `.mom` file.
    /// - Throws: `ArchivedModelError`. Classes that are not known are passed over.
    package init(mom: Data) throws(ArchivedModelError) {
        try self.init(ArchivedModel.archived(mom))
    }

    /// - Parameter cache: the cell of a store.
    /// - Throws: `ArchivedModelError`.
    package init(cache: Data) throws(ArchivedModelError) {
        try self.init(ArchivedModel.archived(deflated: cache))
    }

    private init(_ archived: ArchivedObject) throws(ArchivedModelError) {
        model = try ArchivedModel.model(of: archived)
        details = ModelDetailsReader(model: model).details(of: archived)
    }
}
