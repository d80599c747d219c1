import Foundation
import ObjectGraph
import SQLiteStore

/// A search for words in all entities: for each entity the number of matching rows, and the first of them.
package struct StoreSearch: Sendable {
    package let groups: [Group]
    /// Entities not searched because the time limit was reached.
    package let unfinished: [String]

    package struct Group: Sendable {
        package let entity: String
        /// At most `mostCounted`.
        package let count: Int
        package let first: [Hit]

        package var isAtLeast: Bool { count >= StoreSearch.mostCounted }
    }

    package struct Hit: Sendable {
        package let id: ObjectID
        package let label: String?
        /// The attribute that contains one of the words, unless that is the label.
        package let property: String?
        package let text: String?
    }

    package static let mostCounted = 1_000
    private static let mostHits = 5
    /// The time limit for all entities together.
    private static let seconds = 6.0

    /// - Throws: errors of reading.
    /// - Complexity: Reads every table completely, unless the time limit is reached.
    package init(_ search: WordSearch, _ store: SQLiteStore) throws {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(Self.seconds)
        (groups, unfinished) = try store.reading { reading in
            let reading = reading.markingUnreadable()
            var groups: [Group] = []
            var unfinished: [String] = []
            let labels = RowLabels(store.model, reading)
            for entity in ModelOutline.sorted(store.model) where entity.isRoot {
                let left = end - clock.now
                let seconds = Double(left.components.seconds) + Double(left.components.attoseconds) / 1e18
                let group =
                    seconds > 0
                    ? try reading.within(seconds: seconds) { try Self.group(search, entity, store, reading, labels) }
                    : nil
                guard let group else {
                    unfinished.append(entity.name)
                    continue
                }
                if group.count > 0 { groups.append(group) }
            }
            return (groups, unfinished)
        }
    }

    private static func group(
        _ search: WordSearch, _ entity: Entity, _ store: SQLiteStore, _ reading: StoreReading, _ labels: RowLabels
    ) throws -> Group {
        var query = Query(entityIndex: entity.index, predicate: search.expression(on: entity, in: store))
        query.limit = mostCounted
        let count = try reading.count(query)
        query.limit = mostHits
        let rows = count > 0 ? try reading.fetch(query) : []
        let texts = try labels.labels(of: rows)
        return Group(
            entity: entity.name, count: count,
            first: rows.map { row in
                let found = place(search, of: row, besides: texts[row.id], store.model)
                return Hit(id: row.id, label: texts[row.id], property: found?.name, text: found?.text)
            })
    }

    /// Returns the text around a word, unless the label contains the word.
    private static func place(
        _ search: WordSearch, of row: Snapshot, besides label: String?, _ model: Model
    ) -> (name: String, text: String)? {
        guard let entity = model.entity(named: row.id.entityName) else { return nil }
        let words = search.words.filter { !has(label ?? "", $0) }
        guard !words.isEmpty else { return nil }
        let rendering = RowRendering(model, .people)
        for attribute in entity.attributes where !attribute.attribute.isTransient {
            let text = rendering.value(of: attribute, in: row).plainLine
            if let word = words.first(where: { has(text, $0) }) { return (attribute.name, excerpt(text, around: word)) }
        }
        return nil
    }

    private static func has(_ text: String, _ word: String) -> Bool {
        text.range(of: word, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    }

    /// In characters, before the word and after its beginning.
    private static let context = (before: 30, behind: 70)

    private static func excerpt(_ text: String, around word: String) -> String {
        guard let found = text.range(of: word, options: [.caseInsensitive, .diacriticInsensitive]) else { return text }
        let start =
            text.index(found.lowerBound, offsetBy: -context.before, limitedBy: text.startIndex) ?? text.startIndex
        let end = text.index(found.lowerBound, offsetBy: context.behind, limitedBy: text.endIndex) ?? text.endIndex
        return "\(start > text.startIndex ? "…" : "")\(text[start..<end])\(end < text.endIndex ? "…" : "")"
    }
}
