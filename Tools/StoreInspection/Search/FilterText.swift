import ObjectGraph

/// A typed filter: search words, or a predicate.
package enum FilterText: Sendable, Hashable {
    case words(WordSearch)
    case predicate(String)

    /// A text with an operator is a predicate, even with errors, so that a mistyped predicate is not searched for as
    /// words. Lower-case operators count as words unless they follow a property.
    package init(_ text: String, on entity: Entity) {
        if !Self.isMeantAsPredicate(text, entity), let words = WordSearch(text) {
            self = .words(words)
        } else {
            self = .predicate(text)
        }
    }

    /// - Throws: `InspectionError`, `UnreadablePredicate`, `FormatTranslationError`.
    package func expression(on entity: Entity, in store: any Store) throws -> QueryExpression {
        switch self {
        case .words(let search): search.expression(on: entity, in: store)
        case .predicate(let text): try TypedPredicate.expression(text, on: entity, in: store.model)
        }
    }

    // MARK: Classification

    private static let marks: Set<Character> = ["=", "<", ">", "(", ")", "{", "}"]
    package static let operators = [
        "AND", "OR", "NOT", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "IN", "BETWEEN", "ANY", "ALL",
        "NONE",
        "SOME", "SUBQUERY",
    ]

    private static func isMeantAsPredicate(_ text: String, _ entity: Entity) -> Bool {
        let bare = withoutQuoted(text)
        if bare.contains(where: { marks.contains($0) }) || bare.contains("&&") || bare.contains("||") { return true }
        let words = bare.split(whereSeparator: \.isWhitespace).map { String($0.prefix { $0 != "[" }) }
        if words.contains(where: { operators.contains($0) }) { return true }
        guard let first = words.first else { return false }
        guard words.count > 1 else { return constants.contains(first.uppercased()) }
        if isProperty(first, entity) { return operators.contains(words[1].uppercased()) }
        return quantifiers.contains(first.uppercased()) && isProperty(words[1], entity)
    }

    private static let constants = ["TRUEPREDICATE", "FALSEPREDICATE"]
    private static let quantifiers = ["ANY", "ALL", "NONE", "SOME", "NOT"]

    private static func isProperty(_ path: String, _ entity: Entity) -> Bool {
        entity.propertyNames.contains(String(path.prefix { $0 != "." }))
    }

    /// Removes quoted texts, which do not affect the classification. A quotation mark within a word is an apostrophe.
    private static func withoutQuoted(_ text: String) -> String {
        var bare = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            let opens = (character == "\"" || character == "'") && !(bare.last?.isLetter ?? false)
            guard opens, let end = rest.firstIndex(of: character) else {
                bare.append(character)
                continue
            }
            bare.append(" ")
            rest = rest[rest.index(after: end)...]
        }
        return bare
    }
}
