import Foundation
import ObjectGraph

extension DocumentModel {
    /// - Parameter data: the content of the `contents` file of an `.xcdatamodel`.
    /// - Throws: `DocumentError`.
    package init(xml data: Data) throws(DocumentError) {
        let root: MarkupElement
        do {
            root = try MarkupElement(xml: data)
        } catch {
            throw .markup(error)
        }
        try self.init(root)
    }

    package init(_ root: MarkupElement) throws(DocumentError) {
        guard root.name == "model" else { throw .notAModel(element: root.name) }
        self.init()
        var fields = ElementFields(root)
        versionIdentifier = fields.text("userDefinedModelVersionIdentifier")
        sourceLanguage = fields.text("sourceLanguage")
        let entityElements = fields.children("entity")
        for element in entityElements { entities.append(try DocumentReader.entity(element)) }
        try checkParents(entityElements)
        for element in fields.children("configuration") {
            configurations.append(try DocumentReader.configuration(element))
        }
        for element in fields.children("fetchRequest") {
            fetchRequests.append(try DocumentReader.fetchRequest(element))
        }
        for name in DocumentReader.compositeElements {
            for element in fields.children(name) { composites.append(try DocumentReader.composite(element)) }
        }
        others = fields.others
    }

    /// Rejects unknown parents: without its parent's properties, an entity would differ from the intended one.
    private func checkParents(_ elements: [MarkupElement]) throws(DocumentError) {
        let names = Set(entities.map(\.name))
        for element in elements {
            guard let parent = element.attributes["parentEntity"] else { continue }
            guard names.contains(parent), parent != element.attributes["name"] else {
                throw ElementFields(element).unknown(parent, "parentEntity")
            }
        }
    }
}

/// Parses the elements of model files.
enum DocumentReader {
    /// Element names of composite types.
    static let compositeElements = ["composite", "compositeAttribute"]
    private static let compositeLimit = 16

    static func entity(_ element: MarkupElement) throws(DocumentError) -> DocumentEntity {
        var fields = ElementFields(element)
        var entity = DocumentEntity(try fields.required("name"))
        entity.className = fields.text("representedClassName")
        entity.isAbstract = try fields.flag("isAbstract")
        entity.parentName = fields.text("parentEntity")
        entity.renamingIdentifier = fields.text("elementID")
        entity.versionHashModifier = fields.text("versionHashModifier")
        if let generation = fields.text("codeGenerationType") {
            guard let known = DocumentEntity.CodeGeneration(rawValue: generation) else {
                throw fields.unknown(generation, "codeGenerationType")
            }
            entity.codeGeneration = known
        }
        for child in fields.children("attribute") { entity.attributes.append(try attribute(child, depth: 0)) }
        for child in fields.children("relationship") { entity.relationships.append(try relationship(child)) }
        for child in fields.children("fetchedProperty") {
            entity.fetchedProperties.append(try fetchedProperty(child))
        }
        for child in fields.children("fetchIndex") { entity.indexes.append(try index(child)) }
        entity.uniquenessConstraints = try fields.nameLists(
            "uniquenessConstraints", "uniquenessConstraint", "constraint")
        entity.compoundIndexes = try fields.nameLists("compoundIndexes", "compoundIndex", "index")
        entity.userInfo = try fields.userInfo()
        entity.others = fields.others
        return entity
    }

    // MARK: Properties

    static func attribute(_ element: MarkupElement, depth: Int) throws(DocumentError) -> DocumentAttribute {
        guard depth < compositeLimit else { throw .tooDeep(element: element.name, line: element.line) }
        var fields = ElementFields(element)
        let name = try fields.required("name")
        var attribute = DocumentAttribute(name, try type(&fields))
        attribute.isOptional = try fields.flag("optional")
        attribute.isTransient = try fields.flag("transient")
        try values(of: &attribute, &fields)
        if try fields.flag("derived") { attribute.derivation = try fields.required("derivationExpression") }
        attribute.usesScalarType = try fields.optionalFlag("usesScalarValueType")
        attribute.allowsExternalStorage = try fields.flag("allowsExternalBinaryDataStorage")
        attribute.allowsCloudEncryption = try fields.flag("allowsCloudEncryption")
        attribute.preservesValueOnDeletion = try fields.flag("preserveAfterDeletion")
        attribute.isIndexedBySpotlight = try fields.flag("spotlightIndexingEnabled")
        attribute.isIndexed = try fields.flag("indexed")
        attribute.transformerName = fields.text("valueTransformerName")
        attribute.className = fields.text("customClassName")
        attribute.compositeName = fields.text("composite")
        for child in fields.children("attribute") {
            attribute.elements.append(try self.attribute(child, depth: depth + 1))
        }
        attribute.renamingIdentifier = fields.text("elementID")
        attribute.versionHashModifier = fields.text("versionHashModifier")
        attribute.userInfo = try fields.userInfo()
        attribute.others = fields.others
        return attribute
    }

