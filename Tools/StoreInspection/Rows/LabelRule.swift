import ObjectGraph
import SQLiteStore

/// How rows of one entity are labelled.
enum LabelRule: Sendable {
    /// The first of these text attributes that has a value in the row.
    case text([EntityAttribute])
    /// Several parts, if no text alone suffices: a repeating text, another value and linked rows.
    case combined(Combination)
    /// The object ID alone.
    case none

    struct Combination: Sendable {
        /// In the order of the model, dates last.
        let attributes: [EntityAttribute]
        let destinations: [EntityRelationship]
    }

    /// Common names of identifying text attributes, best first.
    private static let likelyNames = [
        "name", "title", "label", "displayName", "fullName", "text", "subject", "email", "identifier",
    ]

    /// Text attributes likely to identify rows, judged by the model alone, best first.
    static func likelyTexts(of entity: Entity) -> [EntityAttribute] {
        let texts = texts(of: entity)
        let byName = likelyNames.lazy.compactMap { name in
            texts.first { $0.name.lowercased() == name.lowercased() }
        }
        let ending = texts.first { $0.name.hasSuffix("Name") || $0.name.hasSuffix("Title") }
        return [byName.first, ending, texts.first].compactMap { $0 }
    }

    fileprivate static func texts(of entity: Entity) -> [EntityAttribute] {
        entity.attributes.filter { $0.attribute.type == .string && !$0.attribute.isTransient }
    }
}

/// Chooses a rule from the model and a sample of rows. A text that repeats in the sample is not used as a label.
struct LabelRuleChoice {
    private let entity: Entity
    private let model: Model
    /// Values of the sample by slot.
    private let sample: [Int: [Value]]

    /// The number of rows in the sample.
    private static let sampleSize = 50

    /// - Parameter reading: marks unreadable values, which count as nil.
    /// - Throws: errors of reading.
    init(_ entity: Entity, _ model: Model, _ reading: StoreReading) throws {
        (self.entity, self.model) = (entity, model)
        var query = Query(entityIndex: entity.index)
        query.limit = Self.sampleSize
        let slots = (LabelRule.texts(of: entity) + Self.values(of: entity)).map(\.slots.lowerBound).sorted()
        query.slots = slots
        var sample: [Int: [Value]] = [:]
        for row in slots.isEmpty ? [] : try reading.parts(query) {
            for (slot, value) in zip(slots, row.values) { sample[slot, default: []].append(value) }
        }
        self.sample = sample
    }

    private static func values(of entity: Entity) -> [EntityAttribute] {
        entity.attributes.filter { attribute in
            guard !attribute.attribute.isTransient else { return false }
            return switch attribute.attribute.type {
            case .integer16, .integer32, .integer64, .decimal, .double, .float, .date: true
            default: false
            }
        }
    }

    /// - Parameter rule: returns the rule of the destination of a to-one relationship.
    func rule(_ rule: (Entity) throws -> LabelRule) rethrows -> LabelRule {
        let identifying = identifyingTexts
        if !identifying.isEmpty { return .text(identifying) }
        return try combined(rule)
    }

    // MARK: Texts

    /// Unique attributes first, then attributes with a common name, then others; machine identifiers last.
    private var identifyingTexts: [EntityAttribute] {
        let texts = LabelRule.texts(of: entity)
        let unique = texts.filter(isUnique)
        let named = LabelRule.likelyTexts(of: entity)
        let ordered = (unique + named + texts).reduce(into: [EntityAttribute]()) { ordered, text in
            if !ordered.contains(where: { $0 === text }) { ordered.append(text) }
        }
        let identifying = ordered.filter { isUnique($0) || !repeats($0) }
        // Attributes without a value in most rows come last.
        let full = identifying.filter(isMostlyThere)
        return full.filter { !isForMachines($0) } + full.filter(isForMachines)
            + identifying.filter { !isMostlyThere($0) }
    }

    private func isUnique(_ attribute: EntityAttribute) -> Bool {
        var above: Int? = entity.index
        while let index = above {
            if model[index].uniquenessConstraints.contains([attribute.name]) { return true }
            above = model[index].superentityIndex
        }
        return false
    }

    private func texts(in attribute: EntityAttribute) -> [String] {
        (sample[attribute.slots.lowerBound] ?? []).compactMap { value in
            if case .text(let text) = value, !text.isBlank { text } else { nil }
        }
    }

    private func repeats(_ attribute: EntityAttribute) -> Bool {
        let texts = texts(in: attribute)
        return Set(texts).count < texts.count
    }

    private func isMostlyThere(_ attribute: EntityAttribute) -> Bool {
        let all = sample[attribute.slots.lowerBound] ?? []
        return 2 * texts(in: attribute).count >= all.count
    }

    /// Whether the texts are long, contain no space and consist half of digits, like UUIDs and hashes.
    private func isForMachines(_ attribute: EntityAttribute) -> Bool {
        let texts = texts(in: attribute)
        return !texts.isEmpty
            && texts.allSatisfy { text in
                text.utf8.count >= 20 && !text.contains(" ")
                    && 4 * text.utf8.count(where: Self.isDigit) >= text.utf8.count
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    // MARK: Combinations

    /// An attribute that identifies rows together with the text, as a last name does; or else any value that differs.
    private func second(beside text: EntityAttribute?) -> EntityAttribute? {
        let values = Self.values(of: entity)
        let pairing = text.flatMap { text in
            (LabelRule.texts(of: entity) + values).first { $0 !== text && isUnique(together: text, $0) }
        }
        return pairing ?? values.first { Set(sample[$0.slots.lowerBound] ?? []).count > 1 }
    }

    private func isUnique(together one: EntityAttribute, _ other: EntityAttribute) -> Bool {
        let (ones, others) = (sample[one.slots.lowerBound] ?? [], sample[other.slots.lowerBound] ?? [])
        let pairs = zip(ones, others).filter { !$0.isNull && !$1.isNull }.map { [$0, $1] }
        return 2 * pairs.count > ones.count && Set(pairs).count == pairs.count
    }

    private func combined(_ rule: (Entity) throws -> LabelRule) rethrows -> LabelRule {
        let text = LabelRule.likelyTexts(of: entity).first { !texts(in: $0).isEmpty }
        let second = second(beside: text)
        let parts = entity.attributes.filter { $0 === text || $0 === second }
        // A date comes after other values: `200 g`, but `Plum Cake 2024-03-01`.
        let attributes = parts.filter { $0.attribute.type != .date } + parts.filter { $0.attribute.type == .date }
        let named = try entity.toOneRelationships.filter { relationship in
            guard !relationship.relationship.isTransient else { return false }
            if case .text = try rule(model.destination(of: relationship)) { return true }
            return false
        }
        // Plain references are preferred to the owner.
        let others = named.filter { model.inverse(of: $0)?.deletesDestinations != true }
        let owners = attributes.count > 1 ? [] : named
        let destinations = Array((others.isEmpty ? owners : others).prefix(attributes.isEmpty ? 2 : 1))
        let hasWords = text != nil || !destinations.isEmpty
        guard hasWords, attributes.count + destinations.count > 1 else { return .none }
        return .combined(LabelRule.Combination(attributes: attributes, destinations: destinations))
    }
}
