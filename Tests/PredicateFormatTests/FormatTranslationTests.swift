import Foundation
import Testing

@testable import ObjectGraph
@testable import PredicateFormat

/// The translation of predicates for an entity, and refusals.
@Suite("Translation of predicate formats")
struct FormatTranslationTests {
    let model: Model
    let person: Entity
    let pet: Entity

    init() throws {
        var address = Attribute("address", .composite, optional: true)
        address.elements = [Attribute("city", .string, optional: true), Attribute("zip", .integer32, optional: true)]
        var note = Attribute("note", .string)
        note.isTransient = true
        var person = EntityDescription("Person")
        person.attributes = [
            Attribute("name", .string, optional: true), Attribute("age", .integer64), Attribute("born", .date),
            Attribute("token", .uuid), Attribute("home", .uri), Attribute("isKind", .boolean),
            Attribute("debt", .decimal), Attribute("photo", .transformable), address, note,
        ]
        var queue = Relationship("queue", to: "Pet", .toMany)
        queue.isOrdered = true
        person.relationships = [
            Relationship("pets", to: "Pet", .toMany, inverse: "owner"), Relationship("boss", to: "Person", .toOne),
            queue,
        ]
        var employee = EntityDescription("Employee", superentity: "Person")
        employee.attributes = [Attribute("salary", .double)]
        var pet = EntityDescription("Pet")
        pet.attributes = [Attribute("name", .string), Attribute("weight", .double)]
        pet.relationships = [Relationship("owner", to: "Person", .toOne, inverse: "pets")]
        model = try Model([person, employee, pet])
        self.person = try #require(model.entity(named: "Person"))
        self.pet = try #require(model.entity(named: "Pet"))
    }

    private func expression(_ text: String, _ arguments: Any?...) throws -> QueryExpression {
        try PredicateFormat(parsing: text, arguments: arguments.map { FormatArgument($0) })
            .expression(on: person, in: model)
    }

    private func attribute(_ name: String) throws -> QueryExpression {
        let slot = try #require(person.attribute(named: name)?.slots.lowerBound)
        return .attribute(.variable(.root), AttributeReference(entityIndex: person.index, slot: slot, path: name))
    }