    private static func type(_ fields: inout ElementFields) throws(DocumentError) -> AttributeType? {
        let text = fields.text("attributeType") ?? AttributeTypeNames.undefined
        if text == AttributeTypeNames.undefined { return nil }
        guard let type = AttributeTypeNames.type(named: text) else { throw fields.unknown(text, "attributeType") }
        return type
    }

    private static func values(
        of attribute: inout DocumentAttribute, _ fields: inout ElementFields
    ) throws(DocumentError) {
        attribute.defaultText = fields.text("defaultValueString")
        attribute.minimumText = fields.text("minValueString")
        attribute.maximumText = fields.text("maxValueString")
        attribute.defaultDate = try fields.seconds("defaultDateTimeInterval")
        attribute.minimumDate = try fields.seconds("minDateTimeInterval")
        attribute.maximumDate = try fields.seconds("maxDateTimeInterval")
        attribute.regularExpression = fields.text("regularExpressionString")
    }

    static func relationship(_ element: MarkupElement) throws(DocumentError) -> DocumentRelationship {
        var fields = ElementFields(element)
        var relationship = DocumentRelationship(
            try fields.required("name"), to: fields.text("destinationEntity"))
        relationship.isOptional = try fields.flag("optional")
        relationship.isTransient = try fields.flag("transient")
        relationship.isToMany = try fields.flag("toMany")
        relationship.isOrdered = try fields.flag("ordered")
        relationship.minimumCount = try fields.count("minCount")
        relationship.maximumCount = try fields.count("maxCount")
        if let rule = fields.text("deletionRule") {
            guard let known = DeleteRuleNames.rule(named: rule) else { throw fields.unknown(rule, "deletionRule") }
            relationship.deleteRule = known
        }
        relationship.inverseName = fields.text("inverseName")
        relationship.inverseEntityName = fields.text("inverseEntity")
        relationship.isIndexedBySpotlight = try fields.flag("spotlightIndexingEnabled")
        relationship.renamingIdentifier = fields.text("elementID")
        relationship.versionHashModifier = fields.text("versionHashModifier")
        relationship.userInfo = try fields.userInfo()
        relationship.others = fields.others
        return relationship
    }

    private static func fetchedProperty(_ element: MarkupElement) throws(DocumentError) -> DocumentFetchedProperty {
        var fields = ElementFields(element)
        var property = DocumentFetchedProperty(try fields.required("name"))
        property.isOptional = try fields.flag("optional")
        if let request = fields.children("fetchRequest").first { property.request = try fetchRequest(request) }
        property.userInfo = try fields.userInfo()
        property.others = fields.others
        return property
    }

    // MARK: Indexes, requests, configurations

    private static func index(_ element: MarkupElement) throws(DocumentError) -> DocumentIndex {
        var fields = ElementFields(element)
        var index = DocumentIndex(name: try fields.required("name"), elements: [])
        for child in fields.children("fetchIndexElement") { index.elements.append(try indexElement(child)) }
        index.partialPredicate = fields.text("partialIndexPredicate")
        index.others = fields.others
        return index
    }

    private static func indexElement(_ element: MarkupElement) throws(DocumentError) -> DocumentIndex.Element {
        var fields = ElementFields(element)
        var part = DocumentIndex.Element(fields.text("property"))
        switch fields.text("type") {
        case nil, "Binary": break
        case "RTree": part.isSpatial = true
        case let other?: throw fields.unknown(other, "type")
        }
        switch fields.text("order") {
        case nil, "ascending": break
        case "descending": part.isAscending = false
        case let other?: throw fields.unknown(other, "order")
        }
        part.others = fields.others
        return part
    }

    static func fetchRequest(_ element: MarkupElement) throws(DocumentError) -> DocumentFetchRequest {
        var fields = ElementFields(element)
        var request = DocumentFetchRequest(
            name: try fields.required("name"), entityName: try fields.required("entity"))
        request.predicate = fields.text("predicateString")
        request.options = try RequestOptions(&fields)
        request.others = fields.others
        return request
    }

    static func configuration(_ element: MarkupElement) throws(DocumentError) -> DocumentConfiguration {
        var fields = ElementFields(element)
        var names: [String] = []
        let name = try fields.required("name")
        for member in fields.children("memberEntity") {
            var memberFields = ElementFields(member)
            names.append(try memberFields.required("name"))
        }
        var configuration = DocumentConfiguration(name: name, entityNames: names)
        configuration.others = fields.others
        return configuration
    }

    static func composite(_ element: MarkupElement) throws(DocumentError) -> DocumentComposite {
        var fields = ElementFields(element)
        var composite = DocumentComposite(name: try fields.required("name"), elements: [])
        for child in fields.children("attribute") { composite.elements.append(try attribute(child, depth: 0)) }
        composite.elementName = element.name
        composite.others = fields.others
        return composite
    }
}
