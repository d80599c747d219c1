import Foundation

extension InspectedValue {
    /// The value on one line for pages and terminals: `person: Kenny Remster, licensed: yes`. Omits nil fields.
    package var plainLine: String {
        switch self {
        case .none: "nil"
        case .boolean(let flag): flag ? "yes" : "no"
        case .list(let elements): elements.map(\.partOfLine).joined(separator: ", ")
        case .fields(let fields) where lostMark == nil:
            Self.identifiersLast(fields.filter { !$0.value.isNone }).map { "\($0.name): \($0.value.partOfLine)" }
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

    /// Moves identifiers to the end, as readers look at the beginning of a line.
    package static func identifiersLast(_ fields: [InspectedField]) -> [InspectedField] {
        let isIdentifier = { (field: InspectedField) in
            field.value.textValue.map { UUID(uuidString: $0) != nil } ?? false
        }
        return fields.filter { !isIdentifier($0) } + fields.filter(isIdentifier)
    }
}
