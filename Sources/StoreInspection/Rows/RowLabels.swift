import ObjectGraph
import SQLiteStore

/// Short texts that tell rows apart for people: a text that is unique, or at least not repeated; where there is none, a
/// value together with what the row is linked to, as `200 g · Flour`; else nothing, and the row goes by its identity.
///
/// Belongs to the call that made it.
package final class RowLabels {
    package let model: Model
    private let reading: StoreReading
    private var rules: [Int: LabelRule] = [:]

    /// In characters.
    private static let longest = 60

    package init(_ model: Model, _ reading: StoreReading) {
        self.model = model
        // Labels use only values in the rows themselves, and leave out those that cannot be read.
        self.reading = reading.markingUnreadable().limited(toFilesOf: [])
    }

    /// The attribute most likely to tell rows apart, judged by the model alone: no rows are read.
    package static func likelyAttribute(of entity: Entity) -> EntityAttribute? {
        LabelRule.likelyTexts(of: entity).first
    }

    /// - Throws: what reading throws.
    /// - Complexity: one statement for each new entity, which reads 50 rows; and, where labels name
    ///   what rows are linked to, those rows.
    package func labels(of rows: [Snapshot]) throws -> [ObjectID: String] {
        var found: [ObjectID: String] = [:]
        var combined: [(row: Snapshot, Entity, LabelRule.Combination)] = []
        for row in rows {
            guard let entity = model.entity(named: row.id.entityName) else { continue }
            switch try rule(entity) {
            case .text(let attributes): found[row.id] = Self.text(of: row, attributes)
            case .combined(let combination): combined.append((row, entity, combination))
            case .none: break
            }
        }
        let ends = try names(ofEndsOf: combined.map { ($0.row, $0.2) })
        for (row, entity, combination) in combined { found[row.id] = text(of: row, entity, combination, ends) }
        return found
    }

    package func label(of row: Snapshot) throws -> String? { try labels(of: [row])[row.id] }

    /// The attribute that tells rows of the entity apart by itself.
    package func tellingAttribute(of entity: Entity) throws -> EntityAttribute? {
        if case .text(let attributes) = try rule(entity) { attributes.first } else { nil }
    }

    private func rule(_ entity: Entity) throws -> LabelRule {
        if let known = rules[entity.index] { return known }
        // Ends the recursion of entities that refer to themselves.
        rules[entity.index] = LabelRule.none
        let rule = try LabelRuleChoice(entity, model, reading).rule { try self.rule($0) }
        rules[entity.index] = rule
        return rule
    }

    // MARK: Texts

    private static func text(of row: Snapshot, _ attributes: [EntityAttribute]) -> String? {
        attributes.lazy.compactMap { text(of: row, $0) }.first
    }

    private static func text(of row: Snapshot, _ attribute: EntityAttribute) -> String? {
        let slot = attribute.slots.lowerBound
        guard row.values.indices.contains(slot), case .text(let text) = row.values[slot], !text.isBlank else {
            return nil
        }
        let lines = text.split(whereSeparator: \.isNewline).lazy.map(String.init)
        return (lines.first { !$0.isBlank } ?? text).cut(to: longest)
    }

    /// What the rows' labels name of what they are linked to.
    private func names(ofEndsOf rows: [(row: Snapshot, rule: LabelRule.Combination)]) throws -> [ObjectID: String] {
        let ids = rows.flatMap { row, rule in rule.destinations.compactMap(row.destination) }
        guard !ids.isEmpty else { return [:] }
        var found: [ObjectID: String] = [:]
        for (space, ids) in Dictionary(grouping: Set(ids), by: \.space) {
            for row in try reading.droppingMarks({ try reading.snapshots(of: ids) }) {
                guard let entity = model.entity(named: row.id.entityName), case .text(let attributes) = try rule(entity)
                else { continue }
                found[ObjectID(space: space, key: row.id.key)] = Self.text(of: row, attributes)
            }
        }
        return found
    }

    private func text(
        of row: Snapshot, _ entity: Entity, _ rule: LabelRule.Combination, _ ends: [ObjectID: String]
    ) -> String? {
        let rendering = RowRendering(model, .people)
        let own = rule.attributes.compactMap { attribute -> String? in
            let text = rendering.value(of: attribute, in: row).cellText
            let isText = attribute.attribute.type == .string
            let ending = [Self.midnight, Self.noFraction].first { text.hasSuffix($0) && !isText }
            return text.isBlank ? nil : ending.map { String(text.dropLast($0.count)) } ?? text
        }
        let linked = rule.destinations.compactMap { row.destination(of: $0).flatMap { ends[$0] } }
        let text = own.joined(separator: " ")
        // No text twice.
        let parts = [text].filter { !$0.isEmpty } + linked.filter { !text.contains($0) }
        // A single value is no label.
        guard !linked.isEmpty || own.count > 1 else { return nil }
        return parts.joined(separator: " · ").cut(to: Self.longest)
    }

    private static let midnight = " 00:00:00"
    private static let noFraction = ".0"
}
