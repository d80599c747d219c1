import Testing

@testable import ObjectGraph

/// One model per warning, and models without warnings.
@Suite("Linting delete rules")
struct DeleteRuleLintTests {
    private typealias End = DeleteRuleWarning.End

    /// Entities by name, `Sub: Super` for a subentity, with their relationships.
    private func warnings(
        _ entities: KeyValuePairs<String, [Relationship]>
    ) throws -> [DeleteRuleWarning] {
        let descriptions = entities.map { name, relationships in
            let names = name.split(separator: ":").map { String($0) }
            var description = EntityDescription(names[0], superentity: names.count > 1 ? names[1] : nil)
            description.relationships = relationships
            return description
        }
        return DeleteRuleLint.warnings(of: try Model(descriptions))
    }

    private func one(
        _ name: String, _ destination: String, _ inverse: String? = nil, _ rule: DeleteRule = .nullify,
        optional: Bool = true
    ) -> Relationship {
        Relationship(name, to: destination, .toOne, inverse: inverse, deleteRule: rule, optional: optional)
    }

    private func many(
        _ name: String, _ destination: String, _ inverse: String? = nil, _ rule: DeleteRule = .nullify,
        minimum: Int = 0, maximum: Int = 0, optional: Bool = false
    ) -> Relationship {
        var relationship = Relationship(
            name, to: destination, .toMany, inverse: inverse, deleteRule: rule, optional: optional)
        relationship.minimumCount = minimum
        relationship.maximumCount = maximum
        return relationship
    }

    // MARK: Nullify into a mandatory end

    @Test("a nullify is reported if its inverse is mandatory, whichever end comes first")
    func nullifyMandatory() throws {
        let category = many("animals", "Animal", "category")
        let animal = one("category", "Category", "animals", optional: false)
        let expected = DeleteRuleWarning.nullifyMandatory(
            End("Category", "animals"), mandatory: End("Animal", "category"))
        #expect(try warnings(["Category": [category], "Animal": [animal]]) == [expected])
        #expect(try warnings(["Animal": [animal], "Category": [category]]) == [expected])
        let wrongEnd = one("category", "Category", "animals", .cascade, optional: false)
        #expect(try warnings(["Category": [category], "Animal": [wrongEnd]]) == [expected])
    }

