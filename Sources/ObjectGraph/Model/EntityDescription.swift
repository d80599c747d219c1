/// What a face, or a file's cached model, says of one entity: the input of `Model.init`.
package struct EntityDescription: Sendable, Hashable {
    package var name: String
    package var superentityName: String?
    package var isAbstract = false
    /// The entity's own attributes in declared order; inherited ones are not repeated.
    package var attributes: [Attribute] = []
    /// The entity's own relationships in declared order; inherited ones are not repeated.
    package var relationships: [Relationship] = []
    /// Each constraint is a list of property names, own or inherited.
    package var uniquenessConstraints: [[String]] = []
    package var indexes: [FetchIndex] = []
    package var versionHashModifier: String?
    package var renamingIdentifier: String?

    package init(_ name: String, superentity: String? = nil) {
        self.name = name
        self.superentityName = superentity
    }
}

/// An index declared in the model.
package struct FetchIndex: Sendable, Hashable {
    package var name: String
    package var propertyNames: [String]

    package init(name: String, propertyNames: [String]) {
        self.name = name
        self.propertyNames = propertyNames
    }
}
