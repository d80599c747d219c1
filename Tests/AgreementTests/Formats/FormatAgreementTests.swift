import Foundation
import ObjectGraph
import SQLiteStore
import TestSupport
import Testing

@testable import MemoryStore
@testable import PredicateFormat

/// Predicates written in the format language find the same rows in SQL and in memory.
@Suite("Random predicate formats: SQL and memory agree")
struct FormatAgreementTests {
    private static let textsPerRound = 150

    @Test("predicates find the same rows, and their negations the others", arguments: Seeds.rounds(12))
    func predicates(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 0xF0)
        let rows = try ZooRows(&random)
        let agreement = Agreement(rows: rows)
        var refused = 0
        for number in 0..<Self.textsPerRound {
            var maker = FormatMaker(rows: rows, random: random)
            let root = rows.model[maker.random.roll(rows.model.entities.count)]
            let text = maker.test([FormatMaker.Known(prefix: "", entityIndex: root.index)], depth: maker.random.roll(5))
            random = maker.random
            let context = "seed \(seed), text \(number) of \(root.name): \(text)"
            let format: PredicateFormat
            do {
                format = try PredicateFormat(parsing: text)
                #expect(
                    try PredicateFormat(parsing: format.description).description == format.description, "\(context)")
            } catch {
                Issue.record("\(context)\n  \(error)")
                return
            }
            let predicate: QueryExpression
            do {
                predicate = try format.expression(on: root, in: rows.model)
            } catch {
                // Constants of incompatible kinds, which a person may type too.
                refused += 1
                continue
            }
            guard agreement.isTranslatable(predicate, root.index) else {
                refused += 1
                continue
            }
            for tested in [predicate, .not(predicate)] {
                guard let difference = try agreement.difference(tested, root.index) else { continue }
                let least = try agreement.least(of: tested, root.index)
                Issue.record("\(context)\n  \(difference)\n  least part: \(least)")
                return
            }
        }
        #expect(refused * 6 < Self.textsPerRound, "seed \(seed): \(refused) texts were refused")
    }

    @Test("plain objects give the same result as rows", arguments: Seeds.rounds(6))
    func plainObjects(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 0xF1)
        let rows = try ZooRows(&random)
        let evaluator = QueryEvaluator(rows.rows)
        for number in 0..<Self.textsPerRound {
            var maker = FormatMaker(rows: rows, random: random)
            // Without a model, a missing object in a path cannot be distinguished from one whose last value is nil.
            maker.furtherHops = 0
            let root = rows.model[maker.random.roll(rows.model.entities.count)]
            let text = maker.test([FormatMaker.Known(prefix: "", entityIndex: root.index)], depth: maker.random.roll(4))
            random = maker.random
            let format = try PredicateFormat(parsing: text)
            guard let predicate = try? format.expression(on: root, in: rows.model) else { continue }
            for name in rows.all(root.index) {
                let expected = try evaluator.test(predicate, root: name)
                let found = FormatEvaluator().test(format.predicate, of: PlainObject(rows: rows.rows, name: name))
                if found != expected {
                    Issue.record(
                        "seed \(seed), text \(number) of \(root.name): \(text)\n  \(name): \(found) as a plain object"
                    )
                    return
                }
            }
        }
    }
}

/// A row of the zoo as an object that provides its values by name.
private struct PlainObject: KeyValueReadable, ObjectIDRepresentable {
    let rows: Rows
    let name: RowName

    var graphObjectID: ObjectID? { rows.id(name) }

    func readValue(forKey key: String) -> Any? {
        let entity = rows.model[rows.entityIndex(of: name)]
        if let attribute = entity.attribute(named: key) { return value(attribute) }
        guard let relationship = entity.relationship(named: key) else { return nil }
        if relationship.isToOne {
            return rows.destination(of: name, relationship: relationship.index).map {
                PlainObject(rows: rows, name: $0)
            }
        }
        return rows.members(of: name, relationship: relationship.index).map { PlainObject(rows: rows, name: $0) }
    }

    private func value(_ attribute: EntityAttribute) -> Any? {
        let values = attribute.slots.map { rows.value(of: name, slot: $0) }
        if attribute.attribute.type == .composite {
            let names = attribute.attribute.elements.map(\.name)
            if values.allSatisfy(\.isNull) { return nil }
            return Dictionary(
                zip(names, zip(attribute.attribute.elements, values)).compactMap { name, pair in
                    Self.plain(pair.1, pair.0.type).map { (name, $0) }
                }, uniquingKeysWith: { first, _ in first })
        }
        return values.first.flatMap { Self.plain($0, attribute.attribute.type) }
    }

    private static func plain(_ value: Value, _ type: AttributeType) -> Any? {
        switch (value, type) {
        case (.real(let seconds), .date): Date(timeIntervalSinceReferenceDate: seconds)
        case (.integer(let integer), .boolean): integer != 0
        case (.text(let text), .uri): URL(string: text)
        case (.integer(let integer), _): integer
        case (.real(let real), _): real
        case (.decimal(let decimal), _): decimal
        case (.text(let text), _): text
        case (.uuid(let uuid), _): uuid
        case (.bytes(let data), _): data
        case (.null, _), (.reference, _): nil
        }
    }
}
