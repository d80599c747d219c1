import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

/// SQL and the evaluator in memory give the same result for random expressions over random rows.
@Suite("Agreement of SQL and memory")
struct AgreementTests {
    @Test("random predicates and sort keys find the same rows in the same order", arguments: 0..<12)
    func randomExpressions(round: Int) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let zoo = try ZooStore()
        try fill(zoo, &random)
        let source = try RowSource(zoo)
        let evaluator = QueryEvaluator(source)
        for number in 0..<150 {
            let name = ["Animal", "Category", "Person", "Keeper", "Tag"].randomElement(using: &random) ?? "Animal"
            var maker = ExpressionMaker(zoo: zoo, random: random)
            let root = try zoo.entity(name).index
            let predicate = try maker.test(.variable(.root), root, depth: 3)
            let sort = SortKey(
                try maker.number(.variable(.root), root, depth: 1), ascending: Bool.random(using: &maker.random))
            random = maker.random
            let label = Comment(rawValue: "seed \(seed), expression \(number): \(predicate)")
            let rows = try zoo.fetch(name)
            let expected = try rows.filter { try evaluator.test(predicate, root: $0) }
            #expect(try zoo.fetch(name, predicate).map(\.id.key) == expected.map(\.id.key), label)
            let rest = try rows.filter { try !evaluator.test(predicate, root: $0) }
            #expect(try zoo.fetch(name, .not(predicate)).map(\.id.key) == rest.map(\.id.key), label)
            var query = Query(entityIndex: root, predicate: predicate)
            query.sort = [sort]
            let sorted = try evaluator.sorted(expected, by: [sort])
            #expect(try zoo.store.fetchIDs(query) == sorted.map(\.id), label)
            #expect(try zoo.store.count(query) == sorted.count, label)
        }
    }

    private func fill(_ zoo: ZooStore, _ random: inout SeededGenerator) throws {
        func maybe(_ value: Value, _ random: inout SeededGenerator) -> Value {
            Int.random(in: 0..<4, using: &random) == 0 ? .null : value
        }
        func number(_ random: inout SeededGenerator) -> Value {
            maybe(.integer(Int64.random(in: -2...5, using: &random)), &random)
        }
        func real(_ random: inout SeededGenerator) -> Value {
            maybe(.real(Double(Int.random(in: -4...8, using: &random)) / 2), &random)
        }
        func text(_ random: inout SeededGenerator) -> Value {
            maybe(.text(ExpressionMaker.texts.randomElement(using: &random) ?? ""), &random)
        }
        func pick(_ ids: [ObjectID], _ random: inout SeededGenerator) -> Value {
            maybe(ids.randomElement(using: &random).map(Value.reference) ?? .null, &random)
        }
        var people: [ObjectID] = []
        for index in 0..<6 {
            let name = ["Person", "Keeper", "Doctor"][index % 3]
            var given = ["name": text(&random), "boss": pick(people, &random)]
            if name == "Keeper" { given["badge"] = number(&random) }
            people.append(try zoo.insert(name, given).id)
        }
        var categories: [ObjectID] = []
        for index in 0..<4 {
            let given: [String: Value] = ["name": .text("\(index)"), "rank": number(&random)]
            categories.append(try zoo.insert("Category", given).id)
        }
        var tags: [ObjectID] = []
        for _ in 0..<3 { tags.append(try zoo.insert("Tag", ["label": text(&random)]).id) }
        for _ in 0..<12 {
            let animal = try zoo.insert(
                "Animal",
                [
                    "name": text(&random), "age": number(&random), "weight": real(&random), "born": real(&random),
                    "category": pick(categories, &random), "keeper": pick(people, &random),
                ])
            let linked = tags.filter { _ in Bool.random(using: &random) }
            try zoo.save { $0.links = [try zoo.link(animal.id, "tags", added: linked)] }
        }
    }
}

/// Rows of a store as the evaluator's objects.
private struct RowSource: QueryObjectSource {
    let zoo: ZooStore
    let rows: [ObjectID: Snapshot]
    var model: Model { zoo.model }

