import ObjectGraph

/// An entity as a model file describes it. Inherited properties are not repeated.
package struct DocumentEntity: Hashable, Sendable {
    package var name: String
    /// A leading dot stands for the module that the model is compiled into.
    package var className: String?
    package var isAbstract = false
    package var parentName: String?
    /// The name in the previous version.
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

    /// The entity's "Codegen" setting in Xcode.
    package enum CodeGeneration: String, Sendable {
        /// No generated code: class and properties are written by hand.
        case manual = ""
        /// Class and properties are generated.
        case classDefinition = "class"
        /// Properties are generated; the class is written by hand.
        case categoryExtension = "category"
    }
}

/// An entry of the user info dictionary.
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
    /// `nil` for an attribute without a type.
    package var type: AttributeType?
    package var isOptional = false
    package var isTransient = false
    /// Numbers as text, Booleans as `YES` or `NO`.
    package var defaultText: String?
    package var minimumText: String?
    package var maximumText: String?
    /// Seconds since 2001-01-01 UTC.
    package var defaultDate: Double?
    package var minimumDate: Double?
    package var maximumDate: Double?
    package var regularExpression: String?
    /// The derivation expression as text; `nil` for an attribute that is not derived.
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
    /// The name of a composite attribute's type.
    package var compositeName: String?
    /// Elements of a composite attribute that are declared inline.
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
        /// The property's name, or a key path for an element of a composite; `nil` for an expression.
        package var propertyName: String?
        package var isSpatial = false
        package var isAscending = true
        package var others = DocumentRest()

        package init(_ propertyName: String?) {
            self.propertyName = propertyName
        }
    }
}
