import ObjectGraph

/// What a person typed to filter rows: words to look for, or a predicate.
package enum FilterText: Sendable, Hashable {
    case words(WordSearch)
    case predicate(String)

    /// What can be read as a predicate is one, and so is what has an operator in it, mistakes included: it must not turn into
    /// a search for its letters.
    package init(_ text: String, on entity: Entity) {
        let isPredicate = (try? PredicateFormat(parsing: text)) != nil
        if !isPredicate, !Self.isMeantAsPredicate(text, entity), let words = WordSearch(text) {
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

    // MARK: Telling them apart

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
        guard words.count > 1, let first = words.first?.prefix(while: { $0 != "." }) else { return false }
        let isProperty = entity.propertyNames.contains(String(first))
        return isProperty && operators.contains(words[1].uppercased())
    }

    /// Texts in quotation marks say nothing of what is around them. A mark within a word is an apostrophe.
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
