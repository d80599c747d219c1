import Foundation
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct QueryEvaluatorTests {
    let zoo: QueryZoo
    let evaluator: QueryEvaluator<QueryZoo>
    let rex: ObjectID
    let tom: ObjectID
    let ann: ObjectID
    let bob: ObjectID

    init() throws {
        zoo = try QueryZoo()
        evaluator = QueryEvaluator(zoo)
        rex = try zoo.add(
            "Dog", ["name": .text("Rex"), "age": .integer(3), "weight": .real(12.5), "tricks": .integer(4)])
        tom = try zoo.add("Animal", ["name": .text("Tom"), "nick": .text("T"), "age": .integer(7)])
        ann = try zoo.add("Owner", ["name": .text("Ann")])
        bob = try zoo.add("Owner", ["name": .text("Bob")])
        try zoo.give([rex, tom], to: ann)
    }

    private func literal(_ text: String) -> QueryExpression { .literal(.text(text)) }
    private func literal(_ integer: Int64) -> QueryExpression { .literal(.integer(integer)) }

    @Test("nil equals nil only, and is neither less nor greater than anything")
    func nilComparisons() throws {
        let nick = try zoo.attribute("nick")
        for (comparison, withNil, withText) in [
            (ComparisonOperator.equal, true, false), (.notEqual, false, true), (.less, false, false),
            (.lessOrEqual, false, false), (.greater, false, false), (.greaterOrEqual, false, false),
        ] {
            #expect(try evaluator.test(.compare(comparison, nick, .literal(.null)), root: rex) == withNil)
            #expect(try evaluator.test(.compare(comparison, nick, literal("T")), root: rex) == withText)
            #expect(try evaluator.test(.compare(comparison, literal("T"), nick), root: rex) == withText)
            #expect(
                try evaluator.test(.not(.compare(comparison, nick, literal("T"))), root: rex) == !withText)
        }
    }

    @Test("a value reached through a missing object is nil, empty or false")
    func missingObject() throws {
        let stray = try zoo.add("Animal", ["name": .text("Stray")])
        let ownerName = try zoo.attribute("name", of: zoo.owner, in: "Owner")
        #expect(try evaluator.value(ownerName, root: stray) == .null)
        #expect(try evaluator.test(.compare(.notEqual, ownerName, literal("Ann")), root: stray))
        #expect(try !evaluator.test(.compare(.equal, ownerName, literal("Ann")), root: stray))
        #expect(try evaluator.test(.compare(.equal, ownerName, literal("Ann")), root: rex))
        let siblings = QueryCollection.toMany(
            zoo.owner, RelationshipReference(entityIndex: 2, index: 0, name: "animals"))
        #expect(try evaluator.value(.count(siblings), root: stray) == .integer(0))
        #expect(try evaluator.value(.count(siblings), root: rex) == .integer(2))
        #expect(try evaluator.test(.all(siblings, QueryVariable(1), .constant(false)), root: stray))
        #expect(try !evaluator.test(.exists(siblings, QueryVariable(1), .constant(true)), root: stray))
        #expect(try !evaluator.test(.isKind(zoo.owner, entityIndex: 2), root: stray))
    }

    @Test("an object compares by identity")
    func identity() throws {
        #expect(try evaluator.test(.compare(.equal, zoo.owner, .literal(.reference(ann))), root: rex))
        #expect(try evaluator.test(.compare(.notEqual, .identity(zoo.owner), .literal(.reference(bob))), root: rex))
        #expect(try evaluator.test(.isMember(.variable(.root), of: [.reference(rex), .reference(tom)]), root: rex))
    }

    @Test("collections support exists, all, filtered count, and aggregates")
    func collections() throws {
        let one = QueryVariable(1)
        let two = QueryVariable(2)
        let age = try zoo.attribute("age", of: .variable(one))
        let old = QueryExpression.compare(.greater, age, literal(5))
        #expect(try evaluator.test(.exists(zoo.animals, one, old), root: ann))
        #expect(try !evaluator.test(.all(zoo.animals, one, old), root: ann))
        #expect(try evaluator.value(.count(.filtered(zoo.animals, one, old)), root: ann) == .integer(1))
        let weight = try zoo.attribute("weight", of: .variable(two))
        for (function, expected, empty) in [
            (AggregateFunction.minimum, Value.integer(3), Value.null), (.maximum, .integer(7), .null),
            (.sum, .integer(10), .integer(0)), (.average, .real(5), .null),
        ] {
            #expect(try evaluator.value(.aggregate(function, zoo.animals, one, age), root: ann) == expected)
            #expect(try evaluator.value(.aggregate(function, zoo.animals, one, age), root: bob) == empty)
        }
        #expect(try evaluator.value(.aggregate(.average, zoo.animals, two, weight), root: ann) == .real(12.5))
    }

    @Test("a nested collection sees the outer variable")
    func nestedVariables() throws {
        let outer = QueryVariable(1)
        let inner = QueryVariable(2)
        let older = QueryExpression.compare(
            .greater, try zoo.attribute("age", of: .variable(inner)), try zoo.attribute("age", of: .variable(outer)))
        let same = QueryExpression.compare(.equal, .variable(inner), .variable(outer))
        let youngest = QueryExpression.exists(zoo.animals, outer, .all(zoo.animals, inner, .or([older, same])))
        #expect(try evaluator.test(youngest, root: ann))
        #expect(try !evaluator.test(youngest, root: bob))
    }

    @Test("kinds and casts use the object's own entity")
    func kinds() throws {
        let tricks = try zoo.attribute("tricks", of: .cast(.variable(.root), entityIndex: 1), in: "Dog")
        #expect(try evaluator.test(.isKind(.variable(.root), entityIndex: 0), root: rex))
        #expect(try evaluator.test(.isKind(.variable(.root), entityIndex: 1), root: rex))
        #expect(try !evaluator.test(.isKind(.variable(.root), entityIndex: 1), root: tom))
        #expect(try evaluator.value(tricks, root: rex) == .integer(4))
        #expect(try evaluator.value(tricks, root: tom) == .null)
        #expect(try evaluator.value(try zoo.attribute("tricks", in: "Dog"), root: tom) == .null)
    }

    @Test("a condition used as a value is 1 or 0; a value used as a condition is true unless nil or zero")
    func testsAndValues() throws {
        #expect(try evaluator.value(.constant(true), root: rex) == .integer(1))
        #expect(try evaluator.value(.not(.constant(true)), root: rex) == .integer(0))
        #expect(try evaluator.test(try zoo.attribute("age"), root: rex))
        #expect(try !evaluator.test(try zoo.attribute("weight"), root: tom))
        #expect(try !evaluator.test(literal(0), root: tom))
        #expect(try evaluator.test(.compare(.equal, .constant(false), literal(0)), root: tom))
        let choice = QueryExpression.conditional(
            test: .compare(.greater, try zoo.attribute("age"), literal(5)), then: literal("old"),
            otherwise: literal("young"))
        #expect(try evaluator.value(choice, root: tom) == .text("old"))
        #expect(try evaluator.value(choice, root: rex) == .text("young"))
        #expect(try evaluator.value(.coalesce(try zoo.attribute("nick"), literal("-")), root: rex) == .text("-"))
    }

    @Test("empty conjunctions are true, empty disjunctions false")
    func emptyLists() throws {
        #expect(try evaluator.test(.and([]), root: rex))
        #expect(try !evaluator.test(.or([]), root: rex))
        #expect(try !evaluator.test(.isMember(literal(1), of: []), root: rex))
    }

    @Test("membership is the same for short and long lists", arguments: [3, 400])
    func membership(count: Int64) throws {
        var list = (0..<count).map { Value.integer($0) }
        #expect(try evaluator.test(.isMember(.literal(.real(2)), of: list), root: rex))
        #expect(try !evaluator.test(.isMember(.literal(.real(2.5)), of: list), root: rex))
        #expect(try !evaluator.test(.isMember(.literal(.null), of: list), root: rex))
        list.append(.null)
        #expect(try evaluator.test(.isMember(.literal(.null), of: list), root: rex))
        #expect(try evaluator.test(.isMember(.literal(.real(.nan)), of: list), root: rex))
        list = (0..<count).map { Value.text("e\u{301}\($0)") }
        #expect(try evaluator.test(.isMember(literal("e\u{301}1"), of: list), root: rex))
        #expect(try !evaluator.test(.isMember(literal("\u{e9}1"), of: list), root: rex))
        list = (0..<count).map { ValueOrderTests.uuid(UInt8(truncatingIfNeeded: $0)) }
        #expect(try evaluator.test(.isMember(.literal(ValueOrderTests.uuid(2)), of: list), root: rex))
    }

    @Test("text tests against nil are false")
    func textAgainstNil() throws {
        for test in TextTest.allCases {
            #expect(try !evaluator.test(.text(test, try zoo.attribute("nick"), literal("")), root: rex))
            #expect(try !evaluator.test(.text(test, literal("x"), try zoo.attribute("nick")), root: rex))
        }
        #expect(try evaluator.value(.textOrder(.binary, try zoo.attribute("nick"), literal("a")), root: rex) == .null)
        #expect(
            try evaluator.value(.textOrder(.caseInsensitive, try zoo.attribute("name"), literal("REX")), root: rex)
                == .integer(0))
        #expect(try evaluator.value(.textLength(try zoo.attribute("name")), root: rex) == .integer(3))
        #expect(try evaluator.value(.textLength(try zoo.attribute("nick")), root: rex) == .null)
    }

    @Test("nil sorts first ascending and last descending; ties keep their order")
    func sorting() throws {
        let nick = try zoo.attribute("nick")
        let name = try zoo.attribute("name")
        let zed = try zoo.add("Animal", ["name": .text("Zed"), "nick": .text("A")])
        let all = [tom, rex, zed]
        #expect(try evaluator.sorted(all, by: [SortKey(nick)]) == [rex, zed, tom])
        #expect(try evaluator.sorted(all, by: [SortKey(nick, ascending: false)]) == [tom, zed, rex])
        #expect(try evaluator.sorted(all, by: []) == all)
        let descending = [SortKey(literal(1)), SortKey(name, ascending: false)]
        #expect(try evaluator.sorted(all, by: descending) == [zed, tom, rex])
        #expect(try evaluator.areInIncreasingOrder(rex, tom, by: [SortKey(literal(1)), SortKey(name)]))
        #expect(try !evaluator.areInIncreasingOrder(rex, rex, by: [SortKey(name)]))
    }
}

