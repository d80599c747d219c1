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
    /// In order of weight.
    package var elements: [Element]
    /// The objects that are in the index, in the predicate format; `nil` for all. A store that cannot have an index of
    /// just these has one of all, which finds the same objects.
    package var condition: String?

    package struct Element: Sendable, Hashable {
        package var propertyName: String
        package var isAscending: Bool

        package init(_ propertyName: String, ascending: Bool = true) {
            self.propertyName = propertyName
            isAscending = ascending
        }
    }

    package init(name: String, elements: [Element], condition: String? = nil) {
        self.name = name
        self.elements = elements
        self.condition = condition
    }

    package init(name: String, propertyNames: [String]) {
        self.init(name: name, elements: propertyNames.map { Element($0) })
    }

    package var propertyNames: [String] { elements.map(\.propertyName) }
}
