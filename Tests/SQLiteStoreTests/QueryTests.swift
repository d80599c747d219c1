import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// The SQL of each kind of expression, and its results.
@Suite("Queries")
struct QueryTests {
    /// Three categories, five animals, tags, keepers.
    private func filled() throws -> ZooStore {
        let zoo = try ZooStore()
        let cats = try zoo.insert("Category", ["name": .text("cats"), "rank": .integer(1)])
        let dogs = try zoo.insert("Category", ["name": .text("dogs")])
        try zoo.insert("Category", ["name": .text("fish"), "rank": .integer(3)])
        let keeper = try zoo.insert("Keeper", ["name": .text("Kim"), "badge": .integer(5)])
        let doctor = try zoo.insert(
            "Doctor", ["name": .text("Dee"), "title": .text("Dr"), "boss": .reference(keeper.id)])
        let animals: [[String: Value]] = [
            [
                "name": .text("Ida"), "age": .integer(3), "weight": .real(4.5), "born": .real(100),
                "category": .reference(cats.id), "keeper": .reference(keeper.id),
            ],
            [
                "name": .text("Zoë"), "age": .integer(5), "weight": .real(2), "category": .reference(cats.id),
                "keeper": .reference(doctor.id),
            ],
            ["name": .text("Rex"), "age": .integer(7), "born": .real(7), "category": .reference(dogs.id)],
            ["name": .text("idle")],
            [
                "name": .text("Max"), "age": .integer(0), "category": .reference(dogs.id),
                "keeper": .reference(keeper.id),
            ],
        ]
        let ids = try animals.map { try zoo.insert("Animal", $0).id }
        let tag = try zoo.insert("Tag", ["label": .text("wild")])
        let tame = try zoo.insert("Tag", ["label": .text("tame")])
        try zoo.save {
            $0.links = [
                try zoo.link(tag.id, "animals", added: [ids[0], ids[2]]),
                try zoo.link(tame.id, "animals", added: [ids[0]]),
            ]
        }
        return zoo
    }

    private let none = QueryExpression.literal(.null)

