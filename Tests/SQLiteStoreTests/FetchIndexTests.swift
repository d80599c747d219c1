import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import AppleFormats
@testable import PredicateFormat
@testable import SQLiteStore

/// Fetch indexes of a model in its file.
@Suite("Fetch indexes")
struct FetchIndexTests {
    private func model(_ indexes: [FetchIndex]) throws -> Model {
        var animal = EntityDescription("Animal")
        animal.attributes = [
            Attribute("name", .string, optional: true), Attribute("age", .integer64, optional: true),
            Attribute("born", .date, optional: true), Attribute("token", .uuid, optional: true),
            Attribute("photo", .binary, optional: true),
        ]
        animal.relationships = [
            Relationship("owner", to: "Person", .toOne, inverse: "animals")
        ]
        animal.indexes = indexes
        var person = EntityDescription("Person")
        person.attributes = [Attribute("name", .string)]
        person.relationships = [Relationship("animals", to: "Animal", .toMany, inverse: "owner")]
        return try Model([animal, person])
    }

    @Test(
        "a predicate on a key without inverse uses its index, and treats keys of deleted rows as nil; other keys need no check"
    )
    func keys() throws {
        let zoo = try ZooStore()
        let boss = try zoo.insert("Person", [:])
        let equal = QueryExpression.compare(.equal, try zoo.toOne("Person", "boss"), .literal(.reference(boss.id)))
        #expect(
            try zoo.whereClause("Person", equal)
                == "ZPERSON t0 WHERE (t0.ZBOSS = ? AND EXISTS (SELECT 1 FROM ZPERSON e WHERE e.Z_PK = t0.ZBOSS))")
        #expect(try zoo.plan("Person", equal).contains("ZPERSON_ZBOSS_INDEX"))
        #expect(
            try zoo.whereClause("Person", .compare(.equal, try zoo.toOne("Person", "boss"), .literal(.null)))
                == "ZPERSON t0 WHERE (t0.ZBOSS IS NULL OR NOT EXISTS (SELECT 1 FROM ZPERSON e WHERE e.Z_PK = t0.ZBOSS))"
        )
        let category = try zoo.toOne("Animal", "category")
        #expect(
            try zoo.whereClause("Animal", .compare(.equal, category, .literal(.null)))
                == "ZANIMAL t0 WHERE t0.ZCATEGORY IS NULL")
    }

    private func statement(_ index: FetchIndex) throws -> String? {
        SchemaLayout(try model([index])).indexStatements.first { $0.contains("Z_Animal_") }
    }

    @Test("elements are ascending or descending, in the order of the model")
    func directions() throws {
        let index = FetchIndex(
            name: "byAge", elements: [.init("age", ascending: false), .init("owner"), .init("name", ascending: false)])
        #expect(
            try statement(index)
                == "CREATE INDEX Z_Animal_byAge ON ZANIMAL (ZAGE COLLATE BINARY DESC, ZOWNER COLLATE BINARY ASC, "
                + "ZNAME COLLATE BINARY DESC)")
    }

    @Test(
        "conditions of own attributes and constants are SQL without functions of this library",
        arguments: [
            ("age > 3", "ZAGE > 3"),
            ("age != nil AND name == 'O\\'Neil'", "(ZAGE IS NOT NULL) AND (ZNAME = 'O''Neil')"),
            ("born >= CAST(5.5, 'NSDate')", "ZBORN >= 5.5"), ("age IN {1, 2}", "ZAGE IN (1, 2)"),
            ("name BEGINSWITH 'a'", "(ZNAME >= 'a' AND ZNAME < 'b')"),
            ("token == '00000000-0000-0000-0000-0000000000FF'", "ZTOKEN = X'000000000000000000000000000000FF'"),
        ])
    func conditions(predicate: String, sql: String) throws {
        let index = FetchIndex(name: "some", elements: [.init("name")], condition: predicate)
        let statement = try #require(try statement(index))
        let (head, condition) = try #require(
            statement.range(of: " WHERE ").map { (statement[..<$0.lowerBound], statement[$0.upperBound...]) })
        #expect(head == "CREATE INDEX Z_Animal_some ON ZANIMAL (ZNAME COLLATE BINARY ASC)")
        #expect(condition == sql || condition == "(\(sql))")
    }

    @Test(
        "other conditions make an index of all rows",
        arguments: [
            "owner.name == 'x'", "name CONTAINS[c] 'x'", "length(name) > 2", "owner.animals.@count > 1", "age > $x",
            "nobody == 1", "age >", "age + 1 > 2",
        ])
    func otherConditions(predicate: String) throws {
        let index = FetchIndex(name: "some", elements: [.init("name")], condition: predicate)
        #expect(try statement(index) == "CREATE INDEX Z_Animal_some ON ZANIMAL (ZNAME COLLATE BINARY ASC)")
    }

    @Test("the same rows are found, whether or not they are in a partial index")
    func sameRows() throws {
        let plain = try model([])
        let indexed = try model([
            FetchIndex(name: "old", elements: [.init("age", ascending: false)], condition: "age > 3 AND name != nil"),
            FetchIndex(
                name: "some", elements: [.init("name", ascending: false)], condition: "age IN {1, 7} OR age == nil"),
        ])
        let animal = try #require(plain.entity(named: "Animal"))
        let texts = ["age > 3", "age > 5 AND name != nil", "age IN {1, 7}", "age == nil", "name == 'b' AND age > 3"]
        var found: [[[Int64]]] = []
        for model in [plain, indexed] {
            let store = try SQLiteStore(model: model, location: .memory)
            let graph = Graph(model: model, store: store)
            let entity = try #require(model.entity(named: "Animal"))
            for number in 0..<40 {
                let record = Record(newObjectOf: entity)
                let slot = try #require(entity.attribute(named: "age")?.slots.lowerBound)
                if number % 7 != 0 { record.initializeValue(.integer(Int64(number % 9)), at: slot) }
                let name = try #require(entity.attribute(named: "name")?.slots.lowerBound)
                if number % 4 != 0 { record.initializeValue(.text(number % 3 == 0 ? "a" : "b"), at: name) }
                graph.insert((record, Owner()))
            }
            try graph.save()
            found.append(
                try texts.map { text in
                    let predicate = try PredicateFormat(parsing: text).expression(on: animal, in: plain)
                    var query = Query(entityIndex: animal.index, predicate: predicate)
                    query.sort = [try SortKey(keyPath: "age", on: animal, in: plain, ascending: false)]
                    return try store.fetchIDs(query).map(\.key)
                })
        }
        #expect(found[0] == found[1])
        #expect(found[0].allSatisfy { !$0.isEmpty })
    }

    private final class Owner {}

    @Test("the model in a file keeps the directions")
    func archive() throws {
        let indexes = [FetchIndex(name: "byAge", elements: [.init("age", ascending: false), .init("name")])]
        let content = try #require(try ArchivedModel.deflated(try model(indexes)))
        #expect(try ArchivedModel.model(deflated: content).entity(named: "Animal")?.indexes == indexes)
    }
}
