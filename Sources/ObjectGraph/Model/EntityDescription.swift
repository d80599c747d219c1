/// The description of one entity by a face, or by a file's cached model: the input of `Model.init`.
package struct EntityDescription: Sendable, Hashable {
    package var name: String
    package var superentityName: String?
    package var isAbstract = false
    /// The entity's own attributes in declared order, without inherited ones.
    package var attributes: [Attribute] = []
    /// The entity's own relationships in declared order, without inherited ones.
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
    /// The elements in order of significance.
    package var elements: [Element]
    /// The condition for an object to be in the index, in the predicate format; `nil` for all. A store that does not
    /// support partial indexes indexes all objects, which finds the same ones.
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
