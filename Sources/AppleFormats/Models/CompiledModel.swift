import Foundation
import ObjectGraph

/// A compiled model of a model file or a store: the engine's model, and the other details of the archive.
package struct CompiledModel: Sendable {
    package let model: Model
    package let details: ModelDetails

    /// - Parameter mom: The content of a `.mom` file.
    /// - Throws: `ArchivedModelError`. Unknown classes are skipped.
    package init(mom: Data) throws(ArchivedModelError) {
        try self.init(ArchivedModel.archived(mom))
    }

    /// - Parameter cache: The cell of a store.
    /// - Throws: `ArchivedModelError`.
    package init(cache: Data) throws(ArchivedModelError) {
        try self.init(ArchivedModel.archived(deflated: cache))
    }

    private init(_ archived: ArchivedObject) throws(ArchivedModelError) {
        model = try ArchivedModel.model(of: archived)
        details = ModelDetailsReader(model: model).details(of: archived)
    }
}
