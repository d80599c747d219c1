import ObjectGraph

/// The Swift type of a generated property.
enum PropertyType: Equatable {
    /// Never nil; `missing` is the text of the value to return for nil, if the type's own is not used.
    case mandatory(String, missing: String? = nil)
    case optional(String)

    var text: String {
        switch self {
        case .mandatory(let name, _): name
        case .optional(let name): name + "?"
        }
    }
}

extension PropertyType {
    /// Scalars are never optional. Other types are, unless the attribute is mandatory and has a default value: before
    /// the first save, a mandatory attribute may be nil.
    init(_ attribute: DocumentAttribute) {
        if attribute.usesScalarType == true, let scalar = Self.scalar(attribute.type) {
            self = scalar
            return
        }
        let name = Self.className(of: attribute)
        let hasDefault = attribute.defaultText != nil || attribute.defaultDate != nil
        if attribute.isOptional || !hasDefault || attribute.derivation != nil {
            self = .optional(name)
        } else if Self.ownMissing.contains(name) {
            self = .mandatory(name)
        } else {
            self = Self.missing[name].map { .mandatory(name, missing: $0) } ?? .optional(name)
        }
    }

    /// Value types with their own replacement for nil.
    private static let ownMissing: Set = ["String", "Data", "Date", "UUID"]
    private static let missing = [
        "NSNumber": "0", "NSDecimalNumber": "0", "URL": "URL(fileURLWithPath: \"/\")",
    ]

    private static func scalar(_ type: AttributeType?) -> PropertyType? {
        switch type {
        case .integer16: .mandatory("Int16")
        case .integer32: .mandatory("Int32")
        case .integer64: .mandatory("Int64")
        case .double: .mandatory("Double")
        case .float: .mandatory("Float")
        case .boolean: .mandatory("Bool")
        case .date: .mandatory("TimeInterval")
        default: nil
        }
    }

    private static func className(of attribute: DocumentAttribute) -> String {
        switch attribute.type {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "String"
        case .date: "Date"
        case .binary: "Data"
        case .uuid: "UUID"
        case .uri: "URL"
        case .composite: "[String: Any]"
        case .transformable: transformableName(attribute.className)
        case nil: "NSObject"
        }
    }

    /// Accepts only a class name or a type such as `[String]`: any other text would be code from a model file.
    private static func transformableName(_ name: String?) -> String {
        guard let name, !name.isEmpty,
            name.unicodeScalars.allSatisfy({ "[]:<>., _".unicodeScalars.contains($0) || $0.properties.isXIDContinue })
        else { return "NSObject" }
        return name
    }
}
