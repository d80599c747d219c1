import Testing

@testable import ObjectGraph

@Suite("Properties in uniqueness constraints")
struct ModelUniquenessTests {
    private func model(_ constraint: [String]) throws -> Model {
        var home = Attribute("home", .composite)
        var street = Attribute("street", .composite)
        street.elements = [Attribute("name", .string), Attribute("number", .integer32)]
        home.elements = [Attribute("city", .string), street]
        var mood = Attribute("mood", .string)
        mood.isTransient = true
        var person = EntityDescription("Person")
        person.attributes = [Attribute("name", .string), mood, home]
        person.relationships = [
            Relationship("boss", to: "Person", .toOne), Relationship("friends", to: "Person", .toMany),
        ]
        person.uniquenessConstraints = [constraint]
        return try Model([person])
    }

    @Test(
        "Attributes, elements of composites and to-one relationships are allowed",
        arguments: [
            ["name"], ["name", "boss"], ["home"], ["home.city"], ["home.street"], ["home.street.number", "name"],
        ])
    func suitable(constraint: [String]) throws {
        try model(constraint).checkUniqueness()
    }

    @Test(
        "Properties without a column are refused",
        arguments: [
            ["friends"], ["name", "friends"], ["mood"], ["home.street.city"], ["name.first"], ["boss.name"],
        ])
    func unsuitable(constraint: [String]) throws {
        let model = try model(constraint)
        #expect(throws: ModelError.unsuitableConstraintProperty(entity: "Person", property: constraint.last ?? "")) {
            try model.checkUniqueness()
        }
    }

    @Test("Unknown properties are refused")
    func unknown() {
        #expect(throws: ModelError.unknownConstraintProperty(entity: "Person", property: "age")) {
            try model(["age"])
        }
        #expect(throws: ModelError.unknownConstraintProperty(entity: "Person", property: "age.years")) {
            try model(["age.years"])
        }
    }

    @Test("Leaves of a composite are named by path")
    func leaves() throws {
        let home = try #require(try model(["home"]).entity(named: "Person")?.attribute(named: "home")?.attribute)
        #expect(home.leafPositions(at: [String]()) == 0..<3)
        #expect(home.leafPositions(at: ["city"]) == 0..<1)
        #expect(home.leafPositions(at: ["street"]) == 1..<3)
        #expect(home.leafPositions(at: ["street", "number"]) == 2..<3)
        #expect(home.leafPositions(at: ["number"]) == nil)
        #expect(home.leafPositions(at: ["city", "name"]) == nil)
    }
}
