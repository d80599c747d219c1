import Testing

@testable import SwiftDataMacros

/// Delete rules that are detectably wrong within one class, and those that are not.
@Suite struct DeleteRuleChecksTests {
    private func diagnostics(_ members: String..., name: String = "Node") -> [String] {
        problems(in: source(members, name), Macros.model)
    }

    private func source(_ members: [String], _ name: String = "Node") -> String {
        "@Model class \(name) {\n" + members.map { "    \($0)\n" }.joined() + "    init() {}\n}"
    }

    private let cascading = #"@Relationship(deleteRule: .cascade, inverse: \Node.parent) var children: [Node] = []"#

    @Test("a cascade at both ends is reported once, at the end with the inverse")
    func cascade() {
        #expect(
            diagnostics(cascading, "@Relationship(deleteRule: .cascade) var parent: Node?")
                == ["2:5 warning cascade-both-ways"])
        #expect(
            diagnostics(
                "@Relationship(deleteRule: .cascade) var fans: [Node]",
                #"@Relationship(deleteRule: Schema.Relationship.DeleteRule.cascade, inverse: \Node.fans) var idols = [Node]()"#
            ) == ["3:5 warning cascade-both-ways"])
    }

    @Test("a denial at both ends is reported")
    func deny() {
        #expect(
            diagnostics(
                "@Relationship(deleteRule: .deny) var next: Node?",
                #"@Relationship(deleteRule: .deny, inverse: \Node.next) var previous: Node?"#)
                == ["3:5 warning deny-both-ways"])
    }

    @Test("a nullify into a mandatory end is reported, from either end")
    func mandatory() {
        let parent = "var parent: Node"
        #expect(
            diagnostics(#"@Relationship(inverse: \Node.parent) var children: [Node] = []"#, parent) == [
                "2:5 warning nullify-mandatory"
            ])
        #expect(
            diagnostics(
                #"@Relationship(deleteRule: .nullify, inverse: \Node.parent) var children: [Node] = []"#, parent) == [
                    "2:5 warning nullify-mandatory"
                ])
        #expect(
            diagnostics(#"@Relationship(inverse: \Node.children) var parent: Node"#, "var children: [Node] = []") == [
                "2:5 warning nullify-mandatory"
            ])
        #expect(
            diagnostics(
                #"@Relationship(inverse: \Node.parent) var children: [Node] = []"#,
                "@Relationship(deleteRule: .cascade) var parent: Node"
            ) == ["2:5 warning nullify-mandatory"], "the cascade is at the wrong end")
    }

    @Test("a tree, a linked list, and a cascading one-to-one pair give no warnings")
    func silent() {
        #expect(diagnostics(cascading, "var parent: Node?") == [])
        #expect(diagnostics(cascading, "@Relationship(deleteRule: .nullify) var parent: Node") == [])
        #expect(diagnostics(cascading, "@Relationship(deleteRule: .deny) var parent: Node?") == [])
        #expect(diagnostics(#"@Relationship(inverse: \Node.next) var previous: Node?"#, "var next: Node?") == [])
        #expect(
            diagnostics(
                "@Relationship(deleteRule: .cascade) var part: Node",
                #"@Relationship(inverse: \Node.part) var whole: Node?"#) == [])
        #expect(diagnostics("@Relationship(deleteRule: .deny, inverse: nil) var next: Node?") == [])
        #expect(diagnostics("@Relationship(deleteRule: .cascade) var parts: [Node] = []") == [])
    }

    @Test("uncertain cases give no warning: ends outside of the class, nested or computed")
    func undecided() {
        let parent = "@Relationship(deleteRule: .cascade) var parent: Node?"
        let other = #"@Relationship(deleteRule: .cascade, inverse: \Other.parent) var others: [Other] = []"#
        #expect(diagnostics(other, parent) == [])
        let nested = #"@Relationship(deleteRule: .cascade, inverse: \Outer.Node.parent) var children: [Node] = []"#
        #expect(diagnostics(nested, parent) == [])
        let chosen = #"@Relationship(deleteRule: rule, inverse: \Node.parent) var children: [Node] = []"#
        #expect(diagnostics(chosen, parent) == [])
        #expect(diagnostics(cascading) == [], "the inverse may be inherited")
        #expect(diagnostics(cascading, parent, "class Node {}") == [], "Node is another class here")
        #expect(
            diagnostics(#"@Relationship(inverse: \Node.parent) var children: [Node] = []"#, "var parent: Alias") == [])
        #expect(
            diagnostics(cascading, "#if os(Linux)", parent, "#else", "var parent: Node?", "#endif") == [],
            "either may be meant")
        #expect(diagnostics(cascading, "@Transient @Relationship(deleteRule: .cascade) var parent: Node?") == [])
    }

    @Test("a comment above either end silences the code it names")
    func silenced() {
        let parent = "@Relationship(deleteRule: .cascade) var parent: Node?"
        let comment = "// openswiftdata:silence cascade-both-ways"
        #expect(diagnostics(comment, cascading, parent) == [])
        #expect(diagnostics(cascading, comment, parent) == [])
        #expect(diagnostics("// openswiftdata:silence deny-both-ways, cascade-both-ways", cascading, parent) == [])
        #expect(
            diagnostics("// openswiftdata:silence deny-both-ways", cascading, parent) == [
                "3:5 warning cascade-both-ways"
            ])
        #expect(diagnostics("// cascade-both-ways", cascading, parent) == ["3:5 warning cascade-both-ways"])
    }

    @Test("the fix-it changes the to-one end")
    func repair() throws {
        let written = source(["@Relationship(deleteRule: .cascade) var parent: Node?", cascading])
        let meant = source(["@Relationship(deleteRule: .nullify) var parent: Node?", cascading])
        #expect(try repaired(written, Macros.model) == meant)
    }
}