    init(_ zoo: ZooStore) throws {
        self.zoo = zoo
        var rows: [ObjectID: Snapshot] = [:]
        for entity in zoo.model.entities where entity.isRoot {
            for row in try zoo.fetch(entity.name) { rows[row.id] = row }
        }
        self.rows = rows
    }

    func identifier(of object: Snapshot) -> ObjectID { object.id }
    func entityIndex(of object: Snapshot) -> Int { model.entity(named: object.id.entityName)?.index ?? 0 }
    func value(of object: Snapshot, slot: Int) throws -> Value { object.values[slot] }

    func destination(of object: Snapshot, relationship index: Int) throws -> Snapshot? {
        let slot = model[entityIndex(of: object)].relationships[index].slot
        guard let slot, case .reference(let id) = object.values[slot] else { return nil }
        return rows[id]
    }

    func members(of object: Snapshot, relationship index: Int) throws -> [Snapshot] {
        let relationship = model[entityIndex(of: object)].relationships[index]
        return try zoo.members(object.id, relationship.name).compactMap { rows[$0] }
    }
}

/// Makes random expressions that fit the model.
private struct ExpressionMaker {
    static let texts = ["", "a", "A", "ab", "é", "e\u{301}", "Zoë", "zoe", "x1", "x10"]

    let zoo: ZooStore
    var random: SeededGenerator
    var nextVariable = 1

    init(zoo: ZooStore, random: SeededGenerator) {
        self.zoo = zoo
        self.random = random
    }

    private mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func leaf(
        _ base: QueryExpression, _ entityIndex: Int, _ types: Set<AttributeType>
    ) throws -> QueryExpression? {
        let entity = zoo.model[entityIndex]
        let slots = entity.slots.indices.filter { slot in
            if case .attribute(_, let leaf) = entity.slots[slot] { types.contains(leaf.type) } else { false }
        }
        guard let slot = slots.randomElement(using: &random) else { return nil }
        return .attribute(
            base,
            AttributeReference(entityIndex: entityIndex, slot: slot, path: entity.propertyName(ofSlot: slot)))
    }

    /// The object itself, an object reached through to-one relationships, or a cast of one.
    private mutating func object(
        _ base: QueryExpression, _ entityIndex: Int, depth: Int
    ) -> (expression: QueryExpression, entityIndex: Int) {
        guard depth > 0, roll(2) == 0 else { return (base, entityIndex) }
        let entity = zoo.model[entityIndex]
        if let sub = entity.subentityIndexes.randomElement(using: &random), roll(2) == 0 {
            return object(.cast(base, entityIndex: sub), sub, depth: depth - 1)
        }
        guard let next = entity.relationships.filter(\.isToOne).randomElement(using: &random) else {
            return (base, entityIndex)
        }
        let reference = RelationshipReference(entityIndex: entityIndex, index: next.index, name: next.name)
        return object(.toOne(base, reference), next.destinationIndex, depth: depth - 1)
    }

    mutating func number(_ base: QueryExpression, _ entityIndex: Int, depth: Int) throws -> QueryExpression {
        let (object, index) = object(base, entityIndex, depth: 2)
        let choice = depth > 0 ? roll(9) : roll(2)
        switch choice {
        case 0:
            return .literal(
                [Value.integer(2), .integer(0), .real(1.5), .real(-1), .null].randomElement(using: &random) ?? .null)
        case 3:
            let operation = ArithmeticOperator.allCases.randomElement(using: &random) ?? .add
            return .arithmetic(
                operation, try number(base, entityIndex, depth: depth - 1),
                try number(base, entityIndex, depth: depth - 1))
        case 4: return .negative(try number(base, entityIndex, depth: depth - 1))
        case 5:
            return .conditional(
                test: try test(base, entityIndex, depth: depth - 1),
                then: try number(base, entityIndex, depth: depth - 1),
                otherwise: try number(base, entityIndex, depth: depth - 1))
        case 6:
            return .coalesce(
                try number(base, entityIndex, depth: depth - 1), try number(base, entityIndex, depth: depth - 1))
        case 7:
            guard let (collection, variable, member) = try collection(object, index, depth: depth - 1) else { break }
            if roll(2) == 0 { return .count(collection) }
            let function = AggregateFunction.allCases.randomElement(using: &random) ?? .sum
            guard let value = try leaf(.variable(variable), member, [.integer64, .double]) else { break }
            return .aggregate(function, collection, variable, value)
        case 8: return .textLength(try text(base, entityIndex))
        default: break
        }
        return try leaf(object, index, [.integer64, .double, .date]) ?? .literal(.integer(1))
    }

