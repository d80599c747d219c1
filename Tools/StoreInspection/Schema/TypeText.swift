import ObjectGraph

/// Descriptions of types and rules.
package enum TypeText {
    package static func text(_ attribute: Attribute) -> String {
        let name = name(attribute)
        return attribute.isOptional ? name + "?" : name
    }

    private static func name(_ attribute: Attribute) -> String {
        switch attribute.type {
        case .integer16: "Int16"
        case .integer32: "Int32"
        case .integer64: "Int64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Bool"
        case .date: "Date"
        case .binary: "Data"
        case .uuid: "UUID"
        case .uri: "URL"
        case .transformable: "Transformable"
        case .composite: attribute.isEnum ? "enum" : "struct"
        }
    }

    package static func text(_ rule: DeleteRule) -> String {
        switch rule {
        case .noAction: "no action"
        case .nullify: "nullify"
        case .cascade: "cascade"
        case .deny: "deny"
        }
    }

    /// `to one`, `to many`, `ordered to many, 1 to 10000`.
    package static func cardinality(_ relationship: Relationship) -> String {
        guard relationship.cardinality == .toMany else { return "to one" }
        let counts: String? =
            switch (relationship.minimumCount, relationship.maximumCount) {
            case (0, ...0): nil
            case (let least, ...0): "at least \(least)"
            case (0, let most): "at most \(most)"
            case (let least, let most): "\(least) to \(most)"
            }
        return (relationship.isOrdered ? "ordered to many" : "to many") + (counts.map { ", " + $0 } ?? "")
    }

    /// Further characteristics of an attribute.
    package static func remarks(_ attribute: Attribute) -> [String] {
        var remarks: [String] = []
        if attribute.isTransient { remarks.append("transient") }
        if let derivation = attribute.derivation { remarks.append("derived from \(derivation)") }
        if attribute.allowsExternalStorage { remarks.append("external storage") }
        if attribute.preservesValueOnDeletion { remarks.append("kept in history") }
        if let name = attribute.renamingIdentifier { remarks.append("was '\(name)'") }
        if let name = attribute.transformerName { remarks.append(name) }
        return remarks
    }
}
