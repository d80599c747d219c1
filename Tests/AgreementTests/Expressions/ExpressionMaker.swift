import Foundation
import ObjectGraph
import TestSupport

/// Makes random expressions over the zoo. Most are typed as a front end's would be; some mix kinds that no front end mixes, which
/// must agree all the same.
struct ExpressionMaker {
    let model: Model
    let ids: [ObjectID]
    var random: SeededGenerator
    private var lastVariable = 0

    init(rows: ZooRows, random: SeededGenerator) {
        model = rows.model
        ids = rows.ids
        self.random = random
    }

    /// An object known to the expression, and its entity.
    struct Known {
        let expression: QueryExpression
        let entityIndex: Int
    }

    private mutating func newVariable() -> QueryVariable {
        lastVariable += 1
        return QueryVariable(lastVariable)
    }

    // MARK: Objects

    /// One of the known objects, or an object reached from it.
    mutating func object(_ known: [Known], depth: Int) -> Known {
        let start = random.pick(known) ?? Known(expression: .variable(.root), entityIndex: 0)
        guard depth > 0, random.chance(45) else { return start }
        let base = object([start], depth: depth - 1)
        let entity = model[base.entityIndex]
        if random.chance(15), let (collection, member) = oneToMany([base], depth: 0) {
            let place = random.chance(40) ? QueryPlace.last : .index(random.roll(3))
            return Known(expression: .member(collection, at: place), entityIndex: member)
        }
        if random.chance(30) {
            let family = model[entity.rootIndex].familyIndexes
            guard let target = random.pick(family) else { return base }
            return Known(expression: .cast(base.expression, entityIndex: target), entityIndex: target)
        }
        guard let next = random.pick(entity.relationships.filter(\.isToOne)) else { return base }
        return Known(
            expression: .toOne(base.expression, reference(entity, next)), entityIndex: next.destinationIndex)
    }

    private func reference(_ entity: Entity, _ relationship: EntityRelationship) -> RelationshipReference {
        RelationshipReference(entityIndex: entity.index, index: relationship.index, name: relationship.name)
    }

    mutating func leaf(_ known: [Known], _ types: Set<AttributeType>, depth: Int) -> QueryExpression? {
        let object = object(known, depth: min(2, depth))
        let entity = model[object.entityIndex]
        let slots = entity.slots.indices.filter { slot in
            if case .attribute(_, let leaf) = entity.slots[slot] { types.contains(leaf.type) } else { false }
        }
        guard let slot = random.pick(Array(slots)) else { return nil }
        return .attribute(
            object.expression,
            AttributeReference(entityIndex: entity.index, slot: slot, path: "\(entity.name).\(slot)"))
    }

    // MARK: Values

    static let numbers: Set<AttributeType> = [
        .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date,
    ]

    mutating func number(_ known: [Known], depth: Int) -> QueryExpression {
        guard depth > 0, random.chance(60) else {
            return random.chance(70) ? leaf(known, Self.numbers, depth: depth) ?? numberLiteral() : numberLiteral()
        }
        switch random.roll(12) {
        case 0, 1, 2:
            return .arithmetic(
                random.pick(ArithmeticOperator.allCases) ?? .add, number(known, depth: depth - 1),
                number(known, depth: depth - 1))
        case 3: return .negative(number(known, depth: depth - 1))
        case 4:
            return .conditional(
                test: test(known, depth: depth - 1), then: number(known, depth: depth - 1),
                otherwise: number(known, depth: depth - 1))
        case 5: return .coalesce(number(known, depth: depth - 1), number(known, depth: depth - 1))
        case 6: return .textLength(text(known, depth: depth - 1))
        case 7:
            return .textOrder(
                random.pick(TextOrder.allCases) ?? .binary, text(known, depth: depth - 1),
                text(known, depth: depth - 1))
        case 8:
            guard let (collection, _) = collection(known, depth: depth - 1) else { return numberLiteral() }
            return .count(collection)
        case 9, 10: return function(known, depth: depth)
        default:
            return aggregate(known, depth: depth)
        }
    }

