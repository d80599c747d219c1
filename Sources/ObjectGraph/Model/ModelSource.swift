/// What one face knows about a model, for the other one. The faces do not import each other; where a program uses both, the
/// typed one's schema is looked up by the name of its class.
package protocol ModelSource: AnyObject {
    /// - Returns: `nil` where one of the types is no class of a model.
    static func source(of types: [Any.Type]) -> (any ModelSource)?
    /// - Throws: what is wrong with the schema.
    func makeModel() throws -> Model
}
