/// The complete content of a model file (`.xcdatamodel`). Unknown parts are preserved.
package struct DocumentModel: Hashable, Sendable {
    package var entities: [DocumentEntity] = []
    package var configurations: [DocumentConfiguration] = []
    package var fetchRequests: [DocumentFetchRequest] = []
    /// Composite types that attributes refer to by name.
    package var composites: [DocumentComposite] = []
    /// `userDefinedModelVersionIdentifier`: a label for this version.
    package var versionIdentifier: String?
    package var sourceLanguage: String?
    package var others = DocumentRest()

    package init() {}

    package func entity(named name: String) -> DocumentEntity? {
        entities.first { $0.name == name }
    }
}

/// Unknown attributes and children of an element.
package struct DocumentRest: Hashable, Sendable {
    package var attributes: [String: String] = [:]
    package var children: [MarkupElement] = []

    package init() {}
}

/// A named configuration with its entities.
package struct DocumentConfiguration: Hashable, Sendable {
    package var name: String
    package var entityNames: [String]
    package var others = DocumentRest()

    package init(name: String, entityNames: [String]) {
        self.name = name
        self.entityNames = entityNames
    }
}

/// A named fetch request of the model.
package struct DocumentFetchRequest: Hashable, Sendable {
    package var name: String
    package var entityName: String
    /// The predicate in the format language.
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
