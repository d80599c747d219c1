import ObjectGraph

/// How model files spell the types of attributes.
package enum AttributeTypeNames {
    package static let undefined = "Undefined"

    package static func type(named name: String) -> AttributeType? {
        AttributeType.allCases.first { self.name(of: $0) == name }
    }

    package static func name(of type: AttributeType) -> String {
        switch type {
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binary: "Binary"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .composite: "Composite"
        }
    }
}

/// How model files spell delete rules.
package enum DeleteRuleNames {
    package static func rule(named name: String) -> DeleteRule? {
        DeleteRule.allCases.first { self.name(of: $0) == name }
    }

    package static func name(of rule: DeleteRule) -> String {
        switch rule {
        case .noAction: "No Action"
        case .nullify: "Nullify"
        case .cascade: "Cascade"
        case .deny: "Deny"
        }
    }
}
