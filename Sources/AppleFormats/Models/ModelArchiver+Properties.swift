import Foundation
import ObjectGraph

extension ModelArchiver {
    /// The common fields of all kinds of properties.
    private struct Common {
        let name: String
        let renamingIdentifier: String?
        let versionHashModifier: String?
        let isOptional: Bool
        let isTransient: Bool
        var isReadOnly = false
        var hasUserInfo = false

        init(_ attribute: Attribute) {
            name = attribute.name
            renamingIdentifier = attribute.renamingIdentifier
            versionHashModifier = attribute.versionHashModifier
            isOptional = attribute.isOptional
            isTransient = attribute.isTransient
            isReadOnly = attribute.isDerived
            hasUserInfo = attribute.isEnum
        }

        init(_ relationship: Relationship) {
            name = relationship.name
            renamingIdentifier = relationship.renamingIdentifier
            versionHashModifier = relationship.versionHashModifier
            isOptional = relationship.isOptional
            isTransient = relationship.isTransient
        }

        /// Bits derived from real files: 0x02 optional, 0x04 read-only, 0x08 transient; 0x40 no user info, 0x10 and 0x20
        /// no validation. 0x01 and 0x80 are always set there.
        var marks: Int64 {
            (hasUserInfo ? 0xB1 : 0xF1) | (isOptional ? 2 : 0) | (isReadOnly ? 4 : 0) | (isTransient ? 8 : 0)
        }
    }

    private mutating func fields(_ common: Common, in entity: Entity) -> [String: PropertyList] {
        var fields = [
            "NSPropertyName": writer.add(common.name),
            "NSRenamingIdentifier": writer.add(common.renamingIdentifier ?? common.name),
            "NSEntity": entities[entity.index].reference,
            "_P": .integer(common.marks),
        ]
        if common.isOptional { fields["NSIsOptional"] = .boolean(true) }
        if common.isReadOnly { fields["NSIsReadOnly"] = .boolean(true) }
        if common.isTransient { fields["NSIsTransient"] = .boolean(true) }
        if let modifier = common.versionHashModifier { fields["NSVersionHashModifier"] = writer.add(modifier) }
        return fields
    }

    // MARK: Attributes

    mutating func place(of attribute: Attribute, in entity: Entity, isIndexed: Bool) -> PropertyList {
        var fields = self.fields(Common(attribute), in: entity)
        fields["NSAttributeType"] = .integer(Int64(attribute.type.rawValue))
        fields["NSAttributeValueClassName"] = writer.add(attribute.type.valueClassName)
        fields["NSFlagsKey"] = .integer(attribute.archivedFlags)
        fields["NSValueTransformerName"] = writer.add(attribute.transformerName)
        fields["NSDefaultValue"] = writer.defaultValue(of: attribute)
        if isIndexed { fields["NSIsIndexed"] = .boolean(true) }
        if attribute.isEnum { fields["NSUserInfo"] = enumUserInfo(attribute) }
        if let derivation = attribute.derivation {
            fields["NSDerivationExpression"] = expression(derivation)
            fields["NSFilteringPredicate"] = KeyedArchiveWriter.null
            if attribute.derivationFilter != nil { hasGap = true }
            return writer.add(.derivedAttribute, fields)
        }
        guard attribute.type == .composite else { return writer.add(.attribute, fields) }
        let elements = attribute.elements.map { place(of: $0, in: entity, isIndexed: false) }
        fields["NSCompositeElements"] = writer.add(.mutableArray, of: elements)
        return writer.add(.compositeAttribute, fields)
    }

    /// An enum with raw values has one element with the attribute's own name. Any other enum has one element for each
    /// case, and the user info lists the cases.
    private mutating func enumUserInfo(_ attribute: Attribute) -> PropertyList {
        var entries = [(key: "EnumType", value: writer.add(scalar: .boolean(true)))]
        let names = attribute.elements.map(\.name)
        if !names.isEmpty, names != [attribute.name] {
            let cases = names.map { writer.add($0) }
            entries.append((key: "enum", value: writer.add(.array, of: cases)))
        }
        return writer.add(.dictionary, of: entries)
    }

    // MARK: Relationships

    mutating func fill(_ place: KeyedArchiveWriter.Place, with end: EntityRelationship, in entity: Entity) {
        let relationship = end.relationship
        var fields = self.fields(Common(relationship), in: entity)
        fields["NSDestinationEntity"] = entities[end.destinationIndex].reference
        fields["_NSDestinationEntityName"] = writer.add(relationship.destinationName)
        fields["NSInverseRelationship"] =
            end.inverseIndex.map { relationships[end.destinationIndex][$0].reference } ?? KeyedArchiveWriter.null
        fields["_NSInverseRelationshipName"] = writer.add(relationship.inverseName)
        fields["NSDeleteRule"] = .integer(Int64(relationship.deleteRule.rawValue))
        fields["NSMinCount"] = .integer(Int64(relationship.minimumCount))
        fields["NSMaxCount"] = .integer(Int64(relationship.maximumCount))
        if relationship.isOrdered { fields["NSIsOrdered"] = .boolean(true) }
        writer.fill(place, .relationship, fields)
    }
}

extension Attribute {
    /// 4: external storage is allowed. 16: values are preserved on deletion.
    fileprivate var archivedFlags: Int64 {
        (allowsExternalStorage ? 4 : 0) | (preservesValueOnDeletion ? 16 : 0)
    }
}

extension AttributeType {
    /// The class of the values; a transformable's class is known only to the app.
    fileprivate var valueClassName: String? {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "NSString"
        case .date: "NSDate"
        case .binary: "NSData"
        case .uuid: "NSUUID"
        case .uri: "NSURL"
        case .composite: "NSDictionary"
        case .transformable: nil
        }
    }
}
