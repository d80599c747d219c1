/// A schema of SwiftData from which CoreData can make a model. These modules do not import each other: if a program
/// uses both, the schema's class is looked up by its name.
package protocol ModelSource: AnyObject {
    /// - Returns: `nil` if one of the types is not a model class.
    static func source(of types: [Any.Type]) -> (any ModelSource)?
    /// - Throws: An error that describes the fault in the schema.
    func makeModel() throws -> Model
}
