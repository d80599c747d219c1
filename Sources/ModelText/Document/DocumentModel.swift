/// What a model file (`.xcdatamodel`) says, all of it: what is not known here is kept as it is.
package struct DocumentModel: Hashable, Sendable {
    package var entities: [DocumentEntity] = []
    package var configurations: [DocumentConfiguration] = []
    package var fetchRequests: [DocumentFetchRequest] = []
    /// Composite types that attributes refer to by name.
    package var composites: [DocumentComposite] = []
    /// `userDefinedModelVersionIdentifier`: a label of this version, for people.
    package var versionIdentifier: String?
    package var sourceLanguage: String?
    package var others = DocumentRest()

    package init() {}

    package func entity(named name: String) -> DocumentEntity? {
        entities.first { $0.name == name }
    }
}

/// Attributes and children of an element that mean nothing to us.
package struct DocumentRest: Hashable, Sendable {
    package var attributes: [String: String] = [:]
    package var children: [MarkupElement] = []

    package init() {}
}

/// Entities that are stored together.
package struct DocumentConfiguration: Hashable, Sendable {
    package var name: String
    package var entityNames: [String]
    package var others = DocumentRest()

    package init(name: String, entityNames: [String]) {
        self.name = name
        self.entityNames = entityNames
    }
}

/// A request kept in the model under a name.
package struct DocumentFetchRequest: Hashable, Sendable {
    package var name: String
    package var entityName: String
    /// As predicates are written.
    package var predicate: String?
    package var options = RequestOptions()
    package var others = DocumentRest()

    package init(name: String, entityName: String, predicate: String? = nil) {
        self.name = name
        self.entityName = entityName
        self.predicate = predicate
    }
}

/// A type of composite attributes.
package struct DocumentComposite: Hashable, Sendable {
    package var name: String
    package var elements: [DocumentAttribute]
    /// The element's name in the file.
    package var elementName = "composite"
    package var others = DocumentRest()

    package init(name: String, elements: [DocumentAttribute]) {
        self.name = name
        self.elements = elements
    }
}
