import Foundation

extension InspectedValue {
    /// As people read it on one line, on pages and in terminals alike: `person: Kenny Remster, licensed: yes`. What is nil
    /// within fields is left out.
    package var plainLine: String {
        switch self {
        case .none: "nil"
        case .boolean(let flag): flag ? "yes" : "no"
        case .list(let elements): elements.map(\.partOfLine).joined(separator: ", ")
        case .fields(let fields) where lostMark == nil:
            Self.tellingFirst(fields.filter { !$0.value.isNone }).map { "\($0.name): \($0.value.partOfLine)" }
                .joined(separator: ", ")
        default: cellText
        }
    }

    private var partOfLine: String {
        switch self {
        case .fields where lostMark == nil: "(\(plainLine))"
        case .list: "[\(plainLine)]"
        default: plainLine
        }
    }

    /// Identifiers of values come last: the beginning of a line is what is read.
    package static func tellingFirst(_ fields: [InspectedField]) -> [InspectedField] {
        let isIdentifier = { (field: InspectedField) in
            field.value.textValue.map { UUID(uuidString: $0) != nil } ?? false
        }
        return fields.filter { !isIdentifier($0) } + fields.filter(isIdentifier)
    }
}
