/// A schema of the typed face that the dynamic face can make a model of. The faces do not import each other: where a program
/// uses both, the schema's class is looked up by its name.
package protocol ModelSource: AnyObject {
    /// - Returns: `nil` if one of the types is not a model class.
    static func source(of types: [Any.Type]) -> (any ModelSource)?
    /// - Throws: an error that describes the fault in the schema.
    func makeModel() throws -> Model
}