    @Test("equality, comparison with nil, and their negations")
    func equality() throws {
        let zoo = try filled()
        let age = try zoo.attribute("Animal", "age")
        let three = QueryExpression.literal(.integer(3))
        #expect(try zoo.whereClause("Animal", .compare(.equal, age, three)) == "ZANIMAL t0 WHERE t0.ZAGE = ?")
        #expect(try zoo.whereClause("Animal", .compare(.notEqual, age, three)) == "ZANIMAL t0 WHERE t0.ZAGE IS NOT ?")
        #expect(try zoo.whereClause("Animal", .compare(.equal, age, none)) == "ZANIMAL t0 WHERE t0.ZAGE IS NULL")
        #expect(
            try zoo.whereClause("Animal", .not(.compare(.less, age, three)))
                == "ZANIMAL t0 WHERE NOT (coalesce(t0.ZAGE < ?, 0))")
        #expect(try zoo.names("Animal", .compare(.notEqual, age, three)) == ["Zoë", "Rex", "idle", "Max"])
        #expect(try zoo.names("Animal", .not(.compare(.equal, age, three))) == ["Zoë", "Rex", "idle", "Max"])
        #expect(try zoo.names("Animal", .not(.compare(.less, age, three))) == ["Ida", "Zoë", "Rex", "idle"])
        #expect(try zoo.names("Animal", .compare(.equal, age, none)) == ["idle"])
        #expect(try zoo.names("Animal", .compare(.less, age, none)).isEmpty)
        let weight = try zoo.attribute("Animal", "weight")
        #expect(try zoo.names("Animal", .compare(.equal, age, weight)) == ["idle"], "nil equals nil")
    }

    @Test("indexes are used for equality, ranges, prefixes, keys and lists")
    func indexes() throws {
        let zoo = try filled()
        let (age, name) = (try zoo.attribute("Animal", "age"), try zoo.attribute("Animal", "name"))
        func plan(_ predicate: QueryExpression) throws -> String { try zoo.plan("Animal", predicate) }
        #expect(try plan(.compare(.equal, age, .literal(.integer(3)))).contains("Z_Animal_byAge (ZAGE=?)"))
        #expect(
            try plan(
                .and([
                    .compare(.greater, age, .literal(.integer(1))), .compare(.less, age, .literal(.integer(2))),
                ])
            ).contains("Z_Animal_byAge (ZAGE>? AND ZAGE<?)"))
        #expect(
            try plan(.text(.beginsWith, name, .literal(.text("I")))).contains("Z_Animal_byName (ZNAME>? AND ZNAME<?)"))
        let category = try zoo.toOne("Animal", "category")
        let id = try #require(try zoo.fetch("Category").first).id
        #expect(
            try plan(.compare(.equal, category, .literal(.reference(id)))).contains(
                "ZANIMAL_ZCATEGORY_INDEX (ZCATEGORY=?)"))
        #expect(
            try plan(.isMember(age, of: (0..<1000).map { .integer($0) })).contains("Z_Animal_byAge (ZAGE=?)"))
        #expect(try plan(.compare(.equal, age, none)).contains("Z_Animal_byAge (ZAGE=?)"))
        let categoryName = try zoo.attribute("Category", "name", of: category)
        let through = try plan(.compare(.equal, categoryName, .literal(.text("cats"))))
        #expect(through.contains("INTEGER PRIMARY KEY (rowid=?)") || through.contains("Z_Category_UNIQUE_name"))
    }

    @Test("to-one chains are joined once, and keys are read without a join")
    func chains() throws {
        let zoo = try filled()
        let category = try zoo.toOne("Animal", "category")
        let name = try zoo.attribute("Category", "name", of: category)
        let rank = try zoo.attribute("Category", "rank", of: category)
        let both = QueryExpression.and([
            .compare(.equal, name, .literal(.text("cats"))), .compare(.equal, rank, .literal(.integer(1))),
        ])
        #expect(
            try zoo.whereClause("Animal", both)
                == "ZANIMAL t0 LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORY WHERE t1.ZNAME = ? AND t1.ZRANK = ?")
        #expect(try zoo.names("Animal", both) == ["Ida", "Zoë"])
        #expect(
            try zoo.whereClause("Animal", .compare(.equal, category, none))
                == "ZANIMAL t0 WHERE t0.ZCATEGORY IS NULL")
        #expect(try zoo.names("Animal", .compare(.equal, rank, none)) == ["Rex", "idle", "Max"])
        let boss = try zoo.toOne("Person", "boss", of: try zoo.toOne("Animal", "keeper"))
        let bossName = try zoo.attribute("Person", "name", of: boss)
        #expect(try zoo.names("Animal", .compare(.equal, bossName, .literal(.text("Kim")))) == ["Zoë"])
        #expect(try zoo.names("Animal", .compare(.equal, boss, try zoo.toOne("Animal", "category"))) == ["idle"])
    }

    @Test("kinds and casts compare entity numbers")
    func kinds() throws {
        let zoo = try filled()
        let keeper = try zoo.toOne("Animal", "keeper")
        let (keeperIndex, doctorIndex) = (try zoo.entity("Keeper").index, try zoo.entity("Doctor").index)
        #expect(try zoo.names("Animal", .isKind(keeper, entityIndex: keeperIndex)) == ["Ida", "Max"])
        #expect(try zoo.names("Animal", .not(.isKind(keeper, entityIndex: keeperIndex))) == ["Zoë", "Rex", "idle"])
        #expect(
            try zoo.names("Animal", .isKind(keeper, entityIndex: try zoo.entity("Person").index)) == [
                "Ida", "Zoë", "Max",
            ])
        let badge = try zoo.attribute("Keeper", "badge", of: .cast(keeper, entityIndex: keeperIndex))
        #expect(try zoo.names("Animal", .compare(.equal, badge, .literal(.integer(5)))) == ["Ida", "Max"])
        let doctorName = try zoo.attribute("Person", "name", of: .cast(keeper, entityIndex: doctorIndex))
        #expect(try zoo.names("Animal", .compare(.notEqual, doctorName, none)) == ["Zoë"])
        #expect(try zoo.names("Person", .isKind(.variable(.root), entityIndex: doctorIndex)) == ["Dee"])
        #expect(
            try zoo.whereClause("Keeper", .compare(.equal, try zoo.attribute("Keeper", "badge"), .literal(.integer(5))))
                == "ZPERSON t0 WHERE +t0.Z_ENT = \(zoo.store.map.entities[keeperIndex].entityNumber) AND t0.ZBADGE = ?")
    }

    @Test("membership in short and long lists, with nil, and of identities")
    func membership() throws {
        let zoo = try filled()
        let age = try zoo.attribute("Animal", "age")
        #expect(try zoo.names("Animal", .isMember(age, of: [.integer(3), .integer(7)])) == ["Ida", "Rex"])
        #expect(try zoo.names("Animal", .not(.isMember(age, of: [.integer(3)]))) == ["Zoë", "Rex", "idle", "Max"])
        #expect(try zoo.names("Animal", .isMember(age, of: [.integer(3), .null])) == ["Ida", "idle"])
        #expect(try zoo.names("Animal", .isMember(age, of: [])).isEmpty)
        let many = [Value.null] + (3..<100_000).map { .integer($0) }
        #expect(try zoo.names("Animal", .isMember(age, of: many)) == ["Ida", "Zoë", "Rex", "idle"])
        #expect(try zoo.names("Animal", .not(.isMember(age, of: many))) == ["Max"])
        let ids = try zoo.fetch("Animal").map { Value.reference($0.id) }
        #expect(
            try zoo.names("Animal", .isMember(.identity(.variable(.root)), of: [ids[1], ids[3]])) == ["Zoë", "idle"])
        let foreign = try zoo.fetch("Category").map { Value.reference($0.id) }
        #expect(try zoo.names("Animal", .isMember(.variable(.root), of: foreign)).isEmpty)
        let other = QueryExpression.literal(.reference(.temporary(entityName: "Category")))
        #expect(try zoo.names("Animal", .compare(.equal, try zoo.toOne("Animal", "category"), other)).isEmpty)
        #expect(try zoo.names("Animal", .compare(.notEqual, try zoo.toOne("Animal", "category"), other)).count == 5)
    }

    @Test("texts use built-in functions where they suffice, the shared matching elsewhere")
    func texts() throws {
        let zoo = try filled()
        let name = try zoo.attribute("Animal", "name")
        func find(_ test: TextTest, _ other: String) throws -> [String] {
            try zoo.names("Animal", .text(test, name, .literal(.text(other))))
        }
        #expect(try find(.contains, "d") == ["Ida", "idle"])
        #expect(try find(.contains, "").count == 5)
        #expect(try find(.beginsWith, "Id") == ["Ida"])
        #expect(try find(.beginsWith, "").count == 5)
        #expect(try find(.beginsWith, "I\u{10FFFF}").isEmpty)
        #expect(try find(.endsWith, "ë") == ["Zoë"])
        #expect(try find(.containsLocalizedStandard, "zoe") == ["Zoë"])
        #expect(try find(.containsLocalizedStandard, "ID") == ["Ida", "idle"])
        #expect(try find(.matches, "[A-Z]..") == ["Ida", "Zoë", "Rex", "Max"])
        #expect(try find(.matches, "[") == [])
        #expect(
            try zoo.whereClause("Animal", .text(.contains, name, .literal(.text("d"))))
                == "ZANIMAL t0 WHERE instr(t0.ZNAME, ?) > 0")
        let categoryName = try zoo.attribute("Category", "name", of: try zoo.toOne("Animal", "category"))
        #expect(
            try zoo.names("Animal", .not(.text(.contains, categoryName, .literal(.text("cat"))))) == [
                "Rex", "idle", "Max",
            ])
        #expect(try zoo.names("Animal", .text(.contains, name, none)).isEmpty)
        let length = QueryExpression.textLength(name)
        #expect(try zoo.names("Animal", .compare(.equal, length, .literal(.integer(4)))) == ["idle"])
        let order = QueryExpression.textOrder(.caseInsensitive, name, .literal(.text("IDLE")))
        #expect(try zoo.names("Animal", .compare(.equal, order, .literal(.integer(0)))) == ["idle"])
    }

    @Test("collections: exists, all, count, filters and aggregates")
    func collections() throws {
        let zoo = try filled()
        let animals = try zoo.toMany("Category", "animals")
        let member = QueryVariable(1)
        let age = try zoo.attribute("Animal", "age", of: .variable(member))
        let old = QueryExpression.compare(.greater, age, .literal(.integer(4)))
        #expect(
            try zoo.whereClause("Category", .exists(animals, member, old))
                == "ZCATEGORY t0 WHERE EXISTS (SELECT 1 FROM ZANIMAL t1 WHERE t1.ZCATEGORY = t0.Z_PK AND (t1.ZAGE > ?))"
        )
        #expect(try zoo.names("Category", .exists(animals, member, old)) == ["cats", "dogs"])
        #expect(try zoo.names("Category", .all(animals, member, old)) == ["fish"])
        #expect(try zoo.names("Category", .not(.exists(animals, member, old))) == ["fish"])
        #expect(
            try zoo.names("Category", .compare(.equal, .count(animals), .literal(.integer(2)))) == ["cats", "dogs"])
        let second = QueryVariable(2)
        let aged = try zoo.attribute("Animal", "age", of: .variable(second))
        let filtered = QueryCollection.filtered(animals, second, .compare(.greater, aged, .literal(.integer(4))))
        #expect(
            try zoo.names("Category", .compare(.equal, .count(filtered), .literal(.integer(1)))) == ["cats", "dogs"])
        func aggregate(_ function: AggregateFunction, _ expected: Value) throws -> [String] {
            try zoo.names("Category", .compare(.equal, .aggregate(function, animals, member, age), .literal(expected)))
        }
        #expect(try aggregate(.maximum, .integer(7)) == ["dogs"])
        #expect(try aggregate(.minimum, .integer(3)) == ["cats"])
        #expect(try aggregate(.sum, .integer(8)) == ["cats"])
        #expect(try aggregate(.sum, .integer(0)) == ["fish"])
        #expect(try aggregate(.average, .real(3.5)) == ["dogs"])
        #expect(try aggregate(.average, .null) == ["fish"])
        let tags = try zoo.toMany("Animal", "tags")
        let label = try zoo.attribute("Tag", "label", of: .variable(member))
        #expect(
            try zoo.names("Animal", .exists(tags, member, .compare(.equal, label, .literal(.text("wild"))))) == [
                "Ida", "Rex",
            ])
        #expect(try zoo.names("Animal", .compare(.greater, .count(tags), .literal(.integer(1)))) == ["Ida"])
        #expect(
            try zoo.whereClause("Animal", .compare(.greater, .count(tags), .literal(.integer(1))))
                == "ZANIMAL t0 WHERE (SELECT count(*) FROM Z_2TAGS t2 WHERE t2.Z_2ANIMALS = t0.Z_PK) > ?")
        let viaKeeper = try zoo.toMany("Person", "animals", of: try zoo.toOne("Animal", "keeper"))
        #expect(try zoo.names("Animal", .compare(.equal, .count(viaKeeper), .literal(.integer(2)))) == ["Ida", "Max"])
        #expect(try zoo.names("Animal", .compare(.equal, .count(viaKeeper), .literal(.integer(0)))) == ["Rex", "idle"])
        let outer = QueryExpression.exists(
            animals, member, .compare(.equal, try zoo.attribute("Category", "rank"), .literal(.integer(1))))
        #expect(try zoo.names("Category", outer) == ["cats"])
    }

    @Test("arithmetic, conditionals, defaults, values as conditions and conditions as values")
    func values() throws {
        let zoo = try filled()
        let age = try zoo.attribute("Animal", "age")
        let half = QueryExpression.arithmetic(.divide, age, .literal(.integer(2)))
        #expect(try zoo.names("Animal", .compare(.equal, half, .literal(.integer(3)))) == ["Rex"])
        let born = try zoo.attribute("Animal", "born")
        let halfBorn = QueryExpression.arithmetic(.divide, born, .literal(.integer(2)))
        #expect(
            try zoo.names("Animal", .compare(.equal, halfBorn, .literal(.real(3.5)))) == ["Rex"], "a date is a real")
        let byZero = QueryExpression.arithmetic(.divide, age, .literal(.integer(0)))
        #expect(try zoo.names("Animal", .compare(.equal, byZero, none)).count == 5)
        #expect(try zoo.names("Animal", .compare(.equal, .negative(age), .literal(.integer(-5)))) == ["Zoë"])
        #expect(
            try zoo.names("Animal", .compare(.equal, .coalesce(age, .literal(.integer(9))), .literal(.integer(9)))) == [
                "idle"
            ])
        #expect(try zoo.names("Animal", age) == ["Ida", "Zoë", "Rex"])
        #expect(try zoo.names("Animal", .not(age)) == ["idle", "Max"])
        #expect(try zoo.names("Animal", try zoo.attribute("Animal", "name")).count == 5)
        let isOld = QueryExpression.compare(.greater, age, .literal(.integer(4)))
        #expect(try zoo.names("Animal", .compare(.equal, isOld, .literal(.integer(0)))) == ["Ida", "idle", "Max"])
        let choice = QueryExpression.conditional(test: isOld, then: .literal(.text("old")), otherwise: .literal(.null))
        #expect(try zoo.names("Animal", .compare(.equal, choice, .literal(.text("old")))) == ["Zoë", "Rex"])
        #expect(try zoo.names("Animal", .and([])).count == 5)
        #expect(try zoo.names("Animal", .or([])).isEmpty)
        #expect(try zoo.names("Animal", .or([isOld, .compare(.equal, age, none)])) == ["Zoë", "Rex", "idle"])
    }

    @Test("sorting: nil first ascending, ties by key, collations, to-one chains, windows")
    func sorting() throws {
        let zoo = try filled()
        func names(_ sort: [SortKey], limit: Int? = nil, offset: Int = 0) throws -> [String] {
            var query = Query(entityIndex: try zoo.entity("Animal").index)
            query.sort = sort
            query.limit = limit
            query.offset = offset
            let rows = try zoo.store.fetch(query)
            #expect(try zoo.store.count(query) == rows.count)
            var oneByOne: [Snapshot] = []
            try zoo.store.forEachRow(of: query) { oneByOne.append($0) }
            #expect(oneByOne == rows)
            return try rows.compactMap { snapshot in
                if case .text(let text) = try zoo.value(snapshot, "name") { text } else { nil }
            }
        }
        let (age, name) = (try zoo.attribute("Animal", "age"), try zoo.attribute("Animal", "name"))
        #expect(try names([SortKey(age)]) == ["idle", "Max", "Ida", "Zoë", "Rex"])
        #expect(try names([SortKey(age, ascending: false)]) == ["Rex", "Zoë", "Ida", "Max", "idle"])
        #expect(try names([SortKey(name)]) == ["Ida", "Max", "Rex", "Zoë", "idle"])
        #expect(try names([SortKey(name, textOrder: .localizedStandard)]) == ["Ida", "idle", "Max", "Rex", "Zoë"])
        let categoryName = try zoo.attribute("Category", "name", of: try zoo.toOne("Animal", "category"))
        let byCategory = [SortKey(categoryName, ascending: false), SortKey(name)]
        #expect(try names(byCategory) == ["Max", "Rex", "Ida", "Zoë", "idle"])
        #expect(try names(byCategory, limit: 2, offset: 1) == ["Rex", "Ida"])
        #expect(try names([], offset: 3) == ["idle", "Max"])
        #expect(try names([], limit: 0).isEmpty)
    }

    @Test("expressions without SQL are refused by name")
    func refusals() throws {
        let zoo = try filled()
        func refusal(_ entity: String, _ predicate: QueryExpression) -> UntranslatableExpression? {
            #expect(throws: UntranslatableExpression.self) { try zoo.fetch(entity, predicate) }
        }
        let picture = try zoo.attribute("Everything", "picture")
        #expect(
            refusal("Everything", .compare(.equal, picture, .literal(.bytes(Data([1])))))?.construct.contains("picture")
                == true)
        #expect(try zoo.fetch("Everything", .compare(.equal, picture, none)).isEmpty)
        let scratch = try zoo.attribute("Everything", "scratch")
        #expect(refusal("Everything", .compare(.equal, scratch, none))?.construct.contains("scratch") == true)
        #expect(refusal("Animal", .variable(QueryVariable(9))) != nil)
        let stray = QueryExpression.attribute(.literal(.null), AttributeReference(entityIndex: 0, slot: 0, path: "x"))
        #expect(refusal("Animal", stray) != nil)
        let wild = QueryExpression.attribute(.variable(.root), AttributeReference(entityIndex: 0, slot: 999, path: "x"))
        #expect(refusal("Everything", wild) != nil)
    }

    @Test("rows by identity take one statement per table, unknown ones are omitted")
    func byIdentity() throws {
        let zoo = try filled()
        let animals = try zoo.fetch("Animal")
        let people = try zoo.fetch("Person")
        let unknown = [
            ObjectID.temporary(entityName: "Animal"), zoo.store.objectID(entity: try zoo.entity("Animal"), key: 999),
            ObjectID(space: .intern(storeIdentifier: "elsewhere", entityName: "Animal"), key: 1),
        ]
        zoo.log.clear()
        let found = try zoo.store.snapshots(of: animals.map(\.id) + people.map(\.id) + unknown)
        #expect(Set(found) == Set(animals + people))
        #expect(zoo.log.statements.filter { $0.hasPrefix("SELECT") }.count == 2)
        zoo.log.clear()
        #expect(try zoo.store.snapshots(of: [people[0].id]) == [people[0]])
        #expect(try zoo.store.snapshots(of: [unknown[1]]).isEmpty)
        #expect(zoo.log.statements.count == 2)
    }

    @Test(
        "NaN equals NULL, as in memory", arguments: [Value.real(.nan), .decimal(.nan), .null])
    func notANumber(nothing: Value) throws {
        let zoo = try ZooStore()
        try zoo.insert("Animal", ["name": .text("none")])
        try zoo.insert("Animal", ["name": .text("some"), "weight": .real(2)])
        let weight = try zoo.attribute("Animal", "weight")
        func names(_ predicate: QueryExpression) throws -> [String] {
            try zoo.names("Animal", predicate)
        }
        #expect(try names(.compare(.equal, weight, .literal(nothing))) == ["none"])
        #expect(try names(.compare(.notEqual, weight, .literal(nothing))) == ["some"])
        #expect(try names(.compare(.less, weight, .literal(nothing))) == [])
        #expect(try names(.not(.compare(.equal, .literal(nothing), weight))) == ["some"])
        #expect(try names(.isMember(weight, of: [nothing])) == ["none"])
        #expect(try names(.isMember(weight, of: [nothing, .real(2)])) == ["none", "some"])
        #expect(try names(.not(.isMember(weight, of: [nothing]))) == ["some"])
    }
}