    @Test("constants get the type of the compared attribute")
    func coercion() throws {
        let id = ObjectID(space: .intern(storeIdentifier: "S", entityName: "Person"), key: 3)
        let uuid = try #require(UUID(uuidString: "00000000-0000-0000-0000-00000000000A"))
        let cases: [(String, String, Value)] = [
            ("age == '5'", "age", .integer(5)), ("age == 5.5", "age", .real(5.5)), ("age == YES", "age", .integer(1)),
            ("name == 5", "name", .text("5")), ("isKind == 'yes'", "isKind", .integer(1)),
            ("born == '2001-01-02'", "born", .real(86400)),
            ("born == '2001-01-01T01:00:00.5+01:00'", "born", .real(0.5)),
            ("born == '2000-12-31 23:59:59 +0000'", "born", .real(-1)),
            ("born == 5", "born", .real(5)), ("born == CAST(5, 'NSDate')", "born", .real(5)),
            ("token == '\(uuid.uuidString)'", "token", .uuid(uuid)),
            ("home == 'https://a'", "home", .text("https://a")),
            ("debt == '0.1'", "debt", .decimal(Decimal(string: "0.1") ?? 0)), ("photo == nil", "photo", .null),
        ]
        for (text, name, value) in cases {
            #expect(try expression(text) == .compare(.equal, attribute(name), .literal(value)), "\(text)")
        }
        let root = QueryExpression.variable(.root)
        #expect(try expression("SELF == '\(id.uriText)'") == .compare(.equal, root, .literal(.reference(id))))
        #expect(try expression("objectID == %@", id) == .compare(.equal, root, .literal(.reference(id))))
        #expect(try expression("SELF IN %@", [id]) == .isMember(root, of: [.reference(id)]))
        #expect(
            try expression("born == %@", Date(timeIntervalSinceReferenceDate: 7))
                == .compare(.equal, attribute("born"), .literal(.real(7))))
        #expect(
            try expression("home == %@", URL(string: "https://a"))
                == .compare(.equal, attribute("home"), .literal(.text("https://a"))))
    }

    @Test("composites are accessed by element, and nil if all elements are")
    func composites() throws {
        let slots = try #require(person.attribute(named: "address")?.slots)
        let city = QueryExpression.attribute(
            .variable(.root), AttributeReference(entityIndex: 0, slot: slots.lowerBound, path: "address.city"))
        #expect(try expression("address.city == 'x'") == .compare(.equal, city, .literal(.text("x"))))
        guard case .and(let parts) = try expression("address == nil") else {
            Issue.record("no conjunction")
            return
        }
        #expect(parts.count == 2)
    }

    @Test("constant expressions are evaluated during the translation")
    func folding() throws {
        #expect(try expression("1 + 1 == 2") == .constant(true))
        #expect(try expression("age > sqrt(16)") == .compare(.greater, attribute("age"), .literal(.real(4))))
        #expect(
            try expression("name ==[cd] 'ÉX'")
                == .compare(
                    .equal, .function(.foldCaseAndDiacritics, [attribute("name")]), .literal(.text("ex"))))
        #expect(try expression("name ==[n] 'É'") == .compare(.equal, attribute("name"), .literal(.text("É"))))
        guard case .compare(.less, _, .literal(.real(let seconds))) = try expression("born < now()") else {
            Issue.record("now() is no constant")
            return
        }
        #expect(abs(seconds - Date().timeIntervalSinceReferenceDate) < 60)
    }

    @Test("a count compared with zero becomes an existence test")
    func presence() throws {
        let pets = QueryCollection.toMany(
            .variable(.root), RelationshipReference(entityIndex: 0, index: 0, name: "pets"))
        guard case .exists(pets, _, .constant(true)) = try expression("pets.@count > 0") else {
            Issue.record("\(try expression("pets.@count > 0"))")
            return
        }
        guard case .not(.exists) = try expression("SUBQUERY(pets, $x, $x.weight > 1).@count == 0") else {
            Issue.record("\(try expression("SUBQUERY(pets, $x, $x.weight > 1).@count == 0"))")
            return
        }
        #expect(try expression("pets.@count == 2") == .compare(.equal, .count(pets), .literal(.integer(2))))
    }

    @Test("several hops nest, and NONE is not ANY")
    func hops() throws {
        guard
            case .not(.exists(_, let outer, .exists(.toMany(let owner, _), _, .compare))) =
                try expression("NONE pets.owner.pets.weight > 5")
        else {
            Issue.record("\(try expression("NONE pets.owner.pets.weight > 5"))")
            return
        }
        #expect(owner == .toOne(.variable(outer), RelationshipReference(entityIndex: 2, index: 0, name: "owner")))
    }

    private var queue: QueryCollection {
        .toMany(.variable(.root), RelationshipReference(entityIndex: 0, index: 2, name: "queue"))
    }

    @Test("indexes of an ordered relationship give objects, negative ones nil")
    func places() throws {
        let wild = Value.text("x")
        let slot = try #require(pet.attribute(named: "name")?.slots.lowerBound)
        let name = AttributeReference(entityIndex: pet.index, slot: slot, path: "name")
        for (index, place) in [("FIRST", QueryPlace.index(0)), ("2", .index(2)), ("1 + 1", .index(2)), ("LAST", .last)]
        {
            let expected = QueryExpression.compare(
                .equal, .attribute(.member(queue, at: place), name), .literal(wild))
            #expect(try expression("queue[\(index)].name == 'x'") == expected, "\(index)")
            #expect(try expression("queue.name[\(index)] == 'x'") == expected, "\(index)")
        }
        #expect(try expression("queue[-1] == nil") == .constant(true))
        #expect(try expression("queue[SIZE] == 2") == .compare(.equal, .count(queue), .literal(.integer(2))))
    }

    @Test("several to-many relationships are one collection for aggregates and subqueries")
    func joined() throws {
        for text in ["pets.owner.pets.@avg.weight > 1", "SUBQUERY(pets.owner.pets, $x, $x.weight > 1).@count > 1"] {
            guard case .compare(.greater, let left, _) = try expression(text), let collection = left.collection else {
                Issue.record("\(text)")
                continue
            }
            #expect(collection.source == nil, "\(text)")
        }
        guard
            case .aggregate(.distinctCount, _, _, _)? =
                try expression("pets.@distinctUnionOfObjects.name.@count > 1").children.first
        else {
            Issue.record("no count of distinct names")
            return
        }
    }

    @Test("entities are compared by name, exactly")
    func entities() throws {
        let root = QueryExpression.variable(.root)
        let exact = QueryExpression.and([.isKind(root, entityIndex: 0), .not(.isKind(root, entityIndex: 1))])
        #expect(try expression("entity == 'Person'") == .or([exact]))
        #expect(try expression("entity == %@", person) == .or([exact]))
        #expect(try expression("entity.name BEGINSWITH 'Emp'") == .or([.isKind(root, entityIndex: 1)]))
        #expect(throws: FormatTranslationError.unknownEntity("Nobody")) { try expression("entity == 'Nobody'") }
    }

    @Test(
        "a refusal names the construct and the key path",
        arguments: [
            ("nick == 'x'", "keypath nick not found in entity Person"),
            ("boss.nick == 'x'", "keypath boss.nick not found in entity Person"),
            ("salary > 1", "keypath salary not found"), ("note == 'x'", "not stored"),
            ("pets == nil", "to-many key not allowed here"), ("pets.name == 'x'", "'pets.name' has many values"),
            ("ANY name == 'x'", "'name' gives one value"), ("ANY boss.name == 'x'", "'boss.name' gives one value"),
            ("age == 'x'", "'age' is a number and cannot be compared with a text"),
            ("born == 'soon'", "'born' is a date"), ("token == 'x'", "'token' is a UUID"),
            ("boss == 5", "'boss' is an object and cannot be compared with a number"),
            ("boss == 'x'", "'boss' is an object and cannot be compared with a text"),
            ("boss < SELF", "an order of objects"), ("boss == age", "an object cannot be compared with a value"),
            ("age CONTAINS '1'", "CONTAINS beside 'age'"), ("name MATCHES '('", "regular expression"),
            ("photo == 'x'", "'photo'"), ("address == 'x'", "the composite 'address'"), ("name == $x", "'$x'"),
            ("random() > 0.5", "random"), ("pets[0].name == 'x'", "ordered relationship"),
            ("name[0] == 'x'", "ordered relationship"), ("queue[age].name == 'x'", "whole number"),
            ("queue.owner.pets[FIRST].name == 'x'", "ordered relationship"),
            ("FUNCTION(name, 'shout') == 'x'", "the method 'shout'"), ("pets.@sum.name > 1", "only numbers"),
            ("pets.@median.weight > 1", "there is no such operator"), ("name + 1 == 2", "calculated with"),
            ("age IN 5", "it wants a list"), ("age BETWEEN 5", "two bounds"),
            ("mode(pets.weight) == 1", "no such function"),
            ("pets.@distinctUnionOfObjects.name.@sum > 1", "only numbers"),
            ("median(pets.@distinctUnionOfObjects.weight) > 1", "no such function"),
            ("entity == name", "constants only"),
            ("ANYKEY == 1", "ANYKEY"), ("ANY pets UNION pets == nil", "INTERSECT and MINUS"),
            ("ANY {1} MINUS pets == 1", "INTERSECT and MINUS"),
            ("SUBQUERY(boss, $x, TRUEPREDICATE).@count == 1", "to-many"),
            ("CAST(name, 'NSDate') == 1", "a cast of 'name'"),
            ("name ==  CAST('x', 'NSDate')", "a cast of a text to NSDate"), ("length(age) == 1", "wants a text"),
        ])
    func refusals(text: String, part: String) throws {
        do {
            let expression = try expression(text)
            Issue.record("'\(text)' means \(expression)")
        } catch let error as FormatTranslationError {
            #expect(error.description.contains(part), "\(text): \(error)")
        }
    }

    @Test("sort keys are key paths to one value")
    func sorting() throws {
        let key = try SortKey(
            keyPath: "boss.name", on: person, in: model, ascending: false, textOrder: .localizedStandard)
        #expect(!key.isAscending && key.textOrder == .localizedStandard)
        #expect(try SortKey(keyPath: "pets.@count", on: person, in: model).expression.collection != nil)
        for path in ["pets", "pets.name", "nobody", "photo", "note", "address", ""] {
            #expect(throws: FormatTranslationError.self, "\(path)") {
                try SortKey(keyPath: path, on: person, in: model)
            }
        }
    }

    @Test("a key path, or a tree built by a program, that is too deep is refused")
    func depth() throws {
        let path = Array(repeating: "boss", count: 100_000).joined(separator: ".")
        #expect(throws: FormatTranslationError.self) { try expression("%K == nil", path) }
        #expect(
            !FormatEvaluator().test(
                .comparison(FormatComparison(.keyPath(path), .equal, .constant(.integer(1)))), of: [String: Any]()))
        var deep = FormatPredicate.constant(true)
        for _ in 0..<1_000 { deep = .not(deep) }
        #expect(throws: FormatTranslationError.tooDeep(limit: FormatTranslator.depthLimit)) {
            try PredicateFormat(deep).expression(on: person, in: model)
        }
    }
}