@Suite struct QueryArithmeticTests {
    @Test("integers stay integers, and operations without a result give nil")
    func integers() {
        #expect(Arithmetic.apply(.divide, .integer(-7), .integer(2)) == .integer(-3))
        #expect(Arithmetic.apply(.remainder, .integer(-7), .integer(2)) == .integer(-1))
        #expect(Arithmetic.apply(.add, .integer(.max), .integer(1)) == .null)
        #expect(Arithmetic.apply(.multiply, .integer(.max), .integer(2)) == .null)
        #expect(Arithmetic.apply(.divide, .integer(.min), .integer(-1)) == .null)
        #expect(Arithmetic.apply(.remainder, .integer(.min), .integer(-1)) == .integer(0))
        #expect(Arithmetic.apply(.divide, .integer(1), .integer(0)) == .null)
        #expect(Arithmetic.apply(.remainder, .integer(1), .integer(0)) == .null)
        #expect(Arithmetic.negative(.integer(.min)) == .null)
        #expect(Arithmetic.negative(.integer(5)) == .integer(-5))
    }

    @Test("reals, mixed operands and nil")
    func reals() {
        #expect(Arithmetic.apply(.add, .integer(1), .real(0.5)) == .real(1.5))
        #expect(Arithmetic.apply(.multiply, .decimal(Decimal(2)), .integer(3)) == .real(6))
        #expect(Arithmetic.apply(.divide, .real(1), .real(0)) == .null)
        #expect(Arithmetic.apply(.subtract, .real(.infinity), .real(.infinity)) == .null)
        #expect(Arithmetic.apply(.add, .null, .integer(1)) == .null)
        #expect(Arithmetic.apply(.add, .text("1"), .integer(1)) == .null)
        #expect(Arithmetic.negative(.real(2)) == .real(-2))
        #expect(Arithmetic.negative(.null) == .null)
    }
}

