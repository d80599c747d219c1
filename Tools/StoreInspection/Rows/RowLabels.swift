import ObjectGraph
import SQLiteStore

/// Short texts that identify rows to the reader: a text that is unique, or at least does not repeat; or else a value
/// together with linked rows, such as `200 g · Flour`; or else no label, so that the object ID is shown.
///
/// Not thread-safe; each call creates its own.
package final class RowLabels {
    package let model: Model
    private let reading: StoreReading
    private var rules: [Int: LabelRule] = [:]

    /// In characters.
    private static let longest = 60

    package init(_ model: Model, _ reading: StoreReading) {
        self.model = model
        // Labels use only values in the rows themselves, and omit unreadable ones.
        self.reading = reading.markingUnreadable().limited(toFilesOf: [])
    }

    /// The attribute most likely to identify rows, judged by the model alone; reads no rows.
    package static func likelyAttribute(of entity: Entity) -> EntityAttribute? {
        LabelRule.likelyTexts(of: entity).first
    }

    /// - Throws: errors of reading.
    /// - Complexity: One statement for each new entity, which reads 50 rows. If labels include linked rows, these are
    ///   read, too.
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

    /// The attribute that identifies rows of the entity on its own.
    package func identifyingAttribute(of entity: Entity) throws -> EntityAttribute? {
        if case .text(let attributes) = try rule(entity) { attributes.first } else { nil }
    }

    private func rule(_ entity: Entity) throws -> LabelRule {
        if let known = rules[entity.index] { return known }
        // Ends the recursion for entities with relationships to themselves.
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

    /// The labels of the linked rows that the rows' labels include.
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
        // Omits linked texts that the row's own text contains.
        let parts = [text].filter { !$0.isEmpty } + linked.filter { !text.contains($0) }
        // A single value does not make a label.
        guard !linked.isEmpty || own.count > 1 else { return nil }
        return parts.joined(separator: " · ").cut(to: Self.longest)
    }

    private static let midnight = " 00:00:00"
    private static let noFraction = ".0"
}
