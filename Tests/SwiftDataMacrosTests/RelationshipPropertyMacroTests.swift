import Testing

@testable import SwiftDataMacros

/// Where `@Relationship` may stand and which counts it takes.
@Suite struct RelationshipPropertyMacroTests {
    private func told(_ annotation: String, _ declaration: String = "var a: [B] = []") -> [String] {
        problems(in: "class A {\n\(annotation) \(declaration)\n}", Macros.annotations)
    }

    @Test("a relationship is a stored property")
    func place() {
        #expect(told("@Relationship", "var a: [B] { [] }") == ["2:1 error annotationNotPersisted"])
        #expect(told("@Relationship") == [])
    }

    @Test("a property is one or the other")
    func both() {
        #expect(told("@Attribute @Relationship") == ["2:12 error relationshipAndAttribute"])
    }

    @Test("the least count is not above the greatest, where 0 and nil stand for no limit")
    func counts() {
        let label = "minimumModelCount"
        #expect(told("@Relationship(\(label): 3, maximumModelCount: 1)") == ["2:1 error countsInverted"])
        #expect(told("@Relationship(\(label): 3, maximumModelCount: 0)") == [])
        #expect(told("@Relationship(\(label): 3, maximumModelCount: nil)") == [])
        #expect(told("@Relationship(\(label): 3)") == [])
        #expect(told("@Relationship(\(label): 3, maximumModelCount: 3)") == [])
    }
}
