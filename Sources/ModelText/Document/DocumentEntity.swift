import ObjectGraph

/// What a model file says of an entity; inherited properties are not repeated.
package struct DocumentEntity: Hashable, Sendable {
    package var name: String
    /// With a dot in front: of the module that the model is compiled into.
    package var className: String?
    package var isAbstract = false
    package var parentName: String?
    /// The name in the version before.
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var codeGeneration = CodeGeneration.manual
    package var attributes: [DocumentAttribute] = []
    package var relationships: [DocumentRelationship] = []
    package var fetchedProperties: [DocumentFetchedProperty] = []
    package var indexes: [DocumentIndex] = []
    package var uniquenessConstraints: [[String]] = []
    package var compoundIndexes: [[String]] = []
    package var userInfo: [DocumentUserInfo] = []
    package var others = DocumentRest()

    package init(_ name: String) {
        self.name = name
    }

    /// What Xcode makes of the entity, its "Codegen" setting.
    package enum CodeGeneration: String, Sendable {
        /// Nothing: the classes are written by hand.
        case manual = ""
        /// The class and its properties.
        case classDefinition = "class"
        /// The properties; the class is written by hand.
        case categoryExtension = "category"
    }
}

/// A note.
package struct DocumentUserInfo: Hashable, Sendable {
    package var key: String
    package var value: String

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}

package struct DocumentAttribute: Hashable, Sendable {
    package var name: String
    /// `nil` for an attribute of no type.
    package var type: AttributeType?
    package var isOptional = false
    package var isTransient = false
    /// Numbers as written, Booleans as `YES` or `NO`.
    package var defaultText: String?
    package var minimumText: String?
    package var maximumText: String?
    /// Seconds since 2001-01-01 UTC.
    package var defaultDate: Double?
    package var minimumDate: Double?
    package var maximumDate: Double?
    package var regularExpression: String?
    /// As expressions are written; `nil` for an attribute that is not derived.
    package var derivation: String?
    package var usesScalarType: Bool?
    package var allowsExternalStorage = false
    package var allowsCloudEncryption = false
    package var preservesValueOnDeletion = false
    package var isIndexedBySpotlight = false
    package var isIndexed = false
    package var transformerName: String?
    /// The class of a transformable's values.
    package var className: String?
    /// The type of a composite attribute.
    package var compositeName: String?
    /// Elements of a composite attribute that are written inside it.
    package var elements: [DocumentAttribute] = []
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var userInfo: [DocumentUserInfo] = []
    package var others = DocumentRest()

    package init(_ name: String, _ type: AttributeType?) {
        self.name = name
        self.type = type
    }
}

package struct DocumentRelationship: Hashable, Sendable {
    package var name: String
    package var destinationName: String?
    package var inverseName: String?
    package var inverseEntityName: String?
    package var isOptional = false
    package var isTransient = false
    package var isToMany = false
    package var isOrdered = false
    package var minimumCount: Int?
    package var maximumCount: Int?
    package var deleteRule = DeleteRule.nullify
    package var isIndexedBySpotlight = false
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var userInfo: [DocumentUserInfo] = []
    package var others = DocumentRest()

    package init(_ name: String, to destinationName: String?) {
        self.name = name
        self.destinationName = destinationName
    }
}

package struct DocumentFetchedProperty: Hashable, Sendable {
    package var name: String
    package var isOptional = false
    package var request: DocumentFetchRequest?
    package var userInfo: [DocumentUserInfo] = []
    package var others = DocumentRest()

    package init(_ name: String) {
        self.name = name
    }
}

package struct DocumentIndex: Hashable, Sendable {
    package var name: String
    package var elements: [Element]
    package var partialPredicate: String?
    package var others = DocumentRest()

    package init(name: String, elements: [Element]) {
        self.name = name
        self.elements = elements
    }

    package struct Element: Hashable, Sendable {
        /// A path for an element of a composite; `nil` for an expression.
        package var propertyName: String?
        package var isSpatial = false
        package var isAscending = true
        package var others = DocumentRest()

        package init(_ propertyName: String?) {
            self.propertyName = propertyName
        }
    }
}
