import ObjectGraph
import Testing

@Suite("Derivations")
struct DerivationTests {
    @Test("every documented form is parsed, in every notation")
    func forms() {
        #expect(Derivation("now()") == .now)
        #expect(Derivation("name") == .value(path: ["name"], change: nil))
        #expect(Derivation("SELF.author.name") == .value(path: ["author", "name"], change: nil))
        #expect(Derivation("canonical:(name)") == .value(path: ["name"], change: .foldCaseAndDiacritics))
        #expect(Derivation("uppercase:(author.name)") == .value(path: ["author", "name"], change: .uppercase))
        #expect(Derivation("lowercase(name)") == .value(path: ["name"], change: .lowercase))
        for text in ["friends.@count", "count:(friends)"] { #expect(Derivation(text) == .count(path: ["friends"])) }
        for text in ["friends.@sum.age", "friends.age.@sum", "sum:(friends.age)"] {
            #expect(Derivation(text) == .sum(path: ["friends", "age"]))
        }
    }

    @Test(
        "others are refused, and nothing traps",
        arguments: [
            "", ".", "a.", ".a", "a..b", "@count", "@count.a", "a.@count.b", "a.@max.b", "a.@sum.b.@count", "max:(a)",
            "now(a)", "canonical:()", "canonical:(a.@count)", "canonical:(a", "a)", "()", "(", "a b", "count:(a, b)",
            "'a'", "1 + 2", "SELF", "a.@", "canonical:(uppercase:(a))",
        ])
    func others(text: String) {
        #expect(Derivation(text) == nil)
    }

    private func attribute(
        _ name: String, _ type: AttributeType, _ derivation: String? = nil,
        _ change: (inout Attribute) -> Void = { _ in }
    ) -> Attribute {
        var attribute = Attribute(name, type, optional: true)
        attribute.derivation = derivation
        change(&attribute)
        return attribute
    }

    private func problem(_ derived: Attribute, _ others: Attribute...) throws -> DerivationError.Problem? {
        var owner = EntityDescription("Owner")
        owner.attributes = [derived] + others
        owner.relationships = [
            Relationship("pets", to: "Pet", .toMany, inverse: "owner"), Relationship("home", to: "Home", .toOne),
        ]
        var pet = EntityDescription("Pet")
        pet.attributes = [
            attribute("name", .string), attribute("age", .integer16), attribute("weight", .double),
            attribute("note", .string) { $0.isTransient = true },
            attribute("picture", .binary) { $0.allowsExternalStorage = true },
        ]
        pet.relationships = [Relationship("owner", to: "Owner", .toOne, inverse: "pets")]
        var home = EntityDescription("Home")
        home.attributes = [
            attribute("place", .composite) { $0.elements = [attribute("city", .string), attribute("zip", .integer32)] }
        ]
        let model = try Model([owner, pet, home])
        let entity = try #require(model.entity(named: "Owner"))
        let found = try #require(entity.attribute(named: derived.name))
        do throws(DerivationError) {
            _ = try model.derivedValue(of: found, entity)
            return nil
        } catch {
            #expect(error.description.contains("'Owner."))
            return error.problem
        }
    }

    @Test("names are resolved along the path, also in elements of composites")
    func found() throws {
        for (type, text) in [
            (AttributeType.string, "home.place.city"), (.string, "canonical:(home.place.city)"),
            (.integer64, "home.place.zip"), (.double, "home.place.zip"), (.integer32, "pets.@count"),
            (.double, "pets.@sum.weight"), (.integer64, "pets.@sum.weight"), (.integer64, "pets.age.@sum"),
            (.integer64, "pets.owner.pets.@count"), (.date, "now()"),
        ] {
            #expect(try problem(attribute("d", type, text)) == nil, "\(text)")
        }
    }

    @Test("a derivation that cannot be computed has an error with the reason")
    func problems() throws {
        #expect(try problem(attribute("d", .string, "1 + 2")) == .notUnderstood)
        #expect(try problem(attribute("d", .string, "pets.name")) == .crossesToMany("pets"))
        #expect(try problem(attribute("d", .string, "home.street")) == .unknownAttribute("street"))
        #expect(try problem(attribute("d", .integer64, "home.rooms.@count")) == .unknownRelationship("rooms"))
        #expect(try problem(attribute("d", .integer64, "home.@count")) == .lacksToMany)
        #expect(try problem(attribute("d", .string, "home")) == .endsAtRelationship)
        #expect(try problem(attribute("d", .integer64, "pets.@sum.name")) == .unsuitableType)
        #expect(try problem(attribute("d", .string, "pets.@count")) == .unsuitableType)
        #expect(try problem(attribute("d", .double, "now()")) == .unsuitableType)
        #expect(try problem(attribute("d", .string, "home.place")) == .unsuitableType)
        #expect(try problem(attribute("d", .integer64, "d")) == .circular)
        let other = attribute("e", .integer64, "home.place.zip")
        #expect(try problem(attribute("d", .integer64, "e"), other) == nil)
        let back = attribute("e", .integer64, "pets.owner.@sum.d")
        #expect(try problem(attribute("d", .integer64, "e"), back) == .circular)
        #expect(try problem(attribute("d", .integer64, "pets.@count") { $0.derivationFilter = "a > 1" }) == .filtered)
    }
}
