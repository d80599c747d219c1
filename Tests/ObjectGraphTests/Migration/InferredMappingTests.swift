import ObjectGraph
import Testing

@Suite("Inferred mappings")
struct InferredMappingTests {
    private func entity(
        _ name: String, _ attributes: [Attribute] = [], _ relationships: [Relationship] = [],
        under parent: String? = nil
    ) -> EntityDescription {
        var description = EntityDescription(name, superentity: parent)
        description.attributes = attributes
        description.relationships = relationships
        return description
    }

    private func renamed(_ name: String, from former: String, _ type: AttributeType = .string) -> Attribute {
        var attribute = Attribute(name, type, optional: true)
        attribute.renamingIdentifier = former
        return attribute
    }

    private func mapping(_ old: [EntityDescription], _ new: [EntityDescription]) throws -> InferredMapping {
        try InferredMapping(from: Model(old), to: Model(new))
    }

    private func origins(_ old: [Attribute], _ new: [Attribute]) throws -> [String?] {
        let mapping = try mapping([entity("E", old)], [entity("E", new)])
        let found = try #require(mapping.entities[0])
        return found.attributeOrigins.map { $0.map { old[$0].name } }
    }

    @Test("a renaming identifier is the former name, or a common name of both versions")
    func renaming() throws {
        let a = Attribute("a", .string, optional: true)
        #expect(try origins([a], [renamed("b", from: "a")]) == ["a"])
        #expect(try origins([renamed("b", from: "a")], [renamed("c", from: "a")]) == ["b"])
        #expect(try origins([renamed("b", from: "a")], [renamed("b", from: "a")]) == ["b"])
        #expect(try origins([a], [a, renamed("b", from: "a")]) == [nil, "a"], "explicit renames come first")
        #expect(try origins([renamed("b", from: "a")], [a]) == ["b"])
        #expect(try origins([a], [Attribute("b", .string, optional: true)]) == [nil])
    }

    @Test("types that can hold all values of another accept them; others are refused with entity and property")
    func types() throws {
        for (from, to) in [
            (AttributeType.integer16, AttributeType.integer64), (.float, .double), (.boolean, .integer16),
        ] {
            let (old, new) = (Attribute("a", from, optional: true), Attribute("a", to, optional: true))
            #expect(try origins([old], [new]) == ["a"])
            #expect(throws: MappingError.incompatibleType(entity: "E", attribute: "a", from: to, to: from)) {
                try origins([new], [old])
            }
        }
    }

    @Test("a newly mandatory attribute needs a default, unless it was mandatory before")
    func mandatory() throws {
        let error = MappingError.missingDefault(entity: "E", attribute: "a")
        var strict = Attribute("a", .string)
        #expect(throws: error) { try origins([], [strict]) }
        #expect(throws: error) { try origins([Attribute("a", .string, optional: true)], [strict]) }
        #expect(try origins([strict], [strict]) == ["a"])
        strict.defaultValue = [.text("x")]
        #expect(try origins([], [strict]) == [nil])
        var transient = Attribute("a", .string)
        transient.isTransient = true
        #expect(try origins([], [transient]) == [nil])
    }

    @Test("with possibly empty tables, a missing default is reported with its entity")
    func unfilled() throws {
        let (old, new) = (
            try Model([entity("E"), entity("F")]), try Model([entity("E"), entity("F", [Attribute("a", .string)])])
        )
        let mapping = try InferredMapping(from: old, to: new, missingValues: .acceptedWithoutRows)
        #expect(mapping.unfilled.map { new[$0.entityIndex].name } == ["F"])
        #expect(mapping.unfilled.map(\.error) == [.missingDefault(entity: "F", attribute: "a")])
        #expect(throws: MappingError.missingDefault(entity: "F", attribute: "a")) {
            try InferredMapping(from: old, to: new)
        }
    }

    @Test("a to-one relationship may become to-many, not the reverse; its destination cannot be another entity")
    func relationships() throws {
        func pair(_ one: Cardinality, to name: String = "B", inverse: String? = "a") -> [EntityDescription] {
            var back = Relationship("a", to: "A", .toMany, inverse: "b")
            back.name = inverse ?? ""
            return [
                entity("A", [], [Relationship("b", to: name, one, inverse: inverse)]),
                entity(name, [], inverse == nil ? [] : [back]),
            ]
        }
        _ = try mapping(pair(.toOne), pair(.toMany))
        #expect(throws: MappingError.toManyBecomesToOne(entity: "A", relationship: "b")) {
            try mapping(pair(.toMany), pair(.toOne))
        }
        #expect(throws: MappingError.otherDestination(entity: "A", relationship: "b", from: "B", to: "C")) {
            try mapping(pair(.toOne), pair(.toOne, to: "C") + [entity("B")])
        }
        var strict = Relationship("c", to: "A", .toOne)
        strict.isOptional = false
        #expect(throws: MappingError.missingDestination(entity: "A", relationship: "c")) {
            try mapping([entity("A")], [entity("A", [], [strict])])
        }
        let lone = [
            entity("A", [], [Relationship("b", to: "B", .toOne)]),
            entity("B", [], [Relationship("a", to: "A", .toMany)]),
        ]
        #expect(throws: MappingError.otherInverse(entity: "A", relationship: "b")) {
            try mapping(lone, pair(.toOne))
        }
    }

    @Test("hierarchies may get a superentity, but not be merged")
    func hierarchies() throws {
        let old = [entity("A"), entity("B")]
        let mapping = try mapping(old, [entity("A", under: "P"), entity("B"), entity("P")])
        #expect(mapping.successors == [0, 1] && mapping.entities[2] == nil)
        #expect(throws: MappingError.mergedHierarchies(root: "P", former: ["A", "B"])) {
            try self.mapping(old, [entity("A", under: "P"), entity("B", under: "P"), entity("P")])
        }
        #expect(throws: MappingError.nothingInCommon(["A", "B"])) { try self.mapping(old, [entity("C")]) }
    }
}