    private mutating func text(_ base: QueryExpression, _ entityIndex: Int) throws -> QueryExpression {
        let (object, index) = object(base, entityIndex, depth: 2)
        if roll(4) > 0, let leaf = try leaf(object, index, [.string]) { return leaf }
        return .literal(.text(Self.texts.randomElement(using: &random) ?? ""))
    }

    private mutating func collection(
        _ base: QueryExpression, _ entityIndex: Int, depth: Int
    ) throws -> (QueryCollection, QueryVariable, Int)? {
        guard let next = zoo.model[entityIndex].relationships.filter({ !$0.isToOne }).randomElement(using: &random)
        else {
            return nil
        }
        let variable = QueryVariable(nextVariable)
        nextVariable += 1
        var collection = QueryCollection.toMany(
            base, RelationshipReference(entityIndex: entityIndex, index: next.index, name: next.name))
        if depth > 0, roll(3) == 0 {
            let inner = QueryVariable(nextVariable)
            nextVariable += 1
            collection = .filtered(
                collection, inner, try test(.variable(inner), next.destinationIndex, depth: depth - 1))
        }
        return (collection, variable, next.destinationIndex)
    }

    mutating func test(_ base: QueryExpression, _ entityIndex: Int, depth: Int) throws -> QueryExpression {
        switch depth > 0 ? roll(11) : roll(3) {
        case 3: return .not(try test(base, entityIndex, depth: depth - 1))
        case 4, 5:
            let parts = try (0..<roll(4)).map { _ in try test(base, entityIndex, depth: depth - 1) }
            return roll(2) == 0 ? .and(parts) : .or(parts)
        case 6:
            let list = (0..<(roll(2) == 0 ? 3 : 12)).map { number -> Value in
                number % 5 == 4 ? .null : .integer(Int64(number))
            }
            return .isMember(try number(base, entityIndex, depth: depth - 1), of: list)
        case 7:
            let (object, index) = object(base, entityIndex, depth: 2)
            let family = zoo.model[zoo.model[index].rootIndex].familyIndexes
            return .isKind(object, entityIndex: family.randomElement(using: &random) ?? index)
        case 8, 9:
            let (object, index) = object(base, entityIndex, depth: 2)
            guard let (collection, variable, member) = try collection(object, index, depth: depth - 1) else { break }
            let inner = try test(.variable(variable), member, depth: depth - 1)
            return roll(2) == 0 ? .exists(collection, variable, inner) : .all(collection, variable, inner)
        case 10:
            let (object, index) = object(base, entityIndex, depth: 2)
            let (other, otherIndex) = self.object(base, entityIndex, depth: 2)
            if roll(2) == 0 || zoo.model[index].rootIndex != zoo.model[otherIndex].rootIndex {
                return .compare(roll(2) == 0 ? .equal : .notEqual, object, .literal(.null))
            }
            return .compare(roll(2) == 0 ? .equal : .notEqual, object, other)
        case 0:
            let tests: [TextTest] = [.contains, .beginsWith, .endsWith, .containsLocalizedStandard]
            return .text(
                tests.randomElement(using: &random) ?? .contains, try text(base, entityIndex),
                try text(base, entityIndex))
        case 1:
            let comparison = ComparisonOperator.allCases.randomElement(using: &random) ?? .equal
            return .compare(comparison, try text(base, entityIndex), try text(base, entityIndex))
        default: break
        }
        let comparison = ComparisonOperator.allCases.randomElement(using: &random) ?? .equal
        return .compare(
            comparison, try number(base, entityIndex, depth: max(0, depth - 1)),
            try number(base, entityIndex, depth: max(0, depth - 1)))
    }
}