    @Test("two mandatory ends are reported once")
    func bothMandatory() throws {
        #expect(
            try warnings([
                "Person": [one("passport", "Passport", "holder", optional: false)],
                "Passport": [one("holder", "Person", "passport", optional: false)],
            ]) == [.nullifyMandatory(End("Person", "passport"), mandatory: End("Passport", "holder"))])
    }

    @Test("other rules leave no mandatory end empty, and neither does a cascading one-to-one pair")
    func mandatoryWithoutNullify() throws {
        let animal = one("category", "Category", "animals", optional: false)
        for rule in [DeleteRule.cascade, .deny, .noAction] {
            #expect(
                try warnings(["Category": [many("animals", "Animal", "category", rule)], "Animal": [animal]]) == [],
                "\(rule)")
        }
        #expect(
            try warnings([
                "Person": [one("passport", "Passport", "holder", .cascade, optional: false)],
                "Passport": [one("holder", "Person", "passport", optional: false)],
            ]) == [])
    }

    // MARK: Both ways

    @Test("the same rule at both ends is reported once", arguments: [DeleteRule.cascade, .deny])
    func bothWays(rule: DeleteRule) throws {
        func expected(_ end: End, _ other: End) -> [DeleteRuleWarning] {
            [rule == .cascade ? .cascadeBothWays(end, other) : .denyBothWays(end, other)]
        }
        #expect(
            try warnings([
                "A": [many("bs", "B", "a", rule)], "B": [one("a", "A", "bs", rule, optional: false)],
            ]) == expected(End("A", "bs"), End("B", "a")))
        #expect(
            try warnings(["Node": [many("children", "Node", "parent", rule), one("parent", "Node", "children", rule)]])
                == expected(End("Node", "children"), End("Node", "parent")))
        #expect(
            try warnings(["Person": [many("friends", "Person", "friends", rule)]])
                == expected(End("Person", "friends"), End("Person", "friends")))
    }

    @Test("a relationship in a hierarchy is reported for the declaring entity, not for each subentity")
    func hierarchy() throws {
        #expect(
            try warnings([
                "Home": [many("pets", "Pet", "home", .cascade)], "Pet": [one("home", "Home", "pets", .cascade)],
                "Dog:Pet": [], "Cat:Pet": [many("toys", "Toy")], "Toy": [],
            ]) == [
                .cascadeBothWays(End("Home", "pets"), End("Pet", "home")),
                .toManyWithoutInverse(End("Cat", "toys"), destination: "Toy"),
            ])
    }

    @Test("a pair with two different rules gives no warning")
    func differentRules() throws {
        let rules = DeleteRule.allCases
        for rule in rules {
            for other in rules where other != rule || ![.cascade, .deny].contains(rule) {
                let found = try warnings(["A": [many("bs", "B", "a", rule)], "B": [one("a", "A", "bs", other)]])
                #expect(found == [], "\(rule) and \(other)")
            }
        }
    }

    // MARK: Without inverse

    @Test("a to-many relationship without inverse is reported unless it cascades", arguments: DeleteRule.allCases)
    func withoutInverse(rule: DeleteRule) throws {
        let found = try warnings([
            "Note": [many("tags", "Tag", nil, rule), one("folder", "Tag", nil, rule)], "Tag": [],
        ])
        let expected = DeleteRuleWarning.toManyWithoutInverse(End("Note", "tags"), destination: "Tag")
        #expect(found == (rule == .cascade ? [] : [expected]))
    }

    @Test("a transient relationship is not checked")
    func transient() throws {
        var tags = many("tags", "Tag")
        tags.isTransient = true
        #expect(try warnings(["Note": [tags], "Tag": []]) == [])
    }

    // MARK: Cycles

    @Test("a cycle of cascades through several entities is reported once, with its path")
    func cycle() throws {
        #expect(
            try warnings([
                "A": [many("bs", "B", "a", .cascade), one("c", "C", "as")],
                "B": [one("a", "A", "bs"), many("cs", "C", "b", .cascade)],
                "C": [one("b", "B", "cs"), many("as", "A", "c", .cascade)],
            ]) == [.cascadeCycle([End("A", "bs"), End("B", "cs"), End("C", "as")])])
        #expect(
            try warnings(["A": [one("b", "B", nil, .cascade)], "B": [one("a", "A", nil, .cascade)]])
                == [.cascadeCycle([End("A", "b"), End("B", "a")])], "not each other's inverses")
    }

    @Test("the cycle may go through a hierarchy, up and down")
    func cycleThroughHierarchy() throws {
        #expect(
            try warnings([
                "Item": [many("labels", "Label", nil, .cascade)], "Folder:Item": [],
                "Label": [one("folder", "Folder", nil, .cascade)],
            ]) == [.cascadeCycle([End("Item", "labels"), End("Label", "folder")])])
        #expect(
            try warnings([
                "Item": [], "Folder:Item": [many("labels", "Label", nil, .cascade)], "File:Item": [],
                "Label": [one("file", "File", nil, .cascade)],
            ]) == [], "a file has no labels")
    }

    @Test("trees are no cycles: parts of the same entity, two lists of them, folders among items")
    func trees() throws {
        #expect(
            try warnings(["Node": [many("children", "Node", "parent", .cascade), one("parent", "Node", "children")]])
                == [])
        #expect(
            try warnings(["Node": [one("left", "Node", nil, .cascade), one("right", "Node", nil, .cascade)]]) == [])
        #expect(
            try warnings([
                "Item": [one("folder", "Folder", "items")], "Folder:Item": [many("items", "Item", "folder", .cascade)],
            ]) == [])
        #expect(
            try warnings([
                "Root": [many("branches", "Branch", nil, .cascade)],
                "Branch": [many("twigs", "Branch", nil, .cascade), many("leaves", "Leaf", nil, .cascade)], "Leaf": [],
            ]) == [], "cascades that end")
    }

    @Test("a pair that cascades both ways is not reported as a cycle too, even with other cascades")
    func pairIsNoCycle() throws {
        #expect(
            try warnings([
                "A": [many("bs", "B", "a", .cascade), many("parts", "A", nil, .cascade)],
                "B": [one("a", "A", "bs", .cascade), many("parts", "B", nil, .cascade)],
            ]) == [.cascadeBothWays(End("A", "bs"), End("B", "a"))])
    }

    @Test("two cycles with a common cascade are two warnings")
    func twoCycles() throws {
        let found = try warnings([
            "A": [one("b", "B", nil, .cascade)],
            "B": [one("a", "A", nil, .cascade), one("c", "C", nil, .cascade)],
            "C": [one("a", "A", nil, .cascade)],
        ])
        #expect(
            found == [
                .cascadeCycle([End("A", "b"), End("B", "a")]),
                .cascadeCycle([End("B", "c"), End("C", "a"), End("A", "b")]),
            ])
    }

    // MARK: Counts

    @Test("a minimum count above the maximum is an error, or a warning if the relationship is optional")
    func counts() throws {
        let found = try warnings([
            "Team": [
                many("members", "Team", "teams", minimum: 3, maximum: 2),
                many("teams", "Team", "members", minimum: 3, maximum: 3),
                many("fans", "Team", "fans", minimum: 2, maximum: 1, optional: true),
                many("idols", "Team", "idols", minimum: 9),
            ]
        ])
        #expect(
            found == [
                .countsInverted(End("Team", "members"), minimum: 3, maximum: 2, isOptional: false),
                .countsInverted(End("Team", "fans"), minimum: 2, maximum: 1, isOptional: true),
            ])
        #expect(found.map(\.severity) == [.error, .warning])
    }

    // MARK: Texts and silence

    private static let samples: [DeleteRuleWarning] = [
        .nullifyMandatory(End("A", "bs"), mandatory: End("B", "a")),
        .cascadeBothWays(End("A", "bs"), End("B", "a")), .cascadeBothWays(End("A", "as"), End("A", "as")),
        .denyBothWays(End("A", "bs"), End("B", "a")), .denyBothWays(End("A", "as"), End("A", "as")),
        .toManyWithoutInverse(End("A", "bs"), destination: "B"), .cascadeCycle([End("A", "bs"), End("B", "a")]),
        .countsInverted(End("A", "bs"), minimum: 2, maximum: 1, isOptional: true),
        .countsInverted(End("A", "bs"), minimum: 2, maximum: 1, isOptional: false),
        .keyWithoutIndex(End("A", "b"), table: "T", column: "C"),
    ]

    @Test("each warning is one line that names every end and ends with its code", arguments: samples)
    func text(sample: DeleteRuleWarning) {
        #expect(!sample.line.contains("\n"))
        #expect(sample.line.hasSuffix(". [\(sample.code)]"))
        for end in sample.ends { #expect(sample.line.contains("'\(end)'")) }
    }

    @Test("codes are stable")
    func codes() {
        #expect(
            Set(Self.samples.map(\.code)) == [
                "nullify-mandatory", "cascade-both-ways", "deny-both-ways", "to-many-without-inverse",
                "cascade-cycle", "counts-inverted", "key-without-index",
            ])
    }

    @Test("a warning is silenced by its code, by an involved entity or relationship, or together with all others")
    func silence() {
        let warning = DeleteRuleWarning.cascadeBothWays(End("A", "bs"), End("B", "a"))
        for entry in ["cascade-both-ways", "A", "B", "A.bs", "B.a", "all"] {
            #expect(warning.isSilenced(by: [entry, "x"]), "\(entry)")
        }
        for entry in ["deny-both-ways", "a", "A.a", "bs", ""] {
            #expect(!warning.isSilenced(by: [entry]), "\(entry)")
        }
        #expect(!warning.isSilenced(by: []))
        let error = DeleteRuleWarning.countsInverted(End("A", "bs"), minimum: 2, maximum: 1, isOptional: false)
        #expect(!error.isSilenced(by: ["all", "A", "counts-inverted"]))
    }

    @Test("a long chain and a dense net of cascades are checked quickly")
    func size() throws {
        func description(_ index: Int, _ destinations: [Int]) -> EntityDescription {
            var description = EntityDescription("E\(index)")
            description.relationships = destinations.map { one("r\($0)", "E\($0)", nil, .cascade) }
            return description
        }
        let chain = try Model((0..<300).map { description($0, $0 < 299 ? [$0 + 1] : [0]) })
        let found = DeleteRuleLint.warnings(of: chain)
        #expect(found.count == 1 && found.first?.ends.count == 300)
        let net = try Model((0..<24).map { index in description(index, Array(index + 1..<24)) })
        #expect(DeleteRuleLint.warnings(of: net) == [])
    }
}
