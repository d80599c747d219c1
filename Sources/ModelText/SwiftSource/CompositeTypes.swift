import ObjectGraph

/// The structs and enums of a model's composite attributes. Attributes of the same shape share one type, named after
/// the first attribute, as the model does not contain the type's name.
struct CompositeTypes {
    private struct Shape: Hashable {
        let elements: [Attribute]
        let isEnum: Bool
        /// The values found in the store, for an enum with raw values.
        let cases: [Value]
    }

    private var names: [SwiftModelSource.RawValuePlace: String] = [:]
    private(set) var declarations: [String] = []

    init(_ model: Model, rawValues: [SwiftModelSource.RawValuePlace: [Value]]) {
        var known: [Shape: String] = [:]
        var taken = Set(model.entities.map(\.name)).union(Self.commonNames)
        for entity in model.entities {
            for attribute in entity.attributes where attribute.declaringIndex == entity.index {
                guard attribute.attribute.type == .composite else { continue }
                let place = SwiftModelSource.RawValuePlace(entity: entity.name, attribute: attribute.name)
                let raw = Self.isRawEnum(attribute.attribute)
                // The shape of an enum with raw values includes its attribute's name, as equal enums are a coincidence.
                let elements = raw ? [attribute.attribute] : attribute.attribute.elements
                let shape = Shape(elements: elements, isEnum: attribute.attribute.isEnum, cases: rawValues[place] ?? [])
                if let name = known[shape] {
                    names[place] = name
                    continue
                }
                let name = Self.freeName(SwiftName.capitalized(attribute.name), entity.name, &taken)
                known[shape] = name
                names[place] = name
                declarations += Self.declarations(name, attribute.attribute, shape.cases, &taken)
            }
        }
    }

    /// Names that have another meaning where SwiftData and Foundation are imported.
    private static let commonNames: Set<String> = [
        "Array", "Attribute", "Bundle", "Calendar", "Character", "Collection", "Data", "Date", "Decimal", "Dictionary",
        "Error", "Host", "Index", "Locale", "Measurement", "Model", "Notification", "Operation", "Optional", "Port",
        "Predicate", "Process", "Progress", "Range", "Relationship", "Result", "Schema", "Sequence", "Set", "Stream",
        "String", "Task", "Thread", "TimeZone", "Timer", "Type", "Unique", "Unit", "Void",
    ]

    private static func freeName(_ wanted: String, _ prefix: String, _ taken: inout Set<String>) -> String {
        var name = taken.contains(wanted) ? prefix + wanted : wanted
        while taken.contains(name) { name += "Value" }
        taken.insert(name)
        return name
    }

    func name(_ attribute: EntityAttribute, _ model: Model) -> String {
        let place = SwiftModelSource.RawValuePlace(
            entity: model[attribute.declaringIndex].name, attribute: attribute.name)
        return names[place] ?? SwiftName.capitalized(attribute.name)
    }

    // MARK: Kinds

    /// Whether the composite is an enum with raw values: it has a single leaf with the attribute's name.
    static func isRawEnum(_ attribute: Attribute) -> Bool {
        guard attribute.type == .composite, attribute.elements.count == 1, let leaf = attribute.elements.first else {
            return false
        }
        return leaf.name == attribute.name && leaf.type != .composite
    }

    private static func isCaseEnum(_ attribute: Attribute) -> Bool {
        attribute.isEnum && attribute.elements.allSatisfy { $0.type == .string && $0.isOptional }
    }

    private static func declarations(
        _ name: String, _ attribute: Attribute, _ cases: [Value], _ taken: inout Set<String>
    ) -> [String] {
        if isRawEnum(attribute) { return [rawEnum(name, attribute, cases)] }
        if isCaseEnum(attribute) {
            let lines = attribute.elements.map { "    case \(SwiftName.escaped($0.name))" }
            return ["enum \(name): Codable {\n\(lines.joined(separator: "\n"))\n}"]
        }
        var nested: [String] = []
        let lines = attribute.elements.map { element in
            var type = SwiftTypeName.plain(element)
            if element.type == .composite {
                type = freeName(SwiftName.capitalized(element.name), name, &taken)
                nested += declarations(type, element, [], &taken)
            }
            let remark = element.type == .binary ? "  // a collection or value, kept as JSON" : ""
            return "    var \(SwiftName.escaped(element.name)): \(type)\(element.isOptional ? "?" : "")\(remark)"
        }
        return ["struct \(name): Codable, Hashable {\n\(lines.joined(separator: "\n"))\n}"] + nested
    }

    private static func rawEnum(_ name: String, _ attribute: Attribute, _ cases: [Value]) -> String {
        let leaf = attribute.elements.first
        let isText = leaf?.type == .string
        var taken: Set<String> = []
        var lines = ["    // The model does not name the cases; these are the values found in the store."]
        for value in cases {
            let (wanted, literal): (String, String)
            switch value {
            case .text(let text): (wanted, literal) = (SwiftName.caseName(text), SwiftName.literal(text))
            case .integer(let number):
                (wanted, literal) = (number < 0 ? "minus\(number.magnitude)" : "value\(number)", String(number))
            default: continue
            }
            var caseName = wanted
            while !taken.insert(caseName).inserted { caseName += "Also" }
            lines.append("    case \(caseName)" + (isText && "\"\(caseName)\"" == literal ? "" : " = \(literal)"))
        }
        if lines.count == 1 {
            lines = [
                "    // The model does not name the cases, and the store has no values of them.", "    case unknown",
            ]
        }
        return
            "enum \(name): \(leaf.map(SwiftTypeName.plain) ?? "String"), Codable {\n\(lines.joined(separator: "\n"))\n}"
    }
}

/// Swift type names of attributes.
enum SwiftTypeName {
    static func plain(_ attribute: Attribute) -> String {
        switch attribute.type {
        case .integer16: "Int16"
        case .integer32: "Int32"
        case .integer64: "Int"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Bool"
        case .date: "Date"
        case .binary: "Data"
        case .uuid: "UUID"
        case .uri: "URL"
        case .transformable: "[String]"
        case .composite: SwiftName.capitalized(attribute.name)
        }
    }
}
