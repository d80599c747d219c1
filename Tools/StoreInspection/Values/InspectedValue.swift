/// A value for display or export, independent of the output format: the element of rows, schemas and reports. Fields
/// keep their order.
package indirect enum InspectedValue: Sendable, Hashable {
    case none
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// A number as written in JSON, with more digits than a `Double` has.
    case number(String)
    case text(String)
    case list([InspectedValue])
    case fields([InspectedField])

    package var isNone: Bool { self == .none }

    /// The value of a field; `nil` if there is no field with that name.
    package subscript(name: String) -> InspectedValue? {
        guard case .fields(let fields) = self else { return nil }
        return fields.first { $0.name == name }?.value
    }

    /// Whether the value is neither a list nor fields.
    package var isPlain: Bool { listValue == nil && fieldsValue == nil }

    package var textValue: String? {
        if case .text(let text) = self { text } else { nil }
    }

    package var listValue: [InspectedValue]? {
        if case .list(let elements) = self { elements } else { nil }
    }

    package var fieldsValue: [InspectedField]? {
        if case .fields(let fields) = self { fields } else { nil }
    }
}

package struct InspectedField: Sendable, Hashable {
    package var name: String
    package var value: InspectedValue

    package init(_ name: String, _ value: InspectedValue) {
        self.name = name
        self.value = value
    }
}

extension InspectedValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }

    package static func optional(_ text: String?) -> InspectedValue { text.map(InspectedValue.text) ?? .none }
    package static func count(_ number: Int) -> InspectedValue { .integer(Int64(number)) }
    package static func texts(_ texts: [String]) -> InspectedValue { .list(texts.map(InspectedValue.text)) }
}