    private mutating func function(_ known: [Known], depth: Int) -> QueryExpression {
        let functions = ScalarFunction.allCases.filter { $0.result != .text }
        let function = random.pick(functions) ?? .floor
        // Sometimes of a text, which has no result.
        let arguments = (0..<function.argumentCount).map { _ in
            random.chance(95) ? number(known, depth: depth - 1) : text(known, depth: depth - 1)
        }
        return .function(function, arguments)
    }

    private mutating func aggregate(_ known: [Known], depth: Int) -> QueryExpression {
        guard let (collection, member) = collection(known, depth: depth - 1) else { return numberLiteral() }
        let variable = newVariable()
        let inner = known + [Known(expression: .variable(variable), entityIndex: member)]
        let function = random.pick(AggregateFunction.allCases) ?? .sum
        let element =
            function.isCalculated || random.chance(70)
            ? number(inner, depth: depth - 1) : text(inner, depth: depth - 1)
        return .aggregate(function, collection, variable, element)
    }

    private mutating func numberLiteral() -> QueryExpression {
        switch random.roll(10) {
        case 0: .literal(.null)
        case 1: .literal(.integer(random.pick(ZooRows.edges) ?? 0))
        case 2: .literal(.decimal(Decimal(string: "2.5") ?? 0))
        case 3, 4: .literal(.real(random.pick(ZooRows.reals) ?? 0))
        default: .literal(.integer(random.pick(ZooRows.integers) ?? 0))
        }
    }

    mutating func text(_ known: [Known], depth: Int) -> QueryExpression {
        guard depth > 0, random.chance(30) else {
            if random.chance(65), let leaf = leaf(known, [.string, .uri], depth: depth) { return leaf }
            return random.chance(8) ? .literal(.null) : .literal(.text(random.pick(ZooRows.texts) ?? ""))
        }
        if random.chance(40) {
            let function = random.pick(ScalarFunction.allCases.filter { $0.result == .text }) ?? .uppercase
            return .function(function, [text(known, depth: depth - 1)])
        }
        return random.chance(50)
            ? .coalesce(text(known, depth: depth - 1), text(known, depth: depth - 1))
            : .conditional(
                test: test(known, depth: depth - 1), then: text(known, depth: depth - 1),
                otherwise: text(known, depth: depth - 1))
    }

    private mutating func bytes(_ known: [Known], depth: Int) -> QueryExpression {
        if random.chance(65), let leaf = leaf(known, [.binary, .uuid, .transformable], depth: depth) { return leaf }
        return switch random.roll(3) {
        case 0: .literal(.uuid(random.pick(ZooRows.uuids) ?? UUID()))
        case 1: .literal(.bytes(random.pick([Data(), Data([0]), Data([1, 2])]) ?? Data()))
        default: .literal(.null)
        }
    }

    private mutating func referenceValue(_ known: [Known], depth: Int) -> QueryExpression {
        switch random.roll(6) {
        case 0: .literal(random.pick(ids).map(Value.reference) ?? .null)
        case 1: .literal(.null)
        case 2: .identity(object(known, depth: 2).expression)
        default: object(known, depth: 2).expression
        }
    }

    /// A value of any kind: mixing kinds compares by class, as a database does.
    mutating func anything(_ known: [Known], depth: Int) -> QueryExpression {
        switch random.roll(5) {
        case 0, 1: number(known, depth: depth)
        case 2: text(known, depth: depth)
        case 3: bytes(known, depth: depth)
        default: .not(test(known, depth: depth))
        }
    }

    // MARK: Collections

    private mutating func collection(
        _ known: [Known], depth: Int
    ) -> (collection: QueryCollection, member: Int)? {
        guard let (first, member) = oneToMany(known, depth: depth) else { return nil }
        guard random.chance(20) else { return (first, member) }
        let variable = newVariable()
        let inner = known + [Known(expression: .variable(variable), entityIndex: member)]
        guard let (second, last) = collection(inner, depth: depth - 1) else { return (first, member) }
        return (.joined(first, variable, second), last)
    }