@Suite struct ValueOrderTests {
    static func uuid(_ last: UInt8) -> Value {
        .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last)))
    }

    /// Values within a row are equal, and less than those of every later row.
    static let ladder: [[Value]] = [
        [.null, .real(.nan)],
        [.real(-.infinity)],
        [.integer(.min), .real(-0x1p63)],
        [.integer(-1), .real(-1), .decimal(Decimal(-1))],
        [.integer(0), .real(0), .real(-0.0)],
        [.real(0.1), .decimal(Decimal(string: "0.1") ?? 0)],
        [.integer(1)],
        [.real(1.5)],
        [.integer(1 << 53), .real(0x1p53)],
        [.integer(1 << 53 + 1)],
        [.integer(.max - 1)],
        [.integer(.max)],
        [.real(0x1p63)],
        [.real(.infinity)],
        [.text("")], [.text("A")], [.text("Z")], [.text("a")], [.text("e\u{301}")], [.text("\u{e9}")],
        [.bytes(Data())], [uuid(1), .bytes(Data([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]))], [uuid(255)],
        [.bytes(Data([0x7f]))], [.bytes(Data([0x80]))],
    ]

    @Test("values compare as their columns do in SQL")
    func order() {
        for (i, left) in Self.ladder.enumerated() {
            for (j, right) in Self.ladder.enumerated() {
                for a in left {
                    for b in right {
                        let expected = i == j ? 0 : (i < j ? -1 : 1)
                        #expect(ValueOrder.compare(a, b) == expected, "\(a) and \(b)")
                    }
                }
            }
        }
    }

    @Test("saved objects sort by key whatever their entity, unsaved ones after them")
    func references() {
        let animal = IDSpace.intern(storeIdentifier: "S", entityName: "Animal")
        let dog = IDSpace.intern(storeIdentifier: "S", entityName: "Dog")
        let ids = [
            ObjectID(space: dog, key: 1), ObjectID(space: animal, key: 2), ObjectID(space: dog, key: 3),
            ObjectID.temporary(entityName: "Animal"),
        ]
        for (a, b) in zip(ids, ids.dropFirst()) {
            #expect(ValueOrder.compare(.reference(a), .reference(b)) == -1)
            #expect(ValueOrder.compare(.reference(b), .reference(a)) == 1)
        }
        #expect(ValueOrder.compare(.reference(ids[0]), .reference(ids[0])) == 0)
    }

    @Test("a slice of data compares by its own bytes")
    func dataSlices() {
        let slice = Data([9, 1, 2, 9])[1...2]
        #expect(ValueOrder.compare(.bytes(slice), .bytes(Data([1, 2]))) == 0)
        #expect(ValueOrder.compare(.bytes(slice), .bytes(Data([1, 2, 0]))) == -1)
    }
}
