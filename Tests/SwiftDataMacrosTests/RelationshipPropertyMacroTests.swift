import Testing

@testable import SwiftDataMacros

/// Valid places of `@Relationship`, and valid counts.
@Suite struct RelationshipPropertyMacroTests {
    private func diagnostics(_ annotation: String, _ declaration: String = "var a: [B] = []") -> [String] {
        problems(in: "class A {\n\(annotation) \(declaration)\n}", Macros.annotations)
    }

    @Test("a relationship is a stored property")
    func place() {
        #expect(diagnostics("@Relationship", "var a: [B] { [] }") == ["2:1 error annotationNotPersisted"])
        #expect(diagnostics("@Relationship") == [])
    }

    @Test("a property cannot be an attribute and a relationship")
    func both() {
        #expect(diagnostics("@Attribute @Relationship") == ["2:12 error relationshipAndAttribute"])
    }

    @Test("the minimum count must not exceed the maximum, where 0 and nil mean no limit")
    func counts() {
        let label = "minimumModelCount"
        #expect(diagnostics("@Relationship(\(label): 3, maximumModelCount: 1)") == ["2:1 error countsInverted"])
        #expect(diagnostics("@Relationship(\(label): 3, maximumModelCount: 0)") == [])
        #expect(diagnostics("@Relationship(\(label): 3, maximumModelCount: nil)") == [])
        #expect(diagnostics("@Relationship(\(label): 3)") == [])
        #expect(diagnostics("@Relationship(\(label): 3, maximumModelCount: 3)") == [])
    }
}
