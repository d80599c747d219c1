import ObjectGraph

extension DocumentModel {
    /// The text of the `contents` file of an `.xcdatamodel`.
    package var xml: String { element.xml }

    package var element: MarkupElement {
        var fields = WrittenFields(others)
        fields["userDefinedModelVersionIdentifier"] = versionIdentifier
        fields["sourceLanguage"] = sourceLanguage
        var children = entities.map(\.element)
        for configuration in configurations {
            var written = WrittenFields(configuration.others)
            written["name"] = configuration.name
            let members = configuration.entityNames.map { MarkupElement("memberEntity", ["name": $0]) }
            children.append(written.element("configuration", members))
        }
        children += fetchRequests.map(\.element)
        for composite in composites {
            var written = WrittenFields(composite.others)
            written["name"] = composite.name
            children.append(written.element(composite.elementName, composite.elements.map(\.element)))
        }
        return fields.element("model", children)
    }
}

/// The attributes of an element to write; attributes that are `nil` or false are omitted.
private struct WrittenFields {
    private var attributes: [String: String]
    private let rest: [MarkupElement]

    init(_ others: DocumentRest) {
        attributes = others.attributes
        rest = others.children
    }

    subscript(_ key: String) -> String? {
        get { attributes[key] }
        set { if let newValue { attributes[key] = newValue } }
    }

    mutating func mark(_ key: String, _ flag: Bool) {
        if flag { attributes[key] = "YES" }
    }

    func element(_ name: String, _ children: [MarkupElement] = []) -> MarkupElement {
        MarkupElement(name, attributes, children: children + rest)
    }
}

extension DocumentEntity {
    fileprivate var element: MarkupElement {
        var fields = WrittenFields(others)
        fields["name"] = name
        fields["representedClassName"] = className
        fields.mark("isAbstract", isAbstract)
        fields["parentEntity"] = parentName
        fields["elementID"] = renamingIdentifier
        fields["versionHashModifier"] = versionHashModifier
        if codeGeneration != .manual { fields["codeGenerationType"] = codeGeneration.rawValue }
        var children = attributes.map(\.element) + relationships.map(\.element) + fetchedProperties.map(\.element)
        children += indexes.map(\.element)
        children += Self.nameLists(
            uniquenessConstraints, "uniquenessConstraints", "uniquenessConstraint", "constraint")
        children += Self.nameLists(compoundIndexes, "compoundIndexes", "compoundIndex", "index")
        children += userInfo.elements
        return fields.element("entity", children)
    }

    private static func nameLists(
        _ lists: [[String]], _ outer: String, _ inner: String, _ leaf: String
    ) -> [MarkupElement] {
        guard !lists.isEmpty else { return [] }
        let groups = lists.map { names in
            MarkupElement(inner, children: names.map { MarkupElement(leaf, ["value": $0]) })
        }
        return [MarkupElement(outer, children: groups)]
    }
}

extension [DocumentUserInfo] {
    fileprivate var elements: [MarkupElement] {
        isEmpty
            ? []
            : [MarkupElement("userInfo", children: map { MarkupElement("entry", ["key": $0.key, "value": $0.value]) })]
    }
}

extension DocumentAttribute {
    fileprivate var element: MarkupElement {
        var fields = WrittenFields(others)
        fields["name"] = name
        fields["attributeType"] = type.map(AttributeTypeNames.name) ?? AttributeTypeNames.undefined
        fields.mark("optional", isOptional)
        fields.mark("transient", isTransient)
        fields["defaultValueString"] = defaultText
        fields["minValueString"] = minimumText
        fields["maxValueString"] = maximumText
        fields["defaultDateTimeInterval"] = defaultDate.map(Self.text)
        fields["minDateTimeInterval"] = minimumDate.map(Self.text)
        fields["maxDateTimeInterval"] = maximumDate.map(Self.text)
        fields["regularExpressionString"] = regularExpression
        fields.mark("derived", derivation != nil)
        fields["derivationExpression"] = derivation
        fields["usesScalarValueType"] = usesScalarType.map { $0 ? "YES" : "NO" }
        fields.mark("allowsExternalBinaryDataStorage", allowsExternalStorage)
        fields.mark("allowsCloudEncryption", allowsCloudEncryption)
        fields.mark("preserveAfterDeletion", preservesValueOnDeletion)
        fields.mark("spotlightIndexingEnabled", isIndexedBySpotlight)
        fields.mark("indexed", isIndexed)
        fields["valueTransformerName"] = transformerName
        fields["customClassName"] = className
        fields["composite"] = compositeName
        fields["elementID"] = renamingIdentifier
        fields["versionHashModifier"] = versionHashModifier
        return fields.element("attribute", elements.map(\.element) + userInfo.elements)
    }

    /// Formats whole seconds without a fraction, like Xcode.
    private static func text(_ seconds: Double) -> String {
        Int64(exactly: seconds).map(String.init) ?? seconds.description
    }
}

extension DocumentRelationship {
    fileprivate var element: MarkupElement {
        var fields = WrittenFields(others)
        fields["name"] = name
        fields.mark("optional", isOptional)
        fields.mark("transient", isTransient)
        fields.mark("toMany", isToMany)
        fields.mark("ordered", isOrdered)
        fields["minCount"] = minimumCount.map(String.init)
        fields["maxCount"] = maximumCount.map(String.init)
        fields["deletionRule"] = DeleteRuleNames.name(of: deleteRule)
        fields["destinationEntity"] = destinationName
        fields["inverseName"] = inverseName
        fields["inverseEntity"] = inverseEntityName
        fields.mark("spotlightIndexingEnabled", isIndexedBySpotlight)
        fields["elementID"] = renamingIdentifier
        fields["versionHashModifier"] = versionHashModifier
        return fields.element("relationship", userInfo.elements)
    }
}

extension DocumentFetchedProperty {
    fileprivate var element: MarkupElement {
        var fields = WrittenFields(others)
        fields["name"] = name
        fields.mark("optional", isOptional)
        return fields.element("fetchedProperty", (request.map { [$0.element] } ?? []) + userInfo.elements)
    }
}

extension DocumentFetchRequest {
    fileprivate var element: MarkupElement {
        var fields = WrittenFields(others)
        fields["name"] = name
        fields["entity"] = entityName
        fields["predicateString"] = predicate
        for (key, number) in options.numbers { fields[key] = String(number) }
        for (key, flag) in options.flags { fields[key] = flag ? "YES" : "NO" }
        return fields.element("fetchRequest")
    }
}

extension DocumentIndex {
    fileprivate var element: MarkupElement {
        var fields = WrittenFields(others)
        fields["name"] = name
        fields["partialIndexPredicate"] = partialPredicate
        let parts = elements.map { part in
            var written = WrittenFields(part.others)
            written["property"] = part.propertyName
            written["type"] = part.isSpatial ? "RTree" : "Binary"
            written["order"] = part.isAscending ? "ascending" : "descending"
            return written.element("fetchIndexElement")
        }
        return fields.element("fetchIndex", parts)
    }
}