    /// Through one relationship.
    private mutating func oneToMany(
        _ known: [Known], depth: Int
    ) -> (collection: QueryCollection, member: Int)? {
        let owner = object(known, depth: 2)
        let entity = model[owner.entityIndex]
        guard let next = random.pick(entity.relationships.filter { !$0.isToOne }) else { return nil }
        var collection = QueryCollection.toMany(owner.expression, reference(entity, next))
        var filters = depth > 0 ? random.roll(3) - (random.chance(50) ? 1 : 0) : 0
        while filters > 0 {
            filters -= 1
            let variable = newVariable()
            let inner = known + [Known(expression: .variable(variable), entityIndex: next.destinationIndex)]
            collection = .filtered(collection, variable, test(inner, depth: depth - 1))
        }
        return (collection, next.destinationIndex)
    }

    // MARK: Tests

    mutating func test(_ known: [Known], depth: Int) -> QueryExpression {
        guard depth > 0 else { return simpleTest(known, depth: 0) }
        switch random.roll(14) {
        case 0: return .not(test(known, depth: depth - 1))
        case 1, 2:
            return .and((0..<random.roll(4)).map { _ in test(known, depth: depth - 1) })
        case 3, 4:
            return .or((0..<random.roll(4)).map { _ in test(known, depth: depth - 1) })
        case 5:
            return .conditional(
                test: test(known, depth: depth - 1), then: test(known, depth: depth - 1),
                otherwise: test(known, depth: depth - 1))
        case 6, 7, 8:
            guard let (collection, member) = collection(known, depth: depth - 1) else { break }
            let variable = newVariable()
            let inner = known + [Known(expression: .variable(variable), entityIndex: member)]
            let condition = test(inner, depth: depth - 1)
            return random.chance(50)
                ? .exists(collection, variable, condition) : .all(collection, variable, condition)
        case 9:
            // A value, or an object, as a condition.
            return random.chance(60) ? anything(known, depth: depth - 1) : object(known, depth: 2).expression
        default: break
        }
        return simpleTest(known, depth: depth - 1)
    }

    private mutating func simpleTest(_ known: [Known], depth: Int) -> QueryExpression {
        let comparison = random.pick(ComparisonOperator.allCases) ?? .equal
        switch random.roll(12) {
        case 0: return .constant(random.chance(50))
        case 1, 2, 3:
            return .compare(comparison, number(known, depth: depth), number(known, depth: depth))
        case 4: return .compare(comparison, text(known, depth: depth), text(known, depth: depth))
        case 5: return .compare(comparison, bytes(known, depth: depth), bytes(known, depth: depth))
        case 6:
            return .compare(
                random.chance(50) ? .equal : .notEqual, referenceValue(known, depth: depth),
                referenceValue(known, depth: depth))
        case 7: return .compare(comparison, anything(known, depth: depth), anything(known, depth: depth))
        case 8: return membership(known, depth: depth)
        case 9:
            let object = object(known, depth: 2)
            return .isKind(object.expression, entityIndex: random.roll(model.entities.count))
        default: return textTest(known, depth: depth)
        }
    }

    private mutating func membership(_ known: [Known], depth: Int) -> QueryExpression {
        let count = random.pick([0, 1, 3, 12, 24]) ?? 0
        switch random.roll(3) {
        case 0:
            var values = (0..<count).compactMap { _ in random.pick(ids).map(Value.reference) }
            if random.chance(30) { values.append(.null) }
            return .isMember(referenceValue(known, depth: depth), of: values)
        case 1:
            let values = (0..<count).map { _ in random.chance(10) ? Value.null : .text(random.pick(ZooRows.texts) ?? "")
            }
            return .isMember(text(known, depth: depth), of: values)
        default:
            let values = (0..<count).map { _ -> Value in
                if case .literal(let value) = numberLiteral() { value } else { .null }
            }
            return .isMember(number(known, depth: depth), of: values)
        }
    }

    private mutating func textTest(_ known: [Known], depth: Int) -> QueryExpression {
        let kind = random.pick(TextTest.allCases) ?? .contains
        if kind == .matches {
            let patterns = ["a.*", "", "[a-z]+\\d*", "(", ".", "É|é"]
            return .text(kind, text(known, depth: depth), .literal(.text(random.pick(patterns) ?? "")))
        }
        return .text(kind, text(known, depth: depth), text(known, depth: depth))
    }
}
