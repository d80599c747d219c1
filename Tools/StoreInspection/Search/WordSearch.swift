import Foundation
import ObjectGraph

/// Words to search for in all values of rows. Each word must match somewhere in a row: in any text, ignoring case and
/// accents, or as a number, date or identifier.
package struct WordSearch: Sendable, Hashable {
    package let words: [String]

    private static let mostWords = 8

    /// Splits the text at spaces; quoted parts stay together.
    /// - Returns: `nil` if there is no word.
    package init?(_ text: String) {
        var words: [String] = []
        var rest = text[...]
        while let start = rest.firstIndex(where: { !$0.isWhitespace }) {
            rest = rest[start...]
            if let quote = rest.first, quote == "\"" || quote == "'",
                let end = rest.dropFirst().firstIndex(of: quote),
                rest.index(after: end) == rest.endIndex || rest[rest.index(after: end)].isWhitespace
            {
                words.append(String(rest[rest.index(after: start)..<end]))
                rest = rest[rest.index(after: end)...]
            } else {
                let end = rest.firstIndex(where: \.isWhitespace) ?? rest.endIndex
                words.append(String(rest[..<end]))
                rest = rest[end...]
            }
        }
        words.removeAll { word in word.allSatisfy { $0 == "\"" || $0 == "'" } }
        guard !words.isEmpty else { return nil }
        // Joins the remaining words into one: dropping words would widen the search.
        let last = words.dropFirst(Self.mostWords - 1)
        self.words = Array(words.prefix(Self.mostWords - 1)) + (last.isEmpty ? [] : [last.joined(separator: " ")])
    }

    /// Searches the attributes of the entity and its subentities.
    package func expression(on entity: Entity, in store: any Store) -> QueryExpression {
        let leaves = Self.leaves(of: entity, in: store.model)
        return .and(words.map { word in .or(tests(for: word, leaves) + identity(word, entity, store)) })
    }

    private struct Leaf {
        let reference: AttributeReference
        let attribute: Attribute
    }

    private static func leaves(of entity: Entity, in model: Model) -> [Leaf] {
        entity.familyIndexes.flatMap { index in
            let own = model[index]
            let attributes = index == entity.index ? own.attributes : ModelOutline.ownAttributes(own)
            return attributes.flatMap { attribute -> [Leaf] in
                guard !attribute.attribute.isTransient else { return [] }
                return zip(attribute.slots, attribute.attribute.leaves).filter { !$1.isTransient }.map { slot, leaf in
                    Leaf(
                        reference: AttributeReference(entityIndex: index, slot: slot, path: attribute.name),
                        attribute: leaf)
                }
            }
        }
    }

    private func tests(for word: String, _ leaves: [Leaf]) -> [QueryExpression] {
        let day = Self.day(word)
        return leaves.compactMap { leaf -> QueryExpression? in
            let value = QueryExpression.attribute(.variable(.root), leaf.reference)
            switch leaf.attribute.type {
            case .string, .uri: return .text(.containsLocalizedStandard, value, .literal(.text(word)))
            case .integer16, .integer32, .integer64, .double, .float, .decimal, .uuid:
                guard let wanted = ValueImport.value(.text(word), leaf.attribute) else { return nil }
                return .compare(.equal, value, .literal(wanted))
            case .date:
                guard let day else { return nil }
                return .and([
                    .compare(.greaterOrEqual, value, .literal(.real(day.lowerBound))),
                    .compare(.less, value, .literal(.real(day.upperBound))),
                ])
            case .boolean, .binary, .transformable, .composite: return nil
            }
        }
    }

    /// The time range of the day or second that the word names.
    private static func day(_ word: String) -> Range<Double>? {
        guard let start = DateText.seconds(word) else { return nil }
        return start..<start + (word.contains(":") ? 1 : 86_400)
    }

    /// Matches object IDs: `p12`, or `Item/p12`.
    private func identity(_ word: String, _ entity: Entity, _ store: any Store) -> [QueryExpression] {
        let isShort = word.first == "p" && word.dropFirst().allSatisfy(\.isNumber) && word.count > 1
        let text = isShort ? "\(entity.name)/\(word)" : word
        guard let id = try? ObjectAddress(text).id(in: store), let named = store.model.entity(named: id.entityName),
            named.rootIndex == entity.rootIndex
        else { return [] }
        return [.compare(.equal, .identity(.variable(.root)), .literal(.reference(id)))]
    }
}
